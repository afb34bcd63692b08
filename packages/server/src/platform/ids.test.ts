import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createIds, isRecordId } from './ids.ts';
import { systemRandom } from './random.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const MS_MAX = 2 ** 48 - 1;

/** The 128 bits of an id, decoded independently of the code under test. */
function bitsOf(id: string): bigint {
  const value = Array.from(id.slice(-26)).reduce(
    (sum, letter) => sum * 32n + BigInt(ALPHABET.indexOf(letter)),
    0n,
  );
  // 26 characters have 130 bits; the last two are padding.
  expect(value & 3n).toBe(0n);
  return value >> 2n;
}

const ids = (now: () => number) => createIds({ now }, systemRandom);

describe('record ids', () => {
  test('[D1] are a prefix and 26 characters of lower-case Crockford base32, from a UUID of version 7', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: MS_MAX }),
        fc.constantFrom('usr', 'ws', 'prj', 'dev', 'ses', 'inv', 'res'),
        (now, prefix) => {
          const id = ids(() => now).timed(prefix);
          expect(id).toMatch(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`));
          expect(isRecordId(prefix, id)).toBe(true);
          const bits = bitsOf(id);
          expect(bits >> 80n).toBe(BigInt(now));
          expect((bits >> 76n) & 0xfn).toBe(7n);
          expect((bits >> 62n) & 3n).toBe(2n);
        },
      ),
    );
  });

  test('[D1] sort by age', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: MS_MAX - 1_000_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (now, later) => {
          expect(ids(() => now).timed('ws') < ids(() => now + later).timed('ws')).toBe(true);
        },
      ),
    );
  });

  test('[D2] of the same millisecond sort in the order of their creation', () => {
    const { timed } = ids(() => 1_800_000_000_000);
    const made = Array.from({ length: 1000 }, () => timed('ws'));
    expect(made.toSorted()).toEqual(made);
  });

  test('[D1] are never created twice, with a clock that stands still or by two processes', () => {
    const [one, other] = [ids(() => 1_800_000_000_000), ids(() => 1_800_000_000_000)];
    const made = Array.from({ length: 10_000 }, (_, index) => (index % 2 === 0 ? one : other).timed('usr'));
    expect(new Set(made).size).toBe(made.length);
  });
});

describe('checking whether a text can be an id', () => {
  test.each([
    '',
    'ws_',
    'ws',
    `ws_${'0'.repeat(25)}`,
    `ws_${'0'.repeat(27)}`,
    `ws_${'0'.repeat(25)}i`,
    `ws_${'A'.repeat(26)}`,
  ])('[D1] rejects %j', (text) => expect(isRecordId('ws', text)).toBe(false));

  test('[D1] rejects the id of another kind, and one with a line break', () => {
    const id = ids(() => 0).timed('usr');
    expect(isRecordId('ws', id)).toBe(false);
    expect(isRecordId('usr', `${id}\n`)).toBe(false);
    expect(isRecordId('usr', ` ${id}`)).toBe(false);
  });

  test('[D1] rejects any text of another form', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isRecordId('ws', `ws_${text}`)).toBe(
          /^[0-9a-hjkmnp-tv-z]{26}$/.test(text) && text.length === 26,
        );
      }),
    );
  });
});
