/** Suppressed results: whether a result is one, and the evidence that says why. */
import type { FindingEvidence } from '@svc/contract';
import { SUPPRESSED } from '../intake/deduplication.ts';
import { fields, items, text, type Fields } from './parts.ts';
import { PROSE_LENGTH_MAX, type Cleaner } from './messages.ts';

/** Whether a result is suppressed: not if a suppression is under review, was rejected or is malformed. */
export function isSuppressed(result: Fields): boolean {
  const suppressions = items(result['suppressions']).map(fields);
  return (
    suppressions.length > 0 &&
    suppressions.every(({ kind, status = 'accepted' }) => text(kind) !== undefined && status === 'accepted')
  );
}

/** Adds the suppression to the evidence, after the location itself. */
export function withSuppression(
  [primary, ...rest]: readonly FindingEvidence[],
  result: Fields,
  cleaner: Cleaner,
): FindingEvidence[] {
  const first = primary === undefined ? [] : [primary];
  if (!isSuppressed(result)) return [...first, ...rest];
  const reasons = items(result['suppressions']).flatMap(
    (given) => text(fields(given)['justification']) ?? [],
  );
  const description = cleaner.clean([SUPPRESSED, ...reasons].join(' '), PROSE_LENGTH_MAX);
  return [...first, { kind: 'other', description }, ...rest];
}
