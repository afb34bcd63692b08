/** The cover of a share: what its creator says to the viewers. */
import type { ShareCover, SharePolicy } from '@svc/contract';
import { isoTimeOrNull } from '#platform/clock';

export interface CoverFacts {
  readonly message: string | null;
  readonly showSender: boolean;
  /** Null if the creator's account was deleted. */
  readonly creatorName: string | null;
  readonly expiresAt: number | null;
}

/** The message is not redacted yet: redaction depends on the report, and happens when the cover is rendered. */
export function coverOf(
  { message, showSender, creatorName, expiresAt }: CoverFacts,
  policy: SharePolicy,
): ShareCover {
  const isNamed = showSender && policy.anonymize !== true;
  return { message, sender: isNamed ? creatorName : null, expiresAt: isoTimeOrNull(expiresAt) };
}
