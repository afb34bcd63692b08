/** The cover in a response about a live report, whose body does not exist yet. */
import type { ShareCover } from '@svc/contract';
import { projectMessage } from '@svc/report';
import type { ShareInput } from '#features/exports';

/** JSON that continues the object of the response; empty without a cover. */
export function liveCover(cover: ShareCover | null, share: ShareInput): string {
  if (!cover) return '';
  const message = cover.message === null ? null : projectMessage(cover.message, null, share);
  return `,"share":${JSON.stringify({ ...cover, message })}`;
}
