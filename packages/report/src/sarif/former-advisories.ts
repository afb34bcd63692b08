/**
 * The fingerprints that published vulnerabilities had while they were identified by their line. A line identifies a
 * vulnerability only if it names the package: the first line of a lock file is the same for all packages.
 *
 * It can be removed with legacy-identity.ts.
 */
import { locationOf } from '../identity/fingerprint.ts';
import { codeKeyOf } from '../identity/identity-tags.ts';
import { numberedFingerprint, type IdentifiedResult } from '../identity/imported-identity.ts';
import type { LineContext } from '../identity/line-context.ts';
import type { LegacyFingerprint } from './legacy-identity.ts';

export interface FormerResult extends Omit<IdentifiedResult, 'message'> {
  readonly isAdvisory: boolean;
  readonly isLineMeant: boolean;
}

type Formerly = LegacyFingerprint | undefined;

/**
 * The former fingerprint of each result, where it is certain. Results that are not published vulnerabilities keep the
 * one in `legacy`.
 * @param legacy the fingerprints of version 1, which come first
 */
export function formerFingerprints(
  results: readonly FormerResult[],
  legacy: readonly Formerly[],
): readonly Formerly[] {
  const isSure = results.map((result) => !result.isAdvisory || isByToolOrLine(result));
  const doubtful = new Set(legacy.flatMap((of, index) => (of === undefined || isSure[index] ? [] : of.next)));
  const byLine = fingerprintsByLine(results);
  return results.map(({ advisoryIn }, index) => {
    const known = legacy[index];
    const ofVersion1 = known === undefined || doubtful.has(known.next) ? undefined : known;
    return ofVersion1 ?? (advisoryIn !== undefined && isSure[index] === true ? byLine[index] : undefined);
  });
}

/**
 * Undefined for results with equal lines: version 1 numbered those in the order of the log, so it is not certain which
 * package had which number.
 */
function fingerprintsByLine(results: readonly FormerResult[]): Formerly[] {
  const roots = results.map(({ ruleId, affected, context, toolFingerprints, isAdvisory }) => {
    if (!isAdvisory || context === undefined || toolFingerprints.length > 0) return undefined;
    const root = ['code', codeKeyOf(ruleId, context)];
    return { root, key: JSON.stringify([...locationOf(affected), ...root]) };
  });
  const equals = Map.groupBy(roots, (of) => of?.key);
  return results.map(({ affected }, index) => {
    const of = roots[index];
    if (of === undefined || equals.get(of.key)?.length !== 1) return undefined;
    const at = (number: number) => numberedFingerprint(affected, of.root, number);
    return { fingerprint: at(1), next: at(2) };
  });
}

/** A minified lock file has all packages in one line. */
const LINE_LENGTH_MAX = 200;

function isByToolOrLine({ toolFingerprints, advisoryIn, context, isLineMeant }: FormerResult): boolean {
  if (toolFingerprints.length > 0) return true;
  if (!isLineMeant || context === undefined) return false;
  return advisoryIn === undefined || namesPackage(context, advisoryIn);
}

function namesPackage({ line }: LineContext, name: string): boolean {
  const at = line.indexOf(name);
  const isPart = (sign: string | undefined) => sign !== undefined && /[A-Za-z0-9_.-]/.test(sign);
  return (
    at >= 0 && line.length <= LINE_LENGTH_MAX && !isPart(line[at - 1]) && !isPart(line[at + name.length])
  );
}
