/**
 * What SQLite would read for a statement, from `EXPLAIN QUERY PLAN`. The service never collects statistics in SQLite,
 * so the plan is the same for any number of rows.
 */
import type { DatabaseSync } from 'node:sqlite';

/** Returns one sentence for each table or index that the statement would read as a whole. */
export function walksOfSqlite(
  connection: DatabaseSync,
  text: string,
  isSmall: (table: string) => boolean,
): string[] {
  const steps = connection
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all()
    .map(({ detail }) => String(detail));
  const tables = tablesOf(connection);
  const aliases = new Map(
    [...text.matchAll(/"(\w+)" as "(\w+)"/g)].map(([, table, alias]) => [alias, table]),
  );
  const isSorted = steps.some((step) => step.startsWith('USE TEMP B-TREE'));
  // Reading only the first rows of a table or an index is cheap, unless a condition may skip any number of them.
  const isFirst = / limit /.test(text) && !isSorted;
  return steps.flatMap((step) => {
    const [, name = '', index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(step) ?? [];
    const table = aliases.get(name) ?? name;
    if (!tables.has(table) || isSmall(table)) return [];
    if (isFirst && (!/ where /.test(text) || isPartial(connection, index))) return [];
    return [index === undefined ? `reads all rows of ${table}` : `reads the whole index ${index}`];
  });
}

function tablesOf(connection: DatabaseSync): ReadonlySet<string> {
  const rows = connection.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
  return new Set(rows.map(({ name }) => String(name)));
}

function isPartial(connection: DatabaseSync, index: string | undefined): boolean {
  const row = connection.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(index ?? '');
  return / where /i.test(String(row?.['sql']));
}
