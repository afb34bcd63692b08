/**
 * Finding snapshots: what the service keeps beside a report to follow its findings into the next one. A snapshot holds
 * the id of a finding, enum values, flags, a time and a keyed digest of the fingerprint. No other text of a report
 * enters a snapshot.
 */
import { findingStatuses, severities, type FindingStatus, type Severity } from '@svc/contract';
import { distinctFingerprints } from '../identity/distinct-fingerprints.ts';
import type { RecordedFinding } from '../reading/recorded-finding.ts';
import { isWeak } from '../reading/tags.ts';
import { hmacSha256Under } from '../identity/sha256.ts';
import { statusOf } from '../model/status.ts';

/** Half a SHA-256: a collision is improbable even among a billion findings. */
export const IDENTITY_BYTES = 16;

export interface FindingSnapshot {
  readonly id: string;
  /** Keyed digest of the fingerprint, under a key of the project. */
  readonly identity: Uint8Array;
  readonly severity: Severity;
  readonly status: FindingStatus;
  /** Milliseconds since 1970; null when unknown. */
  readonly firstSeenAt: number | null;
  /** `firstSeenAt` comes from an earlier report. */
  readonly dated: boolean;
  /** `status` was decided in an earlier report. */
  readonly carried: boolean;
  /** The finding was verified as fixed before this report saw it again. */
  readonly reopened: boolean;
  /** The finding is identified only by its message, so no decision follows it. */
  readonly weak: boolean;
}

/** Snapshots of findings that have not been followed yet; each has an identity of its own. */
export function snapshotsOf(findings: readonly RecordedFinding[], key: Uint8Array): FindingSnapshot[] {
  const identityOf = identitiesUnder(key);
  const fingerprints = distinctFingerprints(findings);
  return findings.map((finding, index) => ({
    id: finding.id,
    identity: identityOf(fingerprints[index] ?? ''),
    severity: finding.severity,
    status: statusOf(finding),
    firstSeenAt: finding.firstSeenAt === undefined ? null : Math.max(0, Date.parse(finding.firstSeenAt)),
    dated: false,
    carried: false,
    reopened: false,
    weak: isWeak(finding.tags),
  }));
}

/** The keyed digests of fingerprints, as snapshots store them. */
export function identitiesOfFingerprints(fingerprints: readonly string[], key: Uint8Array): Uint8Array[] {
  return fingerprints.map(identitiesUnder(key));
}

/** HMAC-SHA-256, truncated. */
function identitiesUnder(key: Uint8Array): (fingerprint: string) => Uint8Array {
  const hmac = hmacSha256Under(key);
  return (fingerprint) => new Uint8Array(hmac(Buffer.from(fingerprint, 'hex')).subarray(0, IDENTITY_BYTES));
}

const VERSION = 1;
const ID_LENGTH_MAX = 16;
const TIME_BYTES = 6;
const SNAPSHOT_BYTES_MAX = 1 + ID_LENGTH_MAX + IDENTITY_BYTES + 2 + TIME_BYTES;
const STATUS_SHIFT = 3;
const SEVERITY_MASK = (1 << STATUS_SHIFT) - 1;
const FLAGS = { timed: 1, dated: 2, carried: 4, reopened: 8, weak: 16 } as const;
const BYTE_VALUES = 256;

/**
 * A version byte, then each snapshot: length of the id, id, identity, severity with status, flags, and the time if
 * known.
 */
export function packedSnapshots(snapshots: readonly FindingSnapshot[]): Uint8Array {
  const bytes = new Uint8Array(1 + snapshots.length * SNAPSHOT_BYTES_MAX);
  bytes[0] = VERSION;
  let at = 1;
  for (const snapshot of snapshots) at = writeSnapshot(bytes, at, snapshot);
  return bytes.slice(0, at);
}

function writeSnapshot(bytes: Uint8Array, start: number, snapshot: FindingSnapshot): number {
  const { id, firstSeenAt } = snapshot;
  let at = start;
  bytes[at++] = id.length;
  for (let index = 0; index < id.length; index += 1) bytes[at++] = id.charCodeAt(index);
  bytes.set(snapshot.identity, at);
  at += IDENTITY_BYTES;
  bytes[at++] =
    severities.indexOf(snapshot.severity) | (findingStatuses.indexOf(snapshot.status) << STATUS_SHIFT);
  bytes[at++] =
    (firstSeenAt === null ? 0 : FLAGS.timed) |
    (snapshot.dated ? FLAGS.dated : 0) |
    (snapshot.carried ? FLAGS.carried : 0) |
    (snapshot.reopened ? FLAGS.reopened : 0) |
    (snapshot.weak ? FLAGS.weak : 0);
  if (firstSeenAt === null) return at;
  let rest = firstSeenAt;
  for (let place = TIME_BYTES - 1; place >= 0; place -= 1) {
    bytes[at + place] = rest % BYTE_VALUES;
    rest = Math.floor(rest / BYTE_VALUES);
  }
  return at + TIME_BYTES;
}

/** @throws TypeError for bytes that `packedSnapshots` did not write. */
export function unpackedSnapshots(bytes: Uint8Array): FindingSnapshot[] {
  const snapshots: FindingSnapshot[] = [];
  for (const at of startsIn(bytes)) snapshots.push(snapshotAt(bytes, at));
  return snapshots;
}

/** The number of packed snapshots. */
export function snapshotCount(bytes: Uint8Array): number {
  return startsIn(bytes).length;
}

