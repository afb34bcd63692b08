import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findWithLibrary } from '../../test/library.ts';
import { deviceToken, secretSamples } from '../../test/secret-samples.ts';
import { redactDeep, redactPointer, redactText, secretPaths } from './redact.ts';
import { findSecrets } from './secrets.ts';

const MARKER_LENGTH_MAX = 40;

/** Texts with secrets beside anything, including other secrets. */
const piece = fc.oneof(
  fc.constantFrom(...secretSamples.map(({ text }) => text)),
  fc.constantFrom(
    ' ',
    '\n',
    '"',
    "'",
    '/',
    ':',
    '@',
    '=',
    '-',
    '_',
    '.',
    '\\',
    '[redacted ',
    ']',
    '://',
    'x',
    '9',
  ),
  anyText({ maxLength: 20 }),
);
const mixed = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const harmless = fc.string({ unit: 'grapheme' }).filter((text) => findSecrets(text).length === 0);

describe('redactText', () => {
  test.each(secretSamples)('[D8] replaces $name with a marker of its kind', ({ text, secret, kind }) => {
    const redaction = redactText(`before ${text} after`);
    expect(redaction.count).toBeGreaterThan(0);
    expect(redaction.text).not.toContain(secret);
    expect(redaction.text).toContain(`[redacted ${kind}]`);
    expect(redaction.text).toMatch(/^before /);
    expect(redactText(`${text}; after`).text).toMatch(/; after$/);
  });

  test('[D8] leaves no secret that we or the library find, and redacting again changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(mixed, async (text) => {
        const redaction = redactText(text);
        expect(findSecrets(redaction.text)).toEqual([]);
        expect(await findWithLibrary(redaction.text)).toEqual([]);
        expect(redactText(redaction.text)).toEqual({ text: redaction.text, count: 0 });
        expect(redaction.text.length).toBeLessThanOrEqual(text.length + redaction.count * MARKER_LENGTH_MAX);
      }),
    );
  });

  test('[D8] does not change text without secrets', () => {
    fc.assert(
      fc.property(harmless, (text) => {
        expect(redactText(text)).toEqual({ text, count: 0 });
      }),
    );
  });

  test('[D8] redacts a secret that another one hid', () => {
    const hidden = secretSamples.find(({ kind }) => kind === 'groq-key')!.secret;
    expect(redactText(`${deviceToken()}${hidden}`)).toEqual({
      text: '[redacted svc-device-token][redacted groq-key]',
      count: 2,
    });
  });

  test('[D8] keeps the rest of a URL', () => {
    const { secret } = secretSamples.find(({ name }) => name === 'database-credentials postgres')!;
    expect(redactText(`postgres://${secret}@db.internal:5432/app?sslmode=require`).text).toBe(
      'postgres://[redacted database-credentials]@db.internal:5432/app?sslmode=require',
    );
  });
});

describe('secrets in JSON', () => {
  const token = deviceToken();

  test('[D8] are redacted in texts and field names, and their locations are returned', () => {
    const value = { list: ['fine', { 'a/b~c': `is ${token}` }], [token]: 1, [deviceToken(2)]: 2, number: 3 };
    const redaction = redactDeep(value);
    expect(redaction).toEqual({
      value: {
        list: ['fine', { 'a/b~c': 'is [redacted svc-device-token]' }],
        '[redacted svc-device-token]': 1,
        '[redacted svc-device-token] 2': 2,
        number: 3,
      },
      count: 3,
      paths: ['/list/1/a~1b~0c', '/[redacted svc-device-token]', '/[redacted svc-device-token] 2'],
    });
    expect(secretPaths(value)).toEqual([
      '/list/1/a~1b~0c',
      '/[redacted svc-device-token]',
      '/[redacted svc-device-token]',
    ]);
    expect(secretPaths(redaction.value)).toEqual([]);
  });

  test('[D8] do not cause copies of objects without a secret', () => {
    const value = { clean: { list: [1, 'two', null, true] }, dirty: token };
    const redaction = redactDeep(value);
    expect(redaction.value.clean).toBe(value.clean);
    expect(redactDeep(value.clean).value).toBe(value.clean);
  });

  test('[D8] are redacted in any JSON, which keeps its number of values', () => {
    const json = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        mixed,
        fc.constantFrom(null, true, 7),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(mixed, tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    const valuesOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce<number>((sum, inner) => sum + valuesOf(inner), 1)
        : 1;
    fc.assert(
      fc.property(json, (value) => {
        const redaction = redactDeep(value);
        expect(secretPaths(redaction.value)).toEqual([]);
        expect(valuesOf(redaction.value)).toBe(valuesOf(value));
        expect(redaction.count > 0).toBe(secretPaths(value).length > 0);
        expect(redaction.paths.length > 0).toBe(redaction.count > 0);
      }),
    );
  });

  test('[D8] are redacted in a pointer, even if its escapes hide them', () => {
    for (const { text, secret } of secretSamples) {
      const pointer = redactPointer(`/a~0b/${text.replaceAll('~', '~0').replaceAll('/', '~1')}/0`);
      expect(pointer.replaceAll('~1', '/').replaceAll('~0', '~')).not.toContain(secret);
      expect(pointer).toMatch(/^\/a~0b\/.*\/0$/s);
    }
    expect(redactPointer('')).toBe('');
  });

  test('[T10] are located up to a maximum number, at any depth', () => {
    expect(secretPaths(Array.from({ length: 50 }, () => token))).toHaveLength(20);
    expect(
      secretPaths(
        Array.from({ length: 50 }, () => token),
        3,
      ),
    ).toEqual(['/0', '/1', '/2']);
    let deep: unknown = token;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(secretPaths(deep)).toEqual(['/0'.repeat(100_000)]);
    expect(() => redactDeep(deep)).toThrow(RangeError);
  });
});
