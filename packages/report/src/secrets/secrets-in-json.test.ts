import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secretSamples } from '../../test/secret-samples.ts';
import { secretPaths } from './redact.ts';
import { mayHoldSecret } from './secrets-in-json.ts';

const encoder = new TextEncoder();
const mayHold = (json: string) => mayHoldSecret(encoder.encode(json), true);

const fillers = [
  '',
  'a',
  ' ',
  '"',
  '\\',
  '\n',
  'é',
  '界',
  '\u{1d54f}',
  "'",
  '://',
  'account',
  'secret_',
  '@',
  ':',
  '=',
  '=>',
  '_id',
  '1234-5678-9012',
];
const filler = fc.array(fc.constantFrom(...fillers), { maxLength: 8 }).map((parts) => parts.join(''));
const textWithSecret = fc
  .tuple(filler, fc.constantFrom(...secretSamples), filler)
  .map(([before, { text }, after]) => `${before}${text}${after}`);
const document = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    filler,
    textWithSecret,
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(filler, textWithSecret), tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('secrets in the bytes of a document', () => {
  test.each(secretSamples)('[D8] $name is found, at any offset', ({ text }) => {
    for (const before of ['', ' ', 'é', '"', '\n']) {
      const value = `${before}${text}`;
      if (secretPaths(value).length === 0) continue;
      for (const padding of ['', ' ']) {
        expect(mayHold(padding + JSON.stringify({ value }))).toBe(true);
        expect(mayHold(padding + JSON.stringify({ [value]: 1 }))).toBe(true);
      }
    }
  });

  test('[D8] are found in the bytes if they are found in a text', () => {
    fc.assert(
      fc.property(document, fc.boolean(), (value, spaced) => {
        const json = JSON.stringify(value, null, spaced ? 2 : 0);
        expect(mayHold(json) || secretPaths(value).length === 0).toBe(true);
      }),
    );
  });

  test.each([
    `account=123456789012`,
    `ACCOUNT_ID => 1234-5678-9012`,
    `Account_: '123456789012'`,
    `"accountId" : "123456789012"`,
    `accountid':\n\t"123456789012"`,
    `account_id\u00a0=\u2003'123456789012'`,
    `account_id =\v'123456789012'`,
  ])('[D8] an account id is found as %s', (text) => {
    expect(secretPaths(text)).not.toEqual([]);
    expect(mayHold(JSON.stringify({ text }))).toBe(true);
  });

  test('[D8] are found in bytes that begin at an odd address', () => {
    const [{ text }] = secretSamples as [(typeof secretSamples)[number]];
    const json = encoder.encode(JSON.stringify({ text }));
    const shifted = new Uint8Array(json.length + 1);
    shifted.set(json, 1);
    expect(mayHoldSecret(shifted.subarray(1), true)).toBe(true);
  });

  test.each(secretSamples)(
    '[D8] $name is found wherever the search of a large document is cut',
    ({ text }) => {
      if (secretPaths(text).length === 0) return;
      const cutAt = 32 * 1024;
      for (let before = cutAt - text.length - 8; before < cutAt + 4; before += 1)
        expect(mayHold(JSON.stringify(['a'.repeat(before), text])), `after ${before} bytes`).toBe(true);
    },
  );

  test('[D8] are always suspected in a document with unnecessary escapes', () => {
    expect(mayHoldSecret(encoder.encode('"text"'), false)).toBe(true);
  });

  test('are not suspected in ordinary prose of reports', () => {
    const everyday = {
      references: ['https://example.com/a?b=c', 'http://localhost:8080/path', 'see https://cwe.mitre.org.'],
      text: 'The secret of an account, an account id and the Account: page.',
      quoted: 'const "secret" = readSecret(); account\n',
      assigned: `const account = find(); where account_id = '" + id; { "account": true, accountId => id }`,
    };
    const withoutColon = JSON.stringify(everyday).replace('Account: page', 'Account page');
    expect(mayHold(withoutColon)).toBe(false);
  });
});
