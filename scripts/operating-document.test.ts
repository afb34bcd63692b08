// docs/OPERATING.md lists every variable with its default and what it must be. The program is asked whether that is so.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../packages/server/src/config.ts';
import type { StartError } from '../packages/server/src/start-error.ts';

const folder = path.join(import.meta.dirname, '../docs');
const document = readFileSync(path.join(folder, 'OPERATING.md'), 'utf8');
const table = /^\| variable +\|[^]*?\n\n/m.exec(document)?.[0] ?? '';
const rows = [...table.matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\| (.*?) +\| /gm)].map(
  ([, name = '', preset = '', wanted = '']) => ({ name, preset, wanted }),
);

/** What a variable that can be nothing is refused with; '' when it is taken. */
function refusalOf(name: string): string {
  try {
    readConfig({ [name]: '? ?' });
    return '';
  } catch (error) {
    return (error as StartError).lines.join('\n');
  }
}

test('each variable that is read is in the table, and no other', () => {
  const read = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...read].toSorted());
});

test('each default is the one that it is said to be', () => {
  const fixed = rows.filter(({ preset }) => /^`[^`{]+`$/.test(preset));
  expect(fixed.length).toBeGreaterThan(8);
  for (const { name, preset } of fixed)
    expect([name, readConfig({ [name]: preset.replaceAll('`', '') })]).toEqual([name, readConfig({})]);
});

test('a value that will not do is told in the words of the table', () => {
  const paths = rows.filter(({ wanted }) => wanted === 'a path').map(({ name }) => name);
  expect(paths.map(refusalOf)).toEqual(paths.map(() => ''));
  for (const { name, wanted } of rows.filter((row) => !paths.includes(row.name))) {
    expect(refusalOf(name)).toMatch(new RegExp(`^${name}: holds `));
    expect(refusalOf(name)).toContain(wanted);
  }
});

test('each link leads to a file, and within the document to a heading', () => {
  const titles = [...document.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title);
  const headings = new Set(titles.map((title) => title.toLowerCase().replaceAll(' ', '-')));
  const links = [...document.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
  const broken = links.filter((target) => {
    const [file = '', part = ''] = target.split('#');
    return file === '' ? !headings.has(part) : !existsSync(path.join(folder, file));
  });
  expect(links.length).toBeGreaterThan(15);
  expect(broken).toEqual([]);
});
