/**
 * What the sender of a share says: who prepared the report and for whom, the message, and when the share link expires.
 */
import type { ReportProjection, ShareCover } from '@svc/contract';
import { markup, type Html } from './template.ts';
import { moment } from './time.ts';

export function shareCoverHtml(
  { projectedFor }: ReportProjection,
  cover: ShareCover | undefined,
): Html | undefined {
  const { message = null, sender = null, expiresAt = null } = cover ?? {};
  if (message === null && sender === null && expiresAt === null) return undefined;
  const { label } = projectedFor;
  const receiver = label === undefined ? undefined : markup` for <bdi>${label}</bdi>`;
  return markup`<div class="sender">
${sender === null ? undefined : markup`<p><b>Prepared by <bdi>${sender}</bdi>${receiver}</b></p>`}
${message === null ? undefined : markup`<p class="message" dir="auto">${message}</p>`}
${expiresAt === null ? undefined : markup`<p class="quiet">Available online until ${moment(expiresAt)}</p>`}
</div>`;
}
