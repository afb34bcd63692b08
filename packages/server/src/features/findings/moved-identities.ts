/**
 * Findings whose identity changed in a new report. What the project knows of the old identity moves to the new one, once and
 * completely. A finding that the report still contains under the old identity keeps it. If a finding may have been one of
 * several that the project knows, the right one is unknown, so nothing moves.
 */
import type { MovedIdentity } from '@svc/contract';
import { formerIdentities, identitiesOfFingerprints, predecessorAmong } from '@svc/report';
import type { Known } from './policy.ts';
import { identityKey, identityOf } from './store.ts';

/**
 * @param present the identities of the report
 * @param key of the project, under which fingerprints become identities
 * @returns for each new identity of the report, the identities that it may have had, all by `identityKey`.
 */
export function movesInto(
  present: readonly Uint8Array[],
  previous: readonly MovedIdentity[],
  key: Uint8Array,
): Map<string, readonly string[]> {
  const [from, to] = (['from', 'to'] as const).map((side) =>
    identitiesOfFingerprints(
      previous.map((move) => move[side]),
      key,
    ).map(identityKey),
  );
  const pairs = (from ?? []).map((source, index) => ({ from: source, to: to?.[index] ?? '' }));
  return formerIdentities(new Set(present.map(identityKey)), pairs);
}

export interface TakenOver {
  /** The known findings by `identityKey`. */
  readonly now: ReadonlyMap<string, Known>;
  /** The identities that received knowledge, and those that lost it. */
  readonly movedTo: ReadonlySet<string>;
  readonly movedAway: readonly Uint8Array[];
}

/** @param known by `identityKey`, for the report's identities and their earlier ones. */
export function takenOver(
  moves: ReadonlyMap<string, readonly string[]>,
  known: ReadonlyMap<string, Known>,
): TakenOver {
  const now = new Map(known);
  const movedTo = new Set<string>();
  const movedAway: Uint8Array[] = [];
  for (const [target, sources] of moves) {
    const source = predecessorAmong(sources, (each) => known.has(each));
    const before = known.get(source ?? '');
    if (source === undefined || before === undefined) continue;
    const there = known.get(target);
    now.set(
      target,
      there ? { ...before, firstSeenAt: Math.min(there.firstSeenAt, before.firstSeenAt) } : before,
    );
    movedTo.add(target);
    movedAway.push(identityOf(source));
  }
  return { now, movedTo, movedAway };
}
