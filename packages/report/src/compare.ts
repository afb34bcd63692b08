/**
 * What has changed between two reports of one project, by what makes findings the same one (fingerprint.ts). That a
 * finding is gone says that it was not seen any more, and not why.
 */
import type { Finding } from '@svc/contract';
import { fingerprintOf, rootCauseOfSubmission } from './fingerprint.ts';

export interface Fingerprinted {
  readonly fingerprint: string;
}

export interface Comparison<Before, Now> {
  /** Of the current report: what the base does not have. */
  readonly new: Now[];
  /** Of the base: what the current report does not have. */
  readonly fixed: Before[];
  /** Of the current report: what the base has too. */
  readonly unchanged: Now[];
}

/** Each finding of both is in one list, in the order of its report. */
export function compareFindings<Before extends Fingerprinted, Now extends Fingerprinted>(
  base: readonly Before[],
  current: readonly Now[],
): Comparison<Before, Now> {
  const before = new Set(base.map(({ fingerprint }) => fingerprint));
  const now = new Set(current.map(({ fingerprint }) => fingerprint));
  return {
    new: current.filter(({ fingerprint }) => !before.has(fingerprint)),
    fixed: base.filter(({ fingerprint }) => !now.has(fingerprint)),
    unchanged: current.filter(({ fingerprint }) => before.has(fingerprint)),
  };
}

/** With the fingerprint that it bears; of one that bears none, what intake would give it. */
export function withFingerprint<
  Given extends Pick<Finding, 'category' | 'title' | 'affected' | 'fingerprint'>,
>(finding: Given): Given & Fingerprinted {
  const { category, affected, fingerprint } = finding;
  if (fingerprint !== undefined) return { ...finding, fingerprint };
  const rootCause = rootCauseOfSubmission(finding);
  return { ...finding, fingerprint: fingerprintOf({ category, affected, rootCause }) };
}