/** The parts of a finding snapshot that lists need. */
export interface ListedSnapshot {
  readonly id: string;
  /** The identity in hexadecimal digits. */
  readonly key: string;
  readonly severity: Severity;
}

/**
 * Unpacks what lists need: only strings, because thousands of small arrays would cost more than everything else.
 * @throws TypeError as `unpackedSnapshots` does.
 */
export function listedSnapshots(bytes: Uint8Array): ListedSnapshot[] {
  const { buffer, byteOffset, byteLength } = bytes;
  const packed = Buffer.from(buffer, byteOffset, byteLength);
  const text = packed.toString('latin1');
  const digits = packed.toString('hex');
  return Array.from(startsIn(bytes), (at) => {
    const idEnd = at + 1 + (bytes[at] ?? 0);
    const wordsAt = idEnd + IDENTITY_BYTES;
    const severity = severities[(bytes[wordsAt] ?? 0) & SEVERITY_MASK];
    if (severity === undefined) throw new TypeError('The snapshots of the findings are damaged.');
    return { id: text.slice(at + 1, idEnd), key: digits.slice(2 * idEnd, 2 * wordsAt), severity };
  });
}

/** A snapshot with its position in the report. */
export interface PlacedSnapshot {
  readonly place: number;
  readonly snapshot: FindingSnapshot;
}

/**
 * The snapshots of the findings with these ids, without unpacking the others.
 * @throws TypeError as `unpackedSnapshots` does.
 */
export function snapshotsWithIds(bytes: Uint8Array, ids: ReadonlySet<string>): PlacedSnapshot[] {
  const hashes = new Set([...ids].map((id) => hashOf(Buffer.from(id, 'latin1'), 0, id.length)));
  return snapshotsWhere(
    bytes,
    (at) => hashes.has(hashOf(bytes, at + 1, at + 1 + (bytes[at] ?? 0))),
    ({ id }) => ids.has(id),
  );
}

/**
 * The snapshots of the findings with these identities, without unpacking the others.
 * @throws TypeError as `unpackedSnapshots` does.
 */
export function snapshotsWithIdentities(
  bytes: Uint8Array,
  identities: readonly Uint8Array[],
): PlacedSnapshot[] {
  const keys = new Set(identities.map(identityKey));
  const hashes = new Set(identities.map((identity) => hashOf(identity, 0, HASHED_BYTES)));
  return snapshotsWhere(
    bytes,
    (at) => {
      const start = at + 1 + (bytes[at] ?? 0);
      return hashes.has(hashOf(bytes, start, start + HASHED_BYTES));
    },
    ({ identity }) => keys.has(identityKey(identity)),
  );
}

/** Equal identities have the same key. */
export function identityKey({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

const HASHED_BYTES = 4;
const HASH_FACTOR = 31;

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let value = end - start;
  for (let at = start; at < end; at += 1) value = (Math.imul(value, HASH_FACTOR) + (bytes[at] ?? 0)) | 0;
  return value;
}

function snapshotsWhere(
  bytes: Uint8Array,
  mayBe: (at: number) => boolean,
  is: (snapshot: FindingSnapshot) => boolean,
): PlacedSnapshot[] {
  const found: PlacedSnapshot[] = [];
  let place = 0;
  for (const at of startsIn(bytes)) {
    if (mayBe(at)) {
      const snapshot = snapshotAt(bytes, at);
      if (is(snapshot)) found.push({ place, snapshot });
    }
    place += 1;
  }
  return found;
}

/** Where each snapshot begins. */
function startsIn(bytes: Uint8Array): number[] {
  if (bytes[0] !== VERSION) throw new TypeError('The snapshots of the findings are of an unknown version.');
  const starts: number[] = [];
  for (let at = 1; at < bytes.length;) {
    starts.push(at);
    const flagsAt = at + 2 + (bytes[at] ?? 0) + IDENTITY_BYTES;
    at = flagsAt + 1 + (((bytes[flagsAt] ?? 0) & FLAGS.timed) === 0 ? 0 : TIME_BYTES);
    if (at > bytes.length) throw new TypeError('The snapshots of the findings are damaged.');
  }
  return starts;
}

function snapshotAt(bytes: Uint8Array, at: number): FindingSnapshot {
  const idEnd = at + 1 + (bytes[at] ?? 0);
  const wordsAt = idEnd + IDENTITY_BYTES;
  const words = bytes[wordsAt] ?? 0;
  const flags = bytes[wordsAt + 1] ?? 0;
  const severity = severities[words & SEVERITY_MASK];
  const status = findingStatuses[words >> STATUS_SHIFT];
  if (severity === undefined || status === undefined)
    throw new TypeError('The snapshots of the findings are damaged.');
  return {
    id: String.fromCharCode(...bytes.subarray(at + 1, idEnd)),
    identity: bytes.slice(idEnd, wordsAt),
    severity,
    status,
    firstSeenAt: (flags & FLAGS.timed) === 0 ? null : timeIn(bytes, wordsAt + 2),
    dated: (flags & FLAGS.dated) !== 0,
    carried: (flags & FLAGS.carried) !== 0,
    reopened: (flags & FLAGS.reopened) !== 0,
    weak: (flags & FLAGS.weak) !== 0,
  };
}

function timeIn(bytes: Uint8Array, at: number): number {
  let time = 0;
  for (let place = 0; place < TIME_BYTES; place += 1) time = time * BYTE_VALUES + (bytes[at + place] ?? 0);
  return time;
}
