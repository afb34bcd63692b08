/** Gives each finding of a report a fingerprint of its own. */
import type { Finding } from '@svc/contract';
import { fingerprintOf, rootCauseOfSubmission } from './fingerprint.ts';
import { sha256Hex } from '#sha256';

type Fingerprintable = Pick<Finding, 'category' | 'title' | 'affected'> & {
  readonly fingerprint?: string | undefined;
};

/**
 * The fingerprints of the findings, all different. A finding without one gets the one that intake would compute. The
 * second finding with a fingerprint gets the hash of it and 2, the third of it and 3, and so on.
 */
export function distinctFingerprints(findings: readonly Fingerprintable[]): string[] {
  const counts = new Map<string, number>();
  const taken = new Set(findings.flatMap(({ fingerprint }) => fingerprint ?? []));
  return findings.map((finding) => {
    const { category, affected, fingerprint } = finding;
    const own =
      fingerprint ?? fingerprintOf({ category, affected, rootCause: rootCauseOfSubmission(finding) });
    // One that the report gives belongs to the first finding that has it, however early another one would compute it.
    let ordinal = (counts.get(own) ?? (fingerprint === undefined && taken.has(own) ? 1 : 0)) + 1;
    let distinct = ordinal === 1 ? own : sha256Hex(JSON.stringify([own, ordinal]));
    while (ordinal > 1 && taken.has(distinct)) {
      ordinal += 1;
      distinct = sha256Hex(JSON.stringify([own, ordinal]));
    }
    counts.set(own, ordinal);
    taken.add(distinct);
    return distinct;
  });
}

/** The findings with fingerprints that are all different. */
export function withFingerprints<Given extends Fingerprintable>(
  findings: readonly Given[],
): (Given & { readonly fingerprint: string })[] {
  const fingerprints = distinctFingerprints(findings);
  return findings.map((finding, index) => ({ ...finding, fingerprint: fingerprints[index] ?? '' }));
}
