import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemRandom } from './random.ts';
import { fixedKeys } from './master-key.ts';
import { bodyContext, createUnwrapping, wrappingKeyOf, wrapReportKey } from './report-keys.ts';
import { deriveKey, prepareSealing, seal, sealInPlace, SealBrokenError, unseal } from './sealing.ts';

const key = systemRandom.bytes(32);
const sealed = (plain: Uint8Array, context: readonly string[] = ['a', 'b']) =>
  Buffer.concat(seal(key, context, plain, systemRandom));

describe('sealing', () => {
  test('[D6] sealed bytes open to the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.array(fc.string()), (plain, context) => {
        expect(Buffer.from(unseal(key, context, sealed(plain, context)))).toEqual(Buffer.from(plain));
      }),
    );
  });

  test.each([0, 1, 65_535, 65_536, 65_537, 200_000])(
    '[D6] %i bytes sealed in place open to the same bytes, and are overwritten',
    (length) => {
      const plain = new Uint8Array(length).fill(7);
      const parts = sealInPlace(prepareSealing(key, ['a', 'b'], systemRandom), plain);
      expect(parts[1].buffer).toBe(plain.buffer);
      expect(length > 99 && plain.every((byte) => byte === 7)).toBe(false);
      const opened = Buffer.from(unseal(key, ['a', 'b'], Buffer.concat(parts)));
      expect(opened.equals(Buffer.alloc(length, 7))).toBe(true);
    },
  );

  test('[D6] no byte can be changed, removed or added', () => {
    const whole = sealed(Buffer.from('the text of a report'));
    for (let at = 0; at < whole.length; at += 1) {
      const changed = Uint8Array.from(whole);
      changed[at]! ^= 1;
      expect(() => unseal(key, ['a', 'b'], changed)).toThrow(SealBrokenError);
      expect(() => unseal(key, ['a', 'b'], whole.subarray(0, at))).toThrow(SealBrokenError);
    }
    expect(() => unseal(key, ['a', 'b'], Buffer.concat([whole, Buffer.of(0)]))).toThrow(SealBrokenError);
  });

  test.each([[['b', 'a']], [['a']], [['ab']], [['a,b']], [['a', 'b', '']], [[]]])(
    '[D6] the context %j does not open sealed bytes',
    (context) => {
      const whole = sealed(Buffer.from('text'));
      expect(() => unseal(key, context, whole)).toThrow(SealBrokenError);
    },
  );

  test('[D6] another key does not open sealed bytes', () => {
    const whole = sealed(Buffer.from('text'));
    expect(() => unseal(systemRandom.bytes(32), ['a', 'b'], whole)).toThrow(SealBrokenError);
  });

  test('[D6] the same text is sealed into different bytes each time, and is not readable in them', () => {
    const plain = Buffer.from('a text that is long enough to be found');
    const [one, other] = [sealed(plain), sealed(plain)];
    expect(one.equals(other)).toBe(false);
    expect(one.includes(plain)).toBe(false);
  });

  test('[D6] keys for two purposes differ, and a purpose always has the same key', () => {
    const [one, other] = [deriveKey(key, 'one'), deriveKey(key, 'other')];
    expect(Buffer.from(one).equals(other)).toBe(false);
    expect(Buffer.from(deriveKey(key, 'one')).equals(one)).toBe(true);
  });
});

describe('keys of reports', () => {
  const reportKey = systemRandom.bytes(32);
  const wrap = () => wrapReportKey(wrappingKeyOf(key), 'rep_one', reportKey, systemRandom);

  test('[D6] a wrapped key unwraps for its report, under its master key, and for no other', () => {
    const keys = createUnwrapping(fixedKeys([key]));
    expect(Buffer.from(keys.unwrap('rep_one', wrap())).equals(reportKey)).toBe(true);
    expect(() => keys.unwrap('rep_two', wrap())).toThrow(SealBrokenError);
    const others = createUnwrapping(fixedKeys([systemRandom.bytes(32)]));
    expect(() => others.unwrap('rep_one', wrap())).toThrow(SealBrokenError);
  });

  test('[D6] a wrapped key unwraps while its master key is the older of two', () => {
    const keys = createUnwrapping(fixedKeys([systemRandom.bytes(32), key]));
    expect(Buffer.from(keys.unwrap('rep_one', wrap())).equals(reportKey)).toBe(true);
  });

  test('[D6] the wrapped form is different each time, and does not contain the key', () => {
    const [one, other] = [Buffer.from(wrap()), Buffer.from(wrap())];
    expect(one.equals(other)).toBe(false);
    expect(one.includes(Buffer.from(reportKey))).toBe(false);
  });

  test("[D6] a report's body does not open with another report's id or another blob's name", () => {
    const whole = sealed(Buffer.from('text'), bodyContext('rep_one', 'blob1'));
    expect(() => unseal(key, bodyContext('rep_one', 'blob2'), whole)).toThrow(SealBrokenError);
    expect(() => unseal(key, bodyContext('rep_two', 'blob1'), whole)).toThrow(SealBrokenError);
  });

  test('[D6] a recorded sealed body opens: the format is stable', () => {
    // Created once, with a key of 32 times 7: version 1, nonce, cipher text and tag.
    const kept = Buffer.from(
      'Af7nMU3BCnqYDj5lZUqD6j9Mq1su2sycFW85e4oH9kMyMGS64pBVfhfhyOmO/SFC8HFrloJodmI=',
      'base64',
    );
    const plain = unseal(new Uint8Array(32).fill(7), bodyContext('rep_one', 'blob1'), kept);
    expect(Buffer.from(plain).toString()).toBe('sealed in the first version');
  });
});
