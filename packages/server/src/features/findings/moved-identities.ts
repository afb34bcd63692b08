/**
 * Findings whose identity changed in a new report. What the project knows about the old identity moves to the new one,
 * once and completely. A finding that the report still contains under the old identity keeps it. If a finding may have
 * been one of several that the project knows, nothing moves, because the right one is unknown.
 */
import type { MovedIdentity } from '@svc/contract';
import { earlierIdentities, identitiesOfFingerprints, identityKey, predecessorAmong } from '@svc/report';
import { packedEarlier, type EarlierIdentity } from './earlier-identities-policy.ts';
import { earlierOf, heldOf, laterDecided, type Known } from './policy.ts';

/**
 * @param present the identities of the report
 * @param key of the project, under which fingerprints become identities
 * @returns for each new identity of the report, by `identityKey`, the identities that it may have had.
 */
export function movesInto(
  present: readonly Uint8Array[],
  previous: readonly MovedIdentity[],
  key: Uint8Array,
): Map<string, readonly Uint8Array[]> {
  const byKey = new Map<string, Uint8Array>();
  const keysOf = (side: keyof MovedIdentity) =>
    identitiesOfFingerprints(
      previous.map((move) => move[side]),
      key,
    ).map((identity) => {
      byKey.set(identityKey(identity), identity);
      return identityKey(identity);
    });
  const to = keysOf('to');
  const pairs = keysOf('from').map((from, index) => ({ from, to: to[index] ?? '' }));
  const earlier = earlierIdentities(new Set(present.map(identityKey)), pairs);
  return new Map(
    [...earlier].map(([target, keys]) => [target, keys.flatMap((each) => byKey.get(each) ?? [])]),
  );
}

export interface TakenOver {
  /** The known findings by `identityKey`. */
  readonly now: ReadonlyMap<string, Known>;
  /**
   * The identities to which known findings moved. The value is what was known about that identity before, if it and the
   * moved finding both counted as open; else null.
   */
  readonly movedTo: ReadonlyMap<string, Known | null>;
  readonly movedAway: readonly { readonly from: Uint8Array; readonly to: string }[];
}

/**
 * @param known by `identityKey`, for the report's identities and their earlier ones.
 * @param report `order` is its position.
 */
export function takenOver(
  moves: ReadonlyMap<string, readonly Uint8Array[]>,
  known: ReadonlyMap<string, Known>,
  report: { readonly now: number; readonly order: number },
): TakenOver {
  const now = new Map(known);
  const movedTo = new Map<string, Known | null>();
  const movedAway: { from: Uint8Array; to: string }[] = [];
  for (const [target, sources] of moves) {
    const source = predecessorAmong(sources, (each) => known.has(identityKey(each)));
    const before = source && known.get(identityKey(source));
    if (source === undefined || before === undefined) continue;
    const there = known.get(target);
    now.set(target, movedOnto({ ...before, identity: source }, there, report));
    movedTo.set(target, there && isCountedOpen(before) && isCountedOpen(there) ? there : null);
    movedAway.push({ from: source, to: target });
  }
  return { now, movedTo, movedAway };
}

/** What is known about a finding under its new identity, including what was already known about that identity. */
function movedOnto(
  source: Known & Pick<EarlierIdentity, 'identity'>,
  there: Known | undefined,
  { now, order }: { readonly now: number; readonly order: number },
): Known {
  const { identity, ...before } = source;
  const from = before.present === 1 ? (before.presentFrom ?? 0) : order;
  const own = { identity, from, until: order };
  const earlier = packedEarlier([...(there ? earlierOf(there) : []), ...earlierOf(before), own]);
  const current = { ...before, earlierIdentities: earlier };
  if (!there) return before.present === 1 ? { ...current, presentFrom: order } : current;
  const counted = isCountedOpen(before) || !isCountedOpen(there) ? before : there;
  return {
    ...current,
    ...laterDecided(before, there, now),
    firstSeenAt: Math.min(before.firstSeenAt, there.firstSeenAt),
    present: before.present || there.present,
    isOpen: counted.isOpen,
    tool: counted.tool,
    areas: counted.areas,
    isHeld: heldOf(before) || heldOf(there),
    presentFrom: there.present === 1 ? there.presentFrom : order,
    presentSeverity: counted.presentSeverity,
  };
}

function isCountedOpen({ isOpen }: Known): boolean {
  return isOpen === 1;
}
