// docs/SECURITY.md names the tests that prove each defence. These tests fail when one was renamed or removed.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const document = readFileSync(path.join(root, 'docs/SECURITY.md'), 'utf8');
const testFiles = globSync(['packages/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: root });
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Replaces each placeholder with `…`, however the source writes it. */
const withoutPlaces = (text: string) =>
  text.replaceAll(/\$\{[^}]*\}|%[dijs]|\$[a-z]\w*/g, '…').replaceAll(String.raw`\'`, "'");

interface Proof {
  readonly file: string;
  readonly title: string;
}

/** In an item of a list, the inline code after a link to a test file names tests in that file. */
function proofsIn(text: string): Proof[] {
  return text.split(/\n(?=- |\n)/).flatMap((item) => {
    const [, ...parts] = item.split(/\]\(\.\.\/([^)]+\.test\.ts)\)/);
    return parts.flatMap((file, at) =>
      at % 2 === 1
        ? []
        : [...(parts[at + 1] ?? '').matchAll(/`([^`]+)`/g)].map(([, title = '']) => ({ file, title })),
    );
  });
}

const sections = new Map(
  document.split(/^(?=##)/m).flatMap((section) => {
    const id = /^### (T\d+) /.exec(section)?.[1];
    return id === undefined ? [] : [[id, section] as const];
  }),
);

const isNamed = ({ file, title }: Proof) => {
  const source = withoutPlaces(textOf(file));
  return ["'", '"', '`'].some((sign) => source.includes(sign + title + sign));
};

test('every file that the document links to exists', () => {
  const linked = [...document.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  expect(linked.length).toBeGreaterThan(80);
  expect(linked.filter((target) => !existsSync(path.join(root, 'docs', target)))).toEqual([]);
});

test('every test that the document names is in its file', () => {
  const proofs = proofsIn(document).filter(({ file }) => existsSync(path.join(root, file)));
  expect(proofs.length).toBeGreaterThan(120);
  expect(proofs.filter((proof) => !isNamed(proof))).toEqual([]);
});

test('every threat that a test names is in the document, with a test that names it', () => {
  const named = new Set(testFiles.flatMap((file) => textOf(file).match(/(?<=\[)T\d+(?=\])/g) ?? []));
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((id) => !sections.has(id))).toEqual([]);
  const unproven = [...sections].filter(
    ([id, section]) => !proofsIn(section).some(({ title }) => title.includes(`[${id}]`)),
  );
  expect(unproven.map(([id]) => id)).toEqual([]);
});

test('a renamed test, and a test named under another file, are reported', () => {
  const file = 'scripts/security-document.test.ts';
  const item =
    '- [x.test.ts](../scripts/security-document.test.ts): `one`, `two`; [y](../docs/CI.md) `three`';
  expect(proofsIn(item)).toEqual(['one', 'two', 'three'].map((title) => ({ file, title })));
  const title = 'every file that the document links to exists';
  expect(isNamed({ file, title })).toBe(true);
  expect(isNamed({ file, title: title.slice(0, -6) })).toBe(false);
  expect(isNamed({ file: 'scripts/database-tests.thorough.test.ts', title })).toBe(false);
});
