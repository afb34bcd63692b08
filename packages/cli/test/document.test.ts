/**
 * docs/CLI.md and RELEASING.md are written by hand, so their lists are checked against the code. The list of commands is
 * generated.
 */
import { readFileSync, globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { rejectionCodes } from '../src/manifest/rejections.ts';

const root = path.join(import.meta.dirname, '../../..');
const document = readFileSync(path.join(root, 'docs/CLI.md'), 'utf8');

test('the document lists each exit code with its reason', () => {
  const rows = [...document.matchAll(/^\| (\d+) +\| (?:`(\w+)`)?/gm)].map(([, code, reason]) => [
    reason ?? 'done',
    Number(code),
  ]);
  expect(Object.fromEntries(rows)).toEqual(exitCodes);
});

test('the document lists each SVC_ variable that the program reads, and no other', () => {
  const sources = globSync('packages/cli/src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(root, file), 'utf8'));
  const named = (text: string) => new Set(text.match(/\bSVC_[A-Z_]+\b/g));
  expect([...named(document)].toSorted()).toEqual([...named(sources.join('\n'))].toSorted());
});

test('the document on releases lists each code of a rejection, and no other', () => {
  const releasing = readFileSync(path.join(root, 'docs/RELEASING.md'), 'utf8');
  const codes = new Set(releasing.match(/\b(?:MANIFEST|ARTIFACT|UPDATE)_[A-Z_]+\b/g));
  codes.delete('UPDATE_MANIFEST_PATH');
  expect([...codes].toSorted()).toEqual(rejectionCodes.toSorted());
});
