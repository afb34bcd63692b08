import { findingStatuses, severities, type Finding } from '@svc/contract';
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AT, findingOf } from '../../test/samples.ts';
import { withFingerprints } from '../identity/distinct-fingerprints.ts';
import {
  type FindingSnapshot,
  IDENTITY_BYTES,
  listedSnapshots,
  packedSnapshots,
  snapshotsOf,
  unpackedSnapshots,
} from './finding-snapshots.ts';

const key = new Uint8Array(32).fill(7);
const fingerprint = '0123456789abcdef'.repeat(4);

const snapshots = fc.array(
  fc.record({
    id: fc.stringMatching(/^[A-Z]{1,8}-[0-9]{1,7}$/),
    identity: fc.uint8Array({ minLength: IDENTITY_BYTES, maxLength: IDENTITY_BYTES }),
    severity: fc.constantFrom(...severities),
    status: fc.constantFrom(...findingStatuses),
    firstSeenAt: fc.option(fc.nat({ max: Date.parse('9999-12-31T23:59:59.999Z') })),
    dated: fc.boolean(),
    carried: fc.boolean(),
    reopened: fc.boolean(),
    weak: fc.boolean(),
  }),
);

describe('a snapshot', () => {
  test('[D6] identifies a finding by a keyed HMAC of its fingerprint', () => {
    const [snapshot] = snapshotsOf([findingOf({ fingerprint })], key);
    const whole = createHmac('sha256', key).update(fingerprint, 'hex').digest();
    expect(Buffer.from(snapshot?.identity ?? [])).toEqual(whole.subarray(0, IDENTITY_BYTES));
    const [other] = snapshotsOf([findingOf({ fingerprint })], new Uint8Array(32).fill(8));
    expect(other?.identity).not.toEqual(snapshot?.identity);
  });

  test('[D12] of a finding without a fingerprint uses the computed fingerprint', () => {
    const bare = findingOf();
    expect(snapshotsOf([bare], key)).toEqual(snapshotsOf(withFingerprints([bare]), key));
  });

  test('[D6] contains enum values and times of the finding', () => {
    const given: Partial<Finding> = { severity: 'low', status: 'false_positive', firstSeenAt: AT };
    const [snapshot, open] = snapshotsOf([findingOf(given), findingOf({ id: 'F-2' })], key);
    expect(snapshot).toMatchObject({
      id: 'F-1',
      severity: 'low',
      status: 'false_positive',
      firstSeenAt: Date.parse(AT),
    });
    expect(open).toMatchObject({ id: 'F-2', status: 'open', firstSeenAt: null });
  });

  test('[D6] of a finding first seen before 1970 has the earliest possible time', () => {
    const [snapshot] = snapshotsOf([findingOf({ firstSeenAt: '1969-07-20T20:17:40Z' })], key);
    expect(snapshot?.firstSeenAt).toBe(0);
  });
});

describe('packed snapshots', () => {
  test('[D6] are unchanged after packing and unpacking', () => {
    fc.assert(
      fc.property(snapshots, (given) => {
        expect(unpackedSnapshots(packedSnapshots(given))).toEqual(given);
        const listed = given.map(({ id, identity, severity }) => ({
          id,
          key: Buffer.from(identity).toString('hex'),
          severity,
        }));
        expect(listedSnapshots(packedSnapshots(given))).toEqual(listed);
      }),
    );
  });

  test('[D6] contain no text of a finding', () => {
    const canary = 'canary-of-the-snapshots';
    const text = `${canary} `.repeat(3);
    const finding = findingOf({
      title: text,
      summary: text,
      impact: text,
      remediation: text,
      tags: [canary],
      affected: { component: canary, file: canary, route: canary, origin: canary },
      fingerprint,
    });
    const packed = Buffer.from(packedSnapshots(snapshotsOf([finding], key)));
    expect(packed.includes('canary')).toBe(false);
    expect(packed.includes(fingerprint)).toBe(false);
    expect(packed.includes(Buffer.from(fingerprint, 'hex').subarray(0, 8))).toBe(false);
    expect(packed.length).toBeLessThan(32);
  });

  test('throw if they are truncated or of another version', () => {
    const packed = packedSnapshots(snapshotsOf([findingOf({ firstSeenAt: AT })], key));
    expect(() => unpackedSnapshots(Uint8Array.of(9, ...packed.subarray(1)))).toThrow('unknown version');
    expect(() => unpackedSnapshots(new Uint8Array(0))).toThrow('unknown version');
    for (let length = 2; length < packed.length; length += 1)
      expect(() => unpackedSnapshots(packed.subarray(0, length))).toThrow('damaged');
  });

  test('have one byte for no findings', () => {
    const none: FindingSnapshot[] = [];
    expect(unpackedSnapshots(packedSnapshots(none))).toEqual([]);
    expect(packedSnapshots(none)).toHaveLength(1);
  });
});
