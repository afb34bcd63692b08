/**
 * The limits of GitHub's code scanning. It shows suppressed results like any other, so they are left out. If there are
 * more results than it keeps, or the file is larger than it accepts, the most severe are exported, so that svc makes
 * the choice. It recognizes a result by one fingerprint with a fixed name.
 */
import type { ProjectedFinding } from '@svc/contract';
import type { Result } from 'sarif';
import { rankOf, suppressionsOf } from './sarif-results.ts';

/** GitHub keeps this many results of a run, though it accepts five times as many. */
export const GITHUB_RESULTS_MAX = 5000;
/** The number of related locations that GitHub keeps for one result. */
const RELATED_MAX = 100;
/**
 * GitHub accepts ten megabytes after compression. The worst text, random characters, compresses to 0.82 bytes per
 * character, so a file of this size is never too large; ordinary reports shrink to less than a fifth.
 */
const BYTES_MAX = 12_000_000;

/** The findings that are not suppressed: the most severe first, equal ones in the order of the report. */
export function findingsForGitHub(findings: readonly ProjectedFinding[]): ProjectedFinding[] {
  return findings
    .filter((finding) => suppressionsOf(finding).length === 0)
    .toSorted((one, other) => rankOf(other) - rankOf(one));
}

/** Results with equal fingerprints are distinguished by their order. */
export function* resultsForGitHub(results: Iterable<Result>): Generator<Result> {
  const seen = new Map<string, number>();
  for (const result of results) {
    const { partialFingerprints = {}, relatedLocations } = result;
    const [fingerprint = ''] = Object.values(partialFingerprints);
    const ordinal = (seen.get(fingerprint) ?? 0) + 1;
    seen.set(fingerprint, ordinal);
    yield {
      ...result,
      ...(relatedLocations && { relatedLocations: relatedLocations.slice(0, RELATED_MAX) }),
      partialFingerprints: { ...partialFingerprints, primaryLocationLineHash: `${fingerprint}:${ordinal}` },
    };
  }
}

/** The sentence that says how many findings were left out, if any. */
export function omissionNotice(found: number, kept: number): string[] {
  if (kept >= found) return [];
  return [
    `The ${found - kept} least severe of ${found} findings are left out: they exceed the limits of GitHub code scanning.`,
  ];
}

/** By how many bytes the file exceeds the limit. Each UTF-16 unit takes at most three bytes. */
export function excessBytes(parts: readonly string[]): number {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length * 3 <= BYTES_MAX) return 0;
  const bytes = parts.reduce((sum, part) => sum + byteLength(part), 0);
  return Math.max(0, bytes - BYTES_MAX);
}

/** Bytes reserved for the sentence about the results that were left out. */
const NOTICE_BYTES = 500;

/** How many results remain, from the first, when this many bytes must be cut from the end. */
export function fittingResults(results: readonly string[], bytes: number): number {
  let excess = bytes + NOTICE_BYTES;
  let count = results.length;
  while (count > 0 && excess > 0) {
    count -= 1;
    excess -= byteLength(results[count] ?? '');
  }
  return count;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
