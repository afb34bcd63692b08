/**
 * What has changed between two reports of the same project. In `compareFindings`, a missing finding counts as fixed
 * only if the newer scan looked for it again and git knows both commits. Otherwise it is unknown whether it is fixed.
 */
import { severities, type Finding, type MovedIdentity } from '@svc/contract';
import { matchFindings, type MatchOptions, type Matchable } from './matching.ts';

export interface Fingerprinted {
  readonly fingerprint: string;
}

export interface FingerprintComparison<Before, Now> {
  /** Findings of the current report that the baseline does not have. */
  readonly new: Now[];
  /** Findings of the baseline that the current report does not have. */
  readonly fixed: Before[];
  /** Findings of the current report that the baseline has too. */
  readonly unchanged: Now[];
}

/**
 * Compares by fingerprints alone. Each finding of the current report, and each missing one of the baseline, is in
 * exactly one list. The lists are in the order of their report.
 */
export function compareFingerprints<Before extends Fingerprinted, Now extends Fingerprinted>(
  base: readonly Before[],
  current: readonly Now[],
): FingerprintComparison<Before, Now> {
  const before = new Set(base.map(({ fingerprint }) => fingerprint));
  const now = new Set(current.map(({ fingerprint }) => fingerprint));
  return {
    new: current.filter(({ fingerprint }) => !before.has(fingerprint)),
    fixed: base.filter(({ fingerprint }) => !now.has(fingerprint)),
    unchanged: current.filter(({ fingerprint }) => before.has(fingerprint)),
  };
}

type Comparable = Matchable & Pick<Finding, 'severity'>;

export interface Comparison<Before, Now> extends FingerprintComparison<Before, Now> {
  /** Findings of the baseline that are missing, where it is unknown whether they are fixed. */
  readonly unknown: { readonly before: Before; readonly reason: string }[];
  /** The findings of `unchanged` that have become more severe. */
  readonly raised: { readonly before: Before; readonly now: Now }[];
  /** The earlier and current fingerprints of `unchanged` findings whose fingerprint has changed. */
  readonly moves: MovedIdentity[];
}

export interface CompareOptions<Before> {
  /** What git knows about files and lines. Undefined when git does not know; then nothing counts as fixed. */
  readonly moved?: MatchOptions | undefined;
  /** Why it is unknown whether a missing finding of the baseline is fixed; undefined where it is fixed. */
  readonly whyUnknown: (finding: Before) => string | undefined;
}

/**
 * Compares by all identifying properties. Each finding of the current report, and each missing one of the baseline, is
 * in exactly one list, and perhaps also in `raised`. The lists are in the order of their report.
 */
export function compareFindings<Before extends Comparable, Now extends Comparable>(
  base: readonly Before[],
  current: readonly Now[],
  { moved, whyUnknown }: CompareOptions<Before>,
): Comparison<Before, Now> {
  const matches = matchFindings(base, current, moved);
  const beforeOf = new Map(matches.map(({ before, now }) => [now, before]));
  const matched = new Set(matches.map(({ before }) => before));
  const gone = base.filter((finding) => !matched.has(finding));
  const reasonOf = (finding: Before) =>
    whyUnknown(finding) ?? (moved === undefined ? 'git does not have both commits' : undefined);
  return {
    new: current.filter((finding) => !beforeOf.has(finding)),
    fixed: gone.filter((finding) => reasonOf(finding) === undefined),
    unknown: gone.flatMap((before) => {
      const reason = reasonOf(before);
      return reason === undefined ? [] : [{ before, reason }];
    }),
    unchanged: current.filter((finding) => beforeOf.has(finding)),
    raised: current.flatMap((now) => {
      const before = beforeOf.get(now);
      return before && rankOf(now) < rankOf(before) ? [{ before, now }] : [];
    }),
    moves: matches.flatMap(({ before: { fingerprint: from }, now: { fingerprint: to } }) =>
      from === to ? [] : [{ from, to }],
    ),
  };
}

function rankOf({ severity }: Pick<Finding, 'severity'>): number {
  return severities.indexOf(severity);
}
