import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base62, base62Number, crockford } from './encoding.ts';
import { systemRandom } from './random.ts';
import {
  isDeviceToken,
  isLinkToken,
  isSessionToken,
  newDeviceToken,
  newLinkToken,
  newRecoveryCode,
  newSessionToken,
  normalizeRecoveryCode,
} from './tokens.ts';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('Crockford base32', () => {
  test('[D1] is the bits of the bytes, five for each character, high bits first', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => {
        const length = Math.ceil((bytes.length * 8) / 5);
        const bits = [...crockford(bytes, length)]
          .map((character) => CROCKFORD.indexOf(character).toString(2).padStart(5, '0'))
          .join('');
        const wanted = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
        expect(bits.slice(0, wanted.length)).toBe(wanted);
        expect(bits.slice(wanted.length)).toMatch(/^0*$/);
      }),
    );
  });

  test('[D1] keeps the order of the bytes', () => {
    const sixteen = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(sixteen, sixteen, (one, other) => {
        const order = Math.sign(Buffer.compare(one, other));
        const [first, second] = [crockford(one, 26), crockford(other, 26)];
        expect(first === second ? 0 : first < second ? -1 : 1).toBe(order);
      }),
    );
  });
});

describe('base62', () => {
  test('[D1] has the requested length and its alphabet, from any source of bytes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 255 })),
        (count, source) => {
          const text = base62(count, (asked) => Uint8Array.from(source.take(asked)));
          expect(text).toMatch(new RegExp(`^[0-9A-Za-z]{${count}}$`));
        },
      ),
    );
  });

  test('[D1] returns each character for the same number of byte values', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      let given = false;
      // The second draw ends the search when a byte is skipped.
      const character = base62(1, () => {
        const drawn = given ? 0 : byte;
        if (given) counts.set('passed over', (counts.get('passed over') ?? 0) + 1);
        given = true;
        return Uint8Array.of(drawn);
      });
      if (byte < 248) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.get('passed over')).toBe(8);
    expect(Array.from(BASE62, (character) => counts.get(character))).toEqual(
      Array.from({ length: 62 }, () => 4),
    );
  });

  test('[D1] writes a number that can be parsed again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (value) => {
        const text = base62Number(value, 6);
        expect(text).toHaveLength(6);
        expect([...text].reduce((sum, character) => sum * 62 + BASE62.indexOf(character), 0)).toBe(value);
      }),
    );
  });
});

describe('tokens', () => {
  test('[D1] a device token ends in a checksum of its random characters', () => {
    for (let count = 0; count < 100; count += 1) {
      const token = newDeviceToken(systemRandom);
      const [, secret = '', sum = ''] = /^svc_dev_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/.exec(token) ?? [];
      expect(sum).toBe(base62Number(crc32(secret), 6));
      expect(isDeviceToken(token)).toBe(true);
    }
  });

  test('[D1] a device token with any one character changed is invalid', () => {
    const token = newDeviceToken(systemRandom);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: token.length - 1 }),
        fc.constantFrom(...BASE62.split('')),
        (at, character) => {
          fc.pre(token[at] !== character);
          expect(isDeviceToken(token.slice(0, at) + character + token.slice(at + 1))).toBe(false);
        },
      ),
    );
  });

  test('[D1] session and link tokens have their forms', () => {
    expect(newSessionToken(systemRandom)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(newLinkToken(systemRandom)).toMatch(/^[0-9A-Za-z]{32}$/);
    for (const wrong of [
      '',
      'short',
      `${newSessionToken(systemRandom)}=`,
      `${newSessionToken(systemRandom)}\n`,
    ]) {
      expect([isSessionToken(wrong), isLinkToken(wrong), isDeviceToken(wrong)]).toEqual([
        false,
        false,
        false,
      ]);
    }
  });

  test('[D1] a recovery code is the same however it is typed', () => {
    const typing = fc.record({
      lower: fc.boolean(),
      separator: fc.constantFrom('', '-', ' ', '--', '\n'),
      lookalikes: fc.boolean(),
    });
    fc.assert(
      fc.property(typing, ({ lower, separator, lookalikes }) => {
        const code = newRecoveryCode(systemRandom);
        expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/);
        let typed = code.replaceAll('-', separator);
        if (lookalikes) typed = typed.replaceAll('0', 'o').replaceAll('1', 'l');
        expect(normalizeRecoveryCode(lower ? typed.toLowerCase() : typed)).toBe(code.replaceAll('-', ''));
      }),
    );
  });
});
