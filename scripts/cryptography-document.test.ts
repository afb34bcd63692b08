// docs/security/CRYPTOGRAPHY.md is the inventory of cryptography: it names each source file that uses it.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Matches a source file that uses a library of cryptography, randomness or a checksum. */
const USES =
  /from '(?:node:(?:crypto|tls|https)|@node-rs\/argon2|@napi-rs\/keyring|@noble\/[^']+|stripe)'|import\('(?:node:crypto|@napi-rs\/keyring)'\)|\bcrypto\s*\.\s*(?:subtle|getRandomValues|randomUUID)|\bMath\.random\b|\bcrc32\b/;

const usesCryptography = (source: string) => USES.test(source);

/** The shipped sources. Tests and build scripts do not protect the product. */
const shipped = globSync('packages/{cli,client,contract,report,server,web}/src/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => !file.endsWith('.test.ts'));

test('the inventory names each shipped source file that uses cryptography or randomness, and no other', () => {
  const using = shipped.filter((file) => usesCryptography(textOf(file)));
  const links = [...textOf('docs/security/CRYPTOGRAPHY.md').matchAll(/\]\(\.\.\/\.\.\/(packages\/[^)]+)\)/g)];
  const named = new Set(links.map(([, file = '']) => file));
  expect(using.length).toBeGreaterThan(40);
  expect([...named].toSorted()).toEqual(using.toSorted());
});

test('each algorithm that the source names is approved', () => {
  const call =
    /\b(?:createHash|createHmac|createCipheriv|createDecipheriv|hkdfSync|hash|generateKeyPairSync)\(\s*'([^']+)'/g;
  const constant = /\bALGORITHM = '([^']+)'/g;
  const named = shipped
    .filter((file) => usesCryptography(textOf(file)))
    .flatMap((file) => {
      const text = textOf(file);
      return [...text.matchAll(call), ...text.matchAll(constant)].map(([, name]) => name);
    });
  expect(named.length).toBeGreaterThan(20);
  expect(new Set(named)).toEqual(new Set(['aes-256-gcm', 'ed25519', 'sha256']));
});

test.each([
  ["import { createHash } from 'node:crypto';", true],
  ["import { sha256 } from '@noble/hashes/sha2.js';", true],
  ["const { AsyncEntry } = await import('@napi-rs/keyring');", true],
  ['const id = globalThis.crypto.randomUUID();', true],
  ['const wait = Math.random() * 2;', true],
  ["import { hash } from './tokens.ts';", false],
])('a source file with %j uses cryptography: %s', (source, expected) => {
  expect(usesCryptography(source)).toBe(expected);
});
