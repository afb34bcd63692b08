import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { Email, normalizeEmail, passwordBytes, RecoveryCode } from './accounts.ts';
import { BindingPublicId } from './projects.ts';
import {
  closed,
  codePointsWithin,
  isTime,
  line,
  matching,
  nullable,
  recordId,
  text,
  timestamp,
} from './schema.ts';
import { CreateDeviceLinkBody, DeviceCredential } from './devices.ts';

const accepts = (schema: TSchema) => {
  const validator = Compile(schema);
  return (value: unknown) => validator.Check(value);
};

/** Texts whose UTF-16 units, code points and visible characters differ, well-formed or not. */
const wildText = fc.oneof(
  anyText(),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('a', '\u{1d54f}', '\u0301', '\u200d', '\ud83d', '\udc69', '\n', ' ', '\u0000'), {
      maxLength: 40,
    })
    .map((parts) => parts.join('')),
);
const bounds = fc.tuple(fc.nat(20), fc.nat(20)).map(([min, more]) => [min, min + more] as const);
const codePointsOf = (value: string) => Array.from(value).length;

describe('lengths', () => {
  test('[D2] are counted in code points, whatever the text contains', () => {
    fc.assert(
      fc.property(wildText, bounds, (value, [min, max]) => {
        const length = codePointsOf(value);
        expect(codePointsWithin(value, min, max)).toBe(length >= min && length <= max);
      }),
    );
  });

  test('[D2] text() accepts well-formed text within its limits and nothing else', () => {
    fc.assert(
      fc.property(wildText, bounds, (value, [min, max]) => {
        const length = codePointsOf(value);
        expect(accepts(text(min, max))(value)).toBe(length >= min && length <= max && value.isWellFormed());
      }),
    );
  });

  test('[D2] one letter with ten thousand combining marks has ten thousand and one characters', () => {
    const value = `e${'\u0301'.repeat(10_000)}`;
    expect(accepts(text(1, 10_000))(value)).toBe(false);
    expect(accepts(text(1, 10_001))(value)).toBe(true);
  });

  test('[D2] a schema of text rejects values of any other type', () => {
    for (const schema of [text(0, 10), line(0, 10), matching(/^a?$/, 'a'), Email, recordId('usr')]) {
      for (const value of [null, undefined, 1, true, [], ['a'], {}, { length: 3 }]) {
        expect(accepts(schema)(value)).toBe(false);
      }
    }
  });
});

describe('line()', () => {
  const short = accepts(line(2, 5));

  test('[D3] does not count white space at the ends', () => {
    for (const value of ['ab', ' ab ', `${' '.repeat(50)}abcde${' '.repeat(50)}`, '\u00a0ab']) {
      expect([value, short(value)]).toEqual([value, true]);
    }
    for (const value of ['a', ' a ', '  ', '', 'abcdef', ' abcdef ']) expect(short(value)).toBe(false);
  });

  test('[D3] rejects every character that breaks the line, hides or reorders text', () => {
    const hidden = [
      '\u0000',
      '\t',
      '\n',
      '\r',
      '\u001b',
      '\u007f',
      '\u0085',
      '\u061c',
      '\u200e',
      '\u200f',
      '\u2028',
      '\u2029',
      '\u202a',
      '\u202e',
      '\u2066',
      '\u2069',
      '\ufeff',
      '\ud800',
    ];
    for (const character of hidden) {
      expect([character, short(`a${character}b`)]).toEqual([character, false]);
    }
  });

  test('[D3] accepts every script', () => {
    for (const value of ['Zoë', '日本語', 'שלום', 'مرحبا', '👩‍💻', 'e\u0301a']) {
      expect([value, accepts(line(1, 20))(value)]).toEqual([value, true]);
    }
  });
});

