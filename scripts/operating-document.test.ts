// docs/OPERATING.md lists every variable with its default and its allowed values. These tests compare it with the
// program.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../packages/server/src/config.ts';
import { completeTracing } from '../packages/server/src/platform/tracing/tracing-settings.ts';
import type { StartError } from '../packages/server/src/start-error.ts';

const folder = path.join(import.meta.dirname, '../docs');
const document = readFileSync(path.join(folder, 'OPERATING.md'), 'utf8');
const table = /^\| variable +\|[^]*?\n\n/m.exec(document)?.[0] ?? '';
const rows = [...table.matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\| (.*?) +\| /gm)].map(
  ([, name = '', preset = '', wanted = '']) => ({ name, preset, wanted }),
);

/** The error for an invalid value of a variable; '' if the value is accepted. */
function rejectionOf(name: string): string {
  try {
    readConfig({ [name]: '? ?' });
    return '';
  } catch (error) {
    return (error as StartError).lines.join('\n');
  }
}

test('the table has each variable that is read, and no other', () => {
  const read = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...read].toSorted());
});

test('the table of traces has each variable that is read if a collector is set, and no other', () => {
  const section = /^### Traces\n[^]*?(?=^### )/m.exec(document)?.[0] ?? '';
  const names = [...section.matchAll(/^\| (`[A-Z_`, ]+`) +\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/[A-Z_]+/g)].map(([name]) => name),
  );
  const read = new Set(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
  const environment = new Proxy({}, { get: (_, name) => void read.add(String(name)) });
  completeTracing({ base: 'http://127.0.0.1:4318', traces: null }, environment);
  expect(names.toSorted()).toEqual([...read].toSorted());
});

test('each default of the table is the default of the program', () => {
  const fixed = rows.filter(({ preset }) => /^`[^`{]+`$/.test(preset));
  expect(fixed.length).toBeGreaterThan(8);
  for (const { name, preset } of fixed)
    expect([name, readConfig({ [name]: preset.replaceAll('`', '') })]).toEqual([name, readConfig({})]);
});

test('an invalid value is rejected with the allowed values of the table', () => {
  const paths = rows.filter(({ wanted }) => wanted === 'a path').map(({ name }) => name);
  expect(paths.map(rejectionOf)).toEqual(paths.map(() => ''));
  for (const { name, wanted } of rows.filter((row) => !paths.includes(row.name))) {
    expect(rejectionOf(name)).toMatch(new RegExp(`^${name}: is `));
    expect(rejectionOf(name)).toContain(wanted);
  }
});

test('each link leads to an existing file or, within the document, to a heading', () => {
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
