/**
 * The version 1 identities of findings on a machine without an earlier report of the repository, for a service that
 * may know them. It can be removed with legacy-identity.ts.
 */
import { limits, severities, type Finding, type MovedIdentity } from '@svc/contract';
import { identityTagsIn } from '../identity/identity-tags.ts';

interface Identified extends Pick<Finding, 'fingerprint' | 'severity'> {
  readonly tags?: readonly string[];
}

/**
 * Version 1 numbered the findings in lines with equal text, so a number meant the same finding only while their count
 * stayed the same. Such findings are therefore left out. Every other finding is listed under two fingerprints of version
 * 1: its own, and the one that a second finding in an equal line would have had. A service that knows both moves neither.
 */
export function legacyMoves(findings: readonly Identified[]): MovedIdentity[] {
  const legacy = findings.flatMap(({ fingerprint, severity, tags = [] }) => {
    const { earlier, next } = identityTagsIn(tags);
    const isKnown = fingerprint !== undefined && earlier !== undefined && next !== undefined;
    return isKnown ? [{ to: fingerprint, severity, earlier, next }] : [];
  });
  const equals = Map.groupBy(legacy, ({ next }) => next);
  return legacy
    .filter(({ next }) => equals.get(next)?.length === 1)
    .toSorted((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity))
    .slice(0, limits.movedIdentitiesMax / 2)
    .flatMap(({ to, earlier, next }) => [
      { from: earlier, to },
      { from: next, to },
    ]);
}
