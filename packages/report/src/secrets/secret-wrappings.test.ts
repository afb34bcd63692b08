/** Secrets within code, logs, comments and addresses. */
import { describe, expect, test } from 'vitest';
import { characters, privateKey } from '../../test/secret-samples.ts';
import { redactText } from './redact.ts';
import { mayHoldSecret } from './secrets-in-json.ts';
import { findSecrets, hasSecret } from './secrets.ts';

describe('private keys', () => {
  const lines = privateKey('PRIVATE KEY').split('\n');
  const joined = (each: (line: string, index: number) => string) => lines.map(each).join('\n');

  test.each<[string, string]>([
    ['after line numbers', joined((line, index) => `${index + 1}:${line}`)],
    ['after file names', joined((line, index) => `keys/app.pem:${index + 1}:${line}`)],
    ['in comments of TeX', joined((line) => `% ${line}`)],
    ['in comments of Basic', joined((line) => `' ${line}`)],
    ['concatenated in PHP', lines.map((line) => `"${line}"`).join(' . PHP_EOL .\n')],
    ['concatenated in C#', lines.map((line) => `"${line}"`).join(' + Environment.NewLine +\n')],
    ['written line by line', joined((line) => `echo "${line}" >> key.pem`)],
    ['in elements', joined((line) => `<line>${line}</line>`)],
    ['after non-breaking spaces', joined((line) => `\u00a0${line}`)],
    ['in an address', encodeURIComponent(lines.join('\n'))],
    ['in a form', encodeURIComponent(lines.join('\n')).replaceAll('%20', '+')],
  ])('[D24] are redacted %s, to the last line', (_where, text) => {
    const { text: redacted } = redactText(`before\n${text}\nafter`);
    for (const line of lines.slice(1, -1)) expect(redacted).not.toContain(line.slice(0, 16));
    expect(redacted).toMatch(/^before\n[^]{0,20}\[redacted private-key\][^]{0,20}\nafter$/);
  });

  test.each([
    `pem.replace('-----BEGIN PRIVATE KEY-----', '').replace('-----END PRIVATE KEY-----', '')`,
    '`-----BEGIN PRIVATE KEY-----\\n${base64EncodedPrivateKey2}\\n-----END PRIVATE KEY-----`',
    `'-----BEGIN PRIVATE KEY-----': 'pkcs8PrivateKeyHeader', '-----END PRIVATE KEY-----': 'x'`,
    `"-----BEGIN RSA PRIVATE KEY-----": "src/test/resources/Keys/rsa2048.pem"`,
  ])('[D24] are not found in code about them: %s', (text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});

describe('passwords in addresses', () => {
  test.each([
    ['https://ada:Passw@rd!2024@git.corp.test/x', 'https://[redacted basic-auth]@git.corp.test/x'],
    ['postgres://app:p@ss@db:5432/app', 'postgres://[redacted database-credentials]@db:5432/app'],
    ['smb://ada:9@a@b@c7@files/x', 'smb://[redacted url-password]@files/x'],
    ['https://ada:hunter22@a.test,bob@b.test', 'https://[redacted basic-auth]@a.test,bob@b.test'],
    ['https://ada:hunter22@a.test/?to=b@c.test', 'https://[redacted basic-auth]@a.test/?to=b@c.test'],
  ])('[D24] are redacted up to the at sign before the host: %s', (text, expected) => {
    expect(redactText(text).text).toBe(expected);
  });

  test('[D24] are found in the bytes of a document, for characters of any width', () => {
    for (const character of ['界', '\ud83d', 'é']) {
      const text = `https://${character.repeat(250)}:${character.repeat(200)}7a@host.test/`;
      expect(hasSecret(text)).toBe(true);
      expect(mayHoldSecret(new TextEncoder().encode(JSON.stringify({ text })), true)).toBe(true);
    }
  });
});

describe('Azure keys', () => {
  const key = `${characters('aB3/+', 86)}==`;
  const escaped = key.replaceAll('+', String.raw`\u002B`).replaceAll('=', String.raw`\u003D`);

  test.each<[string, string]>([
    [`accountkey=${key};`, 'accountkey=[redacted azure-key];'],
    [`--account-key ${key}`, '--account-key [redacted azure-key]'],
    [`<AccountKey>${key}</AccountKey>`, '<AccountKey>[redacted azure-key]</AccountKey>'],
    [`AccountKey%3D${encodeURIComponent(key)}%3B`, 'AccountKey%3D[redacted azure-key]%3B'],
    [`AccountKey\\u003d${escaped};`, 'AccountKey\\u003d[redacted azure-key];'],
    [`AccountKey=${key.replaceAll('/', String.raw`\/`)};`, 'AccountKey=[redacted azure-key];'],
  ])('[D24] are found in any notation: %s', (text, expected) => {
    expect(redactText(text).text).toBe(expected);
    expect(mayHoldSecret(new TextEncoder().encode(JSON.stringify({ text })), true)).toBe(true);
  });
});

test.each(['令牌', 'キー', '키', 'คีย์', 'a%253D'])('[D24] a token directly after %s is found', (before) => {
  const token = `ghp_${characters('abc123', 36)}`;
  expect(redactText(`${before}${token}`).text).toBe(`${before}[redacted github-token]`);
});
