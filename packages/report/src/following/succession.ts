/**
 * Follows findings from the previous report into a new one: which are known, what was decided about them, and which
 * fingerprints have changed. Findings in equal lines of a file keep their numbered fingerprints, so that a service
 * that compares fingerprints alone does not confuse them.
 */
import type { Finding, MovedIdentity } from '@svc/contract';
import { matchFindings, type MovedSince } from './matching.ts';
import { identityTagsIn } from '../identity/identity-tags.ts';
import { numberedFingerprint, locatedRoot, rootIn } from '../identity/imported-identity.ts';
import { carriedInto, firstSeenWith, ratedAs } from '../model/status.ts';
import { statusCarriedOver } from './carrying.ts';

export interface Succession {
  readonly findings: readonly Finding[];
  /** The ids of findings that took over their status from the previous report. */
  readonly carried: readonly string[];
  /** Fingerprints of the previous report that have changed, and their new values. */
  readonly moves: readonly MovedIdentity[];
}

/**
 * Findings stay set aside as in the previous report, unless they are more severe now or identified only by their
 * message. They keep the time at which they were first seen.
 */
export function succeed(
  previous: readonly Finding[],
  current: readonly Finding[],
  moved?: MovedSince<Finding>,
  pending: readonly MovedIdentity[] = [],
): Succession {
  const before = previous.filter(hasFingerprint);
  const known = matchFindings(before, current.filter(hasFingerprint), moved);
  const settled = settledFingerprints(known, before, current, pending);
  const predecessors = new Map(known.map(({ before: old, now }) => [now.id, old]));
  const carried: string[] = [];
  const moves: MovedIdentity[] = [];
  const findings = current.map((given) => {
    const finding = withFingerprintOf(given, settled);
    const old = predecessors.get(given.id);
    if (old === undefined) return finding;
    const isWeak = identityTagsIn(finding.tags ?? []).isWeak;
    if (!isWeak && finding.fingerprint !== undefined && finding.fingerprint !== old.fingerprint)
      moves.push({ from: old.fingerprint, to: finding.fingerprint });
    const dated = firstSeenWith(finding, old);
    const status = statusCarriedOver(ratedAs(old), { ...ratedAs(finding), isWeak });
    if (status === undefined) return dated;
    carried.push(finding.id);
    return carriedInto(dated, status);
  });
  return { findings, carried, moves };
}

type Known = Finding & { readonly fingerprint: string };

function hasFingerprint(finding: Finding): finding is Known {
  return finding.fingerprint !== undefined;
}

function withFingerprintOf(finding: Finding, settled: ReadonlyMap<string, string>): Finding {
  const fingerprint = settled.get(finding.id);
  return fingerprint === undefined ? finding : { ...finding, fingerprint };
}

/**
 * The new fingerprints of findings that need one, by id. The service assumes that a fingerprint still belongs to the
 * finding that had it in the previous report, so no fingerprint may pass to another finding.
 */
function settledFingerprints(
  known: ReturnType<typeof matchFindings<Known, Known>>,
  before: readonly Known[],
  current: readonly Finding[],
  pending: readonly MovedIdentity[],
): Map<string, string> {
  const settled = new Map<string, string>();
  const successors = new Map(pending.map(({ from, to }) => [from, to]));
  const earlier = new Set([...before.map(({ fingerprint }) => fingerprint), ...successors.keys()]);
  for (const { before: old, now } of known) {
    if (old.fingerprint === now.fingerprint) continue;
    const isSameBase = locatedRoot(old) !== undefined && locatedRoot(old) === locatedRoot(now);
    const isBack = successors.get(now.fingerprint) === old.fingerprint;
    // Tools number equal results too: when one is fixed, the next one gets its fingerprint.
    if (isSameBase || (earlier.has(now.fingerprint) && !isBack)) settled.set(now.id, old.fingerprint);
  }
  const reserved = new Set([...earlier, ...settled.values()]);
  const matched = new Set(known.map(({ now }) => now.id));
  const isOccupied = ({ id, fingerprint }: Finding) =>
    !matched.has(id) && fingerprint !== undefined && reserved.has(fingerprint);
  const keep = current.filter((finding) => !settled.has(finding.id) && !isOccupied(finding));
  const taken = new Set([...reserved, ...keep.flatMap(({ fingerprint }) => fingerprint ?? [])]);
  for (const finding of current.filter(isOccupied)) {
    const fresh = freshNumber(finding, taken);
    if (fresh === undefined) continue;
    settled.set(finding.id, fresh);
    taken.add(fresh);
  }
  return settled;
}

const NUMBER_MAX = 20_000;

function freshNumber({ affected, tags = [] }: Finding, taken: ReadonlySet<string>): string | undefined {
  const root = rootIn(tags);
  if (!root) return undefined;
  for (let number = 1; number <= NUMBER_MAX; number += 1) {
    const fingerprint = numberedFingerprint(affected, root, number);
    if (!taken.has(fingerprint)) return fingerprint;
  }
  return undefined;
}
