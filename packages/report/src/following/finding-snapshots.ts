/**
 * Finding snapshots: what the service keeps beside a report to follow its findings into the next one. A snapshot
 * holds enum values, times and a keyed digest of the fingerprint. No text of a report enters a snapshot.
 */
import { findingStatuses, severities, type Finding, type FindingStatus, type Severity } from '@svc/contract';
import { withFingerprint } from './compare.ts';
import { isWeak } from '../reading/tags.ts';
import { hmacSha256Under } from '../identity/sha256.ts';
import { statusOf } from '../model/status.ts';

/** Half a SHA-256: a collision is negligible even among a billion findings. */
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

/** Snapshots of findings that have not been followed yet. */
export function snapshotsOf(findings: readonly Finding[], key: Uint8Array): FindingSnapshot[] {
  const identityOf = identitiesUnder(key);
  return findings.map((finding) => ({
    id: finding.id,
    identity: identityOf(finding.fingerprint ?? withFingerprint(finding).fingerprint),
    severity: finding.severity,
    status: statusOf(finding),
    firstSeenAt: finding.firstSeenAt === undefined ? null : Math.max(0, Date.parse(finding.firstSeenAt)),
    dated: false,
    carried: false,
    reopened: false,
    weak: isWeak(finding.tags),
  }));
}

/** The identities of fingerprints, as in snapshots. */
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
  if (bytes[0] !== VERSION) throw new TypeError('The snapshots of the findings are of an unknown version.');
  const snapshots: FindingSnapshot[] = [];
  let at = 1;
  while (at < bytes.length) {
    const idEnd = at + 1 + (bytes[at] ?? 0);
    const wordsAt = idEnd + IDENTITY_BYTES;
    const words = bytes[wordsAt] ?? 0;
    const flags = bytes[wordsAt + 1] ?? 0;
    const timeAt = wordsAt + 2;
    const isTimed = (flags & FLAGS.timed) !== 0;
    const severity = severities[words & SEVERITY_MASK];
    const status = findingStatuses[words >> STATUS_SHIFT];
    const end = timeAt + (isTimed ? TIME_BYTES : 0);
    if (severity === undefined || status === undefined || end > bytes.length)
      throw new TypeError('The snapshots of the findings are damaged.');
    snapshots.push({
      id: String.fromCharCode(...bytes.subarray(at + 1, idEnd)),
      identity: bytes.slice(idEnd, wordsAt),
      severity,
      status,
      firstSeenAt: isTimed ? timeIn(bytes, timeAt) : null,
      dated: (flags & FLAGS.dated) !== 0,
      carried: (flags & FLAGS.carried) !== 0,
      reopened: (flags & FLAGS.reopened) !== 0,
      weak: (flags & FLAGS.weak) !== 0,
    });
    at = end;
  }
  return snapshots;
}

function timeIn(bytes: Uint8Array, at: number): number {
  let time = 0;
  for (let place = 0; place < TIME_BYTES; place += 1) time = time * BYTE_VALUES + (bytes[at + place] ?? 0);
  return time;
}