describe('forms', () => {
  test('[D5] a binding is 8 to 128 ASCII alphanumerics, hyphens and underscores', () => {
    const binding = accepts(BindingPublicId);
    const allowed = fc.constantFrom(...'ABCXYZabcxyz0189_-'.split(''));
    fc.assert(
      fc.property(fc.array(allowed, { maxLength: 140 }), (characters) => {
        const length = characters.length;
        expect(binding(characters.join(''))).toBe(length >= 8 && length <= 128);
      }),
    );
    for (const length of [7, 129]) expect(binding('a'.repeat(length))).toBe(false);
    for (const length of [8, 128]) expect(binding('a'.repeat(length))).toBe(true);
    for (const character of [' ', '.', '/', '\n', 'é', '＿', '\u0000']) {
      expect(binding(`aaaaaaaa${character}`)).toBe(false);
    }
  });

  test('[D1] a verifier hash is 64 hexadecimal or 43 base64url characters', () => {
    const { verifierHash } = CreateDeviceLinkBody.properties;
    const hash = accepts(verifierHash);
    for (const value of [
      'a'.repeat(64),
      'A'.repeat(64),
      '0123456789abcdefABCDEF0123456789abcdefABCDEF0123456789abcdefABCD',
      `${'-_'.repeat(21)}Z`,
    ]) {
      expect(hash(value)).toBe(true);
    }
    for (const value of [
      '',
      'a'.repeat(63),
      'a'.repeat(65),
      'a'.repeat(42),
      'a'.repeat(44),
      'g'.repeat(64),
      `${'a'.repeat(42)}=`,
      `${'a'.repeat(42)}+`,
      `${'a'.repeat(64)}\n`,
    ]) {
      expect(hash(value)).toBe(false);
    }
  });

  test('[D1] a record id has its own prefix and 26 characters of lower-case Crockford base32', () => {
    const user = accepts(recordId('usr'));
    expect(user(`usr_${'0'.repeat(26)}`)).toBe(true);
    for (const value of [
      `dev_${'0'.repeat(26)}`,
      `usr_${'0'.repeat(25)}`,
      `usr_${'0'.repeat(27)}`,
      `usr_${'A'.repeat(26)}`,
      ...['i', 'l', 'o', 'u'].map((letter) => `usr_${letter.repeat(26)}`),
    ]) {
      expect(user(value)).toBe(false);
    }
  });

  test('[D1] a device token has its prefix and 46 characters', () => {
    const token = accepts(DeviceCredential.properties.deviceToken);
    expect(token(`svc_dev_${'Az0'.repeat(15)}9`)).toBe(true);
    expect(token(`svc_dev_${'a'.repeat(45)}`)).toBe(false);
    expect(token(`dev_${'a'.repeat(46)}`)).toBe(false);
  });

  test('[D1] a recovery code is five groups of five', () => {
    const code = accepts(RecoveryCode);
    expect(code('01234-56789-ABCDE-FGHJK-MNPQR')).toBe(true);
    for (const value of [
      '01234-56789-ABCDE-FGHJK',
      '0123456789ABCDEFGHJKMNPQR',
      'I1234-56789-ABCDE-FGHJK-MNPQR',
    ]) {
      expect(code(value)).toBe(false);
    }
  });
});

describe('objects', () => {
  test('[D2] reject every unknown field, whatever its name', () => {
    const person = accepts(closed({ name: text(1, 5) }));
    expect(person({ name: 'a' })).toBe(true);
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', 'length')),
        (field) => {
          fc.pre(field !== 'name');
          const value: unknown = JSON.parse(`{"name":"a",${JSON.stringify(field)}:1}`);
          expect(person(value)).toBe(false);
        },
      ),
    );
  });

  test('[D2] ignore inherited fields', () => {
    const person = accepts(closed({ constructor: text(0, 100) }));
    expect(person({})).toBe(false);
  });

  test('[D2] accept only null for a field that is unset', () => {
    const field = accepts(nullable(timestamp));
    expect([null, undefined, '', 0, false].map(field)).toEqual([true, false, false, false, false]);
  });
});

describe('email addresses', () => {
  const email = accepts(Email);

  test('[D3] are accepted in the form that browsers accept', () => {
    for (const value of [
      'a@b',
      'a@b.example',
      " A.b+c'd@Sub.Example ",
      'x@1',
      `${'a'.repeat(64)}@b.example`,
      '!#$%&*+/=?^_`{|}~-@b.example',
    ]) {
      expect([value, email(value)]).toEqual([value, true]);
    }
    for (const value of [
      '',
      '@',
      'a@',
      '@b',
      'a b@c',
      'a@b c',
      'a@@b',
      'a@b@c',
      'a@-b',
      'a@b-',
      'a@b..c',
      'a@.b',
      'a@b.',
      'a,b@c',
      'a@b,c@d',
      '"a b"@c',
      '<a@b>',
      'é@b',
      'a@é',
      'a@b\n.c',
      'a\u0000@b',
      `a@${'b'.repeat(64)}`,
    ]) {
      expect([value, email(value)]).toEqual([value, false]);
    }
  });

  test('[D3] have at most 254 characters after trimming', () => {
    const of = (length: number) => `${'a'.repeat(length - 10)}@b.example`;
    expect([of(254), ` ${of(254)} `, of(255)].map(email)).toEqual([true, true, false]);
  });

  test('[D3] are stored in one normalized form, which is stable', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string()), (value) => {
        const once = normalizeEmail(value);
        expect(normalizeEmail(once)).toBe(once);
        expect(normalizeEmail(` ${value.toUpperCase()} `)).toBe(normalizeEmail(value.toUpperCase()));
      }),
    );
  });
});

test('[D2] a password has the same bytes from every keyboard', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (password) => {
      expect(passwordBytes(password.normalize('NFD'))).toEqual(passwordBytes(password.normalize('NFC')));
    }),
  );
  expect(passwordBytes('Ａ')).not.toEqual(passwordBytes('A'));
});

describe('[D2] a time in a request', () => {
  test.each([
    '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05.1Z',
    '2026-01-02T03:04:05.123456789Z',
    '2026-01-02T03:04:05.123456789012345Z',
    '2024-02-29T23:59:59.999Z',
  ])('is accepted as %s', (given) => {
    expect(isTime(given)).toBe(true);
  });

  test.each([
    '',
    '2026-01-02',
    '2026-01-02T03:04Z',
    '2026-01-02T03:04:05',
    '2026-01-02T03:04:05.Z',
    '2026-01-02T03:04:05+00:00',
    '2026-13-02T03:04:05Z',
    '2026-01-02T25:04:05Z',
    '2026-01-02T03:04:60Z',
    ' 2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05Z\n',
    '+02026-01-02T03:04:05Z',
  ])('is not accepted as %j', (given) => {
    expect(isTime(given)).toBe(false);
  });
});
