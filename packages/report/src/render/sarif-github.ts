/**
 * What GitHub's code scanning takes. It shows suppressed results as any other, so they are left out; of more results than
 * it keeps, or of a file larger than it takes, the most severe are given, so that the choice is ours. It knows a result
 * again by one fingerprint of a fixed name.
 */
import type { ProjectedFinding } from '@svc/contract';
import type { Result } from 'sarif';
import { rankOf, suppressionsOf } from './sarif-results.ts';

/** Of one run it keeps so many, though it takes five times as many. */
export const GITHUB_RESULTS_MAX = 5000;
/** Further places of one result that it keeps. */
const RELATED_MAX = 100;
/**
 * It takes ten megabytes after compression. Text of the worst kind, random characters, gives 0.82 bytes for each, so a
 * file of this size is never too large; ordinary reports shrink to less than a fifth of it.
 */
const BYTES_MAX = 12_000_000;

/** The most severe first; equal ones in the order of the report. */
export function findingsForGitHub(findings: readonly ProjectedFinding[]): ProjectedFinding[] {
  return findings
    .filter((finding) => suppressionsOf(finding).length === 0)
    .toSorted((one, other) => rankOf(other) - rankOf(one));
}

/** Results of equal fingerprints are told apart by their order. */
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

/** The sentence that says how many were left out, if any was. */
export function omissionNotice(found: number, kept: number): string[] {
  if (kept >= found) return [];
  return [`${found - kept} of ${found} findings are left out, the least severe ones: GitHub keeps no more.`];
}

/** @param parts of the file. A character takes at most three bytes for each unit that is counted as its length. */
export function excessBytes(parts: readonly string[]): number {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length * 3 <= BYTES_MAX) return 0;
  const bytes = parts.reduce((sum, part) => sum + byteLength(part), 0);
  return Math.max(0, bytes - BYTES_MAX);
}

/** Room for the sentence that says so. */
const NOTICE_BYTES = 500;

/** How many results are left, from the first, when so many bytes have to go from the end. */
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
