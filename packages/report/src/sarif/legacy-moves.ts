/**
 * The version 1 identities of findings on a machine without an earlier report of the repository, for a service that
 * may know them. It can be removed with legacy-identity.ts.
 */
import { limits, severities, type Finding, type MovedIdentity } from '@svc/contract';
import { identityTagsIn } from '../identity/identity-tags.ts';

/**
 * The number among equal lines of a file meant the same finding only while their count was the same. So a finding
 * with equals is left out. One without is listed with the fingerprint that a second one would have had: a service
 * that knows both cannot tell which of the two it was, and follows neither.
 */
export function legacyMoves(findings: readonly Finding[]): MovedIdentity[] {
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
