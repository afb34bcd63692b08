/**
 * The identities that a finding had earlier, and which reports have it under them. A finding can be moved back to one
 * of them when the report in which its identity changed is deleted.
 */
import { DIGEST_BYTES, identityKey } from '@svc/report';

/** Reports counted from `from` on and before `until` keep the finding present under this identity. */
export interface EarlierIdentity {
  readonly identity: Uint8Array;
  readonly from: number;
  /** The position of the report in which the identity changed. */
  readonly until: number;
}

/** What is needed to know under which identities reports have a finding. */
export interface Named {
  readonly identity: Uint8Array;
  readonly presentFrom: number | null;
  /** Packed. */
  readonly earlierIdentities: Uint8Array | null;
}

const POSITION_BYTES = 4;
const EARLIER_BYTES = DIGEST_BYTES + 2 * POSITION_BYTES;
/** More changes of identity are not expected while the reports with the finding still exist. */
const EARLIER_MAX = 32;

/** Keeps the last ones, without duplicates of an identity with the same end. */
export function packedEarlier(earlierIdentities: readonly EarlierIdentity[]): Uint8Array | null {
  const unique = new Map(
    earlierIdentities.map((each) => [`${identityKey(each.identity)} ${each.until}`, each]),
  );
  const kept = [...unique.values()].slice(-EARLIER_MAX);
  if (kept.length === 0) return null;
  return Buffer.concat(
    kept.map(({ identity, from, until }) => {
      const positions = Buffer.alloc(2 * POSITION_BYTES);
      positions.writeUInt32LE(from);
      positions.writeUInt32LE(until, POSITION_BYTES);
      return Buffer.concat([identity, positions]);
    }),
  );
}

export function earlierIn(packed: Uint8Array | null): EarlierIdentity[] {
  if (packed === null) return [];
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  return Array.from({ length: Math.floor(bytes.length / EARLIER_BYTES) }, (_, index) => {
    const at = index * EARLIER_BYTES;
    return {
      identity: bytes.subarray(at, at + DIGEST_BYTES),
      from: bytes.readUInt32LE(at + DIGEST_BYTES),
      until: bytes.readUInt32LE(at + DIGEST_BYTES + POSITION_BYTES),
    };
  });
}

/**
 * The earlier identities of a finding that is not present: no report keeps it present under them any more. Comparisons
 * of two reports still need them.
 */
export function ended(packed: Uint8Array | null): Uint8Array | null {
  return packedEarlier(earlierIn(packed).map((each) => ({ ...each, from: each.until })));
}

/** The identities under which a report at this position keeps the finding present. */
export function namesAt(
  { identity, presentFrom, earlierIdentities }: Named,
  order: number,
): EarlierIdentity[] {
  const own = { identity, from: presentFrom ?? 0, until: Number.MAX_SAFE_INTEGER };
  return [own, ...earlierIn(earlierIdentities)].filter((name) => isAt(name, order));
}

function isAt({ from, until }: EarlierIdentity, order: number): boolean {
  return from <= order && order < until;
}

/**
 * The current identity of a finding that a counted report has, as an `identityKey`. If several findings once had its
 * identity, the one whose identity changed first after the report counts.
 */
export function currentKeys(renamed: readonly Named[]): (identity: Uint8Array, order: number) => string {
  const changes = Map.groupBy(
    renamed.flatMap(({ identity, earlierIdentities }) =>
      earlierIn(earlierIdentities).map((each) => ({
        from: identityKey(each.identity),
        until: each.until,
        identity,
      })),
    ),
    ({ from }) => from,
  );
  return (identity, order) => {
    const key = identityKey(identity);
    const later = (changes.get(key) ?? []).filter(({ until }) => until > order);
    const [first] = later.toSorted((one, other) => one.until - other.until);
    return first ? identityKey(first.identity) : key;
  };
}
