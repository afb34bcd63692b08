import { findingStatuses, severities, type Finding } from '@svc/contract';
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AT, findingOf } from '../test/samples.ts';
import { withFingerprint } from './compare.ts';
import { IDENTITY_BYTES, marksOf, packedMarks, unpackedMarks, type FindingMark } from './marks.ts';

const key = new Uint8Array(32).fill(7);
const fingerprint = '0123456789abcdef'.repeat(4);

const marks = fc.array(
  fc.record({
    id: fc.stringMatching(/^[A-Z]{1,8}-[0-9]{1,7}$/),
    identity: fc.uint8Array({ minLength: IDENTITY_BYTES, maxLength: IDENTITY_BYTES }),
    severity: fc.constantFrom(...severities),
    status: fc.constantFrom(...findingStatuses),
    firstSeenAt: fc.option(fc.nat({ max: Date.parse('9999-12-31T23:59:59.999Z') })),
    dated: fc.boolean(),
    carried: fc.boolean(),
    reopened: fc.boolean(),
  }),
);

describe('a mark', () => {
  test('[D6] knows a finding by an HMAC of its fingerprint, under a key', () => {
    const [mark] = marksOf([findingOf({ fingerprint })], key);
    const whole = createHmac('sha256', key).update(fingerprint, 'hex').digest();
    expect(Buffer.from(mark?.identity ?? [])).toEqual(whole.subarray(0, IDENTITY_BYTES));
    const [other] = marksOf([findingOf({ fingerprint })], new Uint8Array(32).fill(8));
    expect(other?.identity).not.toEqual(mark?.identity);
  });

  test('[D12] of a finding without a fingerprint is that of the fingerprint which it would have', () => {
    const bare = findingOf();
    expect(marksOf([bare], key)).toEqual(marksOf([withFingerprint(bare)], key));
  });

  test('[D6] bears words and times of the finding', () => {
    const given: Partial<Finding> = { severity: 'low', status: 'false_positive', firstSeenAt: AT };
    const [mark, open] = marksOf([findingOf(given), findingOf({ id: 'F-2' })], key);
    expect(mark).toMatchObject({
      id: 'F-1',
      severity: 'low',
      status: 'false_positive',
      firstSeenAt: Date.parse(AT),
    });
    expect(open).toMatchObject({ id: 'F-2', status: 'open', firstSeenAt: null });
  });

  test('[D6] of a time before 1970 has the first that can be told', () => {
    const [mark] = marksOf([findingOf({ firstSeenAt: '1969-07-20T20:17:40Z' })], key);
    expect(mark?.firstSeenAt).toBe(0);
  });
});

describe('packed marks', () => {
  test('[D6] come out as they went in', () => {
    fc.assert(
      fc.property(marks, (given) => {
        expect(unpackedMarks(packedMarks(given))).toEqual(given);
      }),
    );
  });

  test('[D6] hold no word of any text of a finding', () => {
    const canary = 'canary-of-the-marks';
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
    const packed = Buffer.from(packedMarks(marksOf([finding], key)));
    expect(packed.includes('canary')).toBe(false);
    expect(packed.includes(fingerprint)).toBe(false);
    expect(packed.includes(Buffer.from(fingerprint, 'hex').subarray(0, 8))).toBe(false);
    expect(packed.length).toBeLessThan(32);
  });

  test('of another version or cut short are refused', () => {
    const packed = packedMarks(marksOf([findingOf({ firstSeenAt: AT })], key));
    expect(() => unpackedMarks(Uint8Array.of(9, ...packed.subarray(1)))).toThrow('unknown version');
    expect(() => unpackedMarks(new Uint8Array(0))).toThrow('unknown version');
    for (let length = 2; length < packed.length; length += 1)
      expect(() => unpackedMarks(packed.subarray(0, length))).toThrow('damaged');
  });

  test('of no finding are one byte', () => {
    const none: FindingMark[] = [];
    expect(unpackedMarks(packedMarks(none))).toEqual([]);
    expect(packedMarks(none)).toHaveLength(1);
  });
});
