/** Links that are stored, in words. */
import type { Share } from '@svc/contract';
import { counted } from '../../lib/words.ts';
import { audienceOf, audiences, draftOfShare } from './draft.ts';
import { sees } from './sentence.ts';

export function isActive({ revokedAt, expiresAt }: Share, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || new Date(expiresAt) > now);
}

export function nameOf({ label }: Pick<Share, 'label'>): string {
  return label ?? 'Link without a name';
}

/** Who may open it and what they see, at a glance. */
export function factsOf(share: Share): readonly string[] {
  const { principals, hasPassword, viewCount } = share;
  return [
    audiences[audienceOf(share)],
    ...(principals.length === 0
      ? []
      : [principals.map((each) => each.label ?? each.principalValue).join(', ')]),
    sees(draftOfShare(share).policy),
    ...(hasPassword ? ['with a password'] : []),
    counted(viewCount, 'view'),
  ];
}
