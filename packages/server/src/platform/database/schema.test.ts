/** The types of the tables against the tables that the migrations create. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseName } from './naming.ts';
import { openSqlite } from './sqlite.ts';

const text = readFileSync(join(import.meta.dirname, 'schema.ts'), 'utf8');

interface Column {
  readonly name: string;
  readonly isNumber: boolean;
  readonly isNullable: boolean;
}

/** The members of an interface with those that it inherits at the end, as columns. */
function columnsOf(type: string): Column[] {
  const [, base, body = ''] =
    new RegExp(`interface ${type}(?: extends (\\w+))? \\{\\n(.*?)\\n\\}\\n`, 's').exec(text) ?? [];
  const own = [...body.matchAll(/^ {2}(\w+): (.+);$/gm)].map(([, name = '', of = '']) => ({
    name: databaseName(name),
    isNumber: /^(?:number|0 \| 1)\b/.test(of),
    isNullable: of.endsWith(' | null'),
  }));
  return base === undefined ? own : [...own, ...columnsOf(base)];
}

function typedTables(): Record<string, Column[]> {
  const [, tables = ''] = /interface Tables \{\n(.*?)\n\}\n/s.exec(text) ?? [];
  return Object.fromEntries(
    [...tables.matchAll(/^ {2}(\w+): (\w+);$/gm)].map(([, name = '', type = '']) => [
      databaseName(name),
      columnsOf(type),
    ]),
  );
}

async function createdTables(): Promise<Record<string, Column[]>> {
  const database = await openSqlite(':memory:');
  const { rows } = await sql<{ table: string; column: string; type: string; isRequired: 0 | 1; key: number }>`
    select tables.name as "table", columns.name as "column", columns.type, columns."notnull" as "isRequired",
      columns.pk as "key"
    from sqlite_schema as tables, pragma_table_info(tables.name) as columns
    where tables.type = 'table' and tables.name not like 'kysely_%'
    order by tables.rowid, columns.cid`.execute(database.read);
  await database.close();
  const tables: Record<string, Column[]> = {};
  for (const { table, column, type, isRequired, key } of rows)
    (tables[table] ??= []).push({
      name: column,
      isNumber: /int/i.test(type),
      isNullable: isRequired === 0 && key === 0,
    });
  return tables;
}

test('each table has the columns of its type: the same names in the same order, numbers, and nulls', async () => {
  const created = await createdTables();
  expect(Object.keys(created).length).toBeGreaterThan(30);
  expect(typedTables()).toEqual(created);
});
