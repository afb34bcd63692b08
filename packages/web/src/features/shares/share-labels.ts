/** Labels of stored shares. */
import type { Share } from '@svc/contract';
import { counted } from '../../lib/format.ts';
import { audienceOf, audiences, draftOfShare } from './draft.ts';
import { sees } from './sentence.ts';

export function isActive({ revokedAt, expiresAt }: Share, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || new Date(expiresAt) > now);
}

export function nameOf({ label }: Pick<Share, 'label'>): string {
  return label ?? 'Unnamed share link';
}

/** Who can open the share and what they see, as a list of facts. */
export function factsOf(share: Share): readonly string[] {
  const { principals, hasPassword, viewCount } = share;
  return [
    audiences[audienceOf(share)],
    ...(principals.length === 0
      ? []
      : [principals.map((each) => each.label ?? each.principalValue).join(', ')]),
    sees(draftOfShare(share).policy),
    ...(hasPassword ? ['password required'] : []),
    counted(viewCount, 'view'),
  ];
}
