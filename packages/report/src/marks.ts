/**
 * What the service keeps beside a report to follow its findings into the next one: for each a mark, which holds words from
 * fixed lists and times, and of what the finding says only a keyed digest. No text goes into a mark, and none comes out.
 */
import { findingStatuses, severities, type Finding, type FindingStatus, type Severity } from '@svc/contract';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { withFingerprint } from './compare.ts';
import { statusOf } from './status.ts';

/** Half a SHA-256: among a billion findings no two are taken for one. */
export const IDENTITY_BYTES = 16;

export interface FindingMark {
  readonly id: string;
  /** Of the fingerprint, under a key of the project. */
  readonly identity: Uint8Array;
  readonly severity: Severity;
  readonly status: FindingStatus;
  /** Milliseconds since 1970; null when nobody has said. */
  readonly firstSeenAt: number | null;
  /** `firstSeenAt` is of an earlier report. */
  readonly dated: boolean;
  /** `status` was decided in an earlier report. */
  readonly carried: boolean;
  /** It was verified as fixed before this report saw it again. */
  readonly reopened: boolean;
}

/** The marks of the findings of a report that nobody has followed yet. */
export function marksOf(findings: readonly Finding[], key: Uint8Array): FindingMark[] {
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
  }));
}

/** HMAC-SHA-256, cut; the two blocks that the key makes are computed once for all fingerprints. */
function identitiesUnder(key: Uint8Array): (fingerprint: string) => Uint8Array {
  const keyed = hmac.create(sha256, key);
  const digest = new Uint8Array(sha256.outputLen);
  const scratch = keyed.clone();
  return (fingerprint) => {
    keyed._cloneInto(scratch).update(hexToBytes(fingerprint)).digestInto(digest);
    return digest.slice(0, IDENTITY_BYTES);
  };
}

const VERSION = 1;
const ID_LENGTH_MAX = 16;
const TIME_BYTES = 6;
const MARK_BYTES_MAX = 1 + ID_LENGTH_MAX + IDENTITY_BYTES + 2 + TIME_BYTES;
const STATUS_SHIFT = 3;
const SEVERITY_MASK = (1 << STATUS_SHIFT) - 1;
const FLAGS = { timed: 1, dated: 2, carried: 4, reopened: 8 } as const;
const BYTE_VALUES = 256;

/** A version, and mark after mark: length of the id, id, identity, severity with status, flags, and the time if there is one. */
export function packedMarks(marks: readonly FindingMark[]): Uint8Array {
  const bytes = new Uint8Array(1 + marks.length * MARK_BYTES_MAX);
  bytes[0] = VERSION;
  let at = 1;
  for (const mark of marks) at = writeMark(bytes, at, mark);
  return bytes.slice(0, at);
}

function writeMark(bytes: Uint8Array, start: number, mark: FindingMark): number {
  const { id, firstSeenAt } = mark;
  let at = start;
  bytes[at++] = id.length;
  for (let index = 0; index < id.length; index += 1) bytes[at++] = id.charCodeAt(index);
  bytes.set(mark.identity, at);
  at += IDENTITY_BYTES;
  bytes[at++] = severities.indexOf(mark.severity) | (findingStatuses.indexOf(mark.status) << STATUS_SHIFT);
  bytes[at++] =
    (firstSeenAt === null ? 0 : FLAGS.timed) |
    (mark.dated ? FLAGS.dated : 0) |
    (mark.carried ? FLAGS.carried : 0) |
    (mark.reopened ? FLAGS.reopened : 0);
  if (firstSeenAt === null) return at;
  let rest = firstSeenAt;
  for (let place = TIME_BYTES - 1; place >= 0; place -= 1) {
    bytes[at + place] = rest % BYTE_VALUES;
    rest = Math.floor(rest / BYTE_VALUES);
  }
  return at + TIME_BYTES;
}

/** @throws TypeError when it is not what `packedMarks` makes. */
export function unpackedMarks(bytes: Uint8Array): FindingMark[] {
  if (bytes[0] !== VERSION) throw new TypeError('The marks of the findings are of an unknown version.');
  const marks: FindingMark[] = [];
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
      throw new TypeError('The marks of the findings are damaged.');
    marks.push({
      id: String.fromCharCode(...bytes.subarray(at + 1, idEnd)),
      identity: bytes.slice(idEnd, wordsAt),
      severity,
      status,
      firstSeenAt: isTimed ? timeIn(bytes, timeAt) : null,
      dated: (flags & FLAGS.dated) !== 0,
      carried: (flags & FLAGS.carried) !== 0,
      reopened: (flags & FLAGS.reopened) !== 0,
    });
    at = end;
  }
  return marks;
}

function timeIn(bytes: Uint8Array, at: number): number {
  let time = 0;
  for (let place = 0; place < TIME_BYTES; place += 1) time = time * BYTE_VALUES + (bytes[at + place] ?? 0);
  return time;
}
