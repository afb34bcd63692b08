// docs/security/DATA.md says what each table contains and for how long. The schemas define which tables exist.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { localStoreSchema } from '../packages/cli/src/store/schema.ts';
import { databaseName } from '../packages/server/src/platform/database/naming.ts';

const root = path.join(import.meta.dirname, '..');
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const document = textOf('docs/security/DATA.md');

/** The inline code in the first column of a section's tables. */
function namedIn(heading: string): string[] {
  const [, rest = ''] = document.split(`\n## ${heading}\n`);
  const [section = ''] = rest.split('\n## ');
  const columns = section.match(/^\| (?:[^|]*) \|/gm) ?? [];
  return columns.flatMap((column) => [...column.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

test('each table of the server’s database is classified, and no other', () => {
  const [, tables = ''] =
    /export interface Tables \{\n([^}]*)\}/.exec(textOf('packages/server/src/platform/database/schema.ts')) ??
    [];
  const names = [...tables.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => databaseName(name));
  expect(names.length).toBeGreaterThan(25);
  expect([...new Set(namedIn('In the database'))].toSorted()).toEqual(names.toSorted());
});

test('each table of the CLI’s store is classified', () => {
  const made = localStoreSchema.statements.matchAll(/CREATE TABLE (\w+)/g);
  const names = [...made].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(4);
  expect(namedIn('On the machine of the CLI')).toEqual(expect.arrayContaining(names));
});
