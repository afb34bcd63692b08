/**
 * Multiplies the rows of a PostgreSQL database. Copy n changes the ids of all rows in the same way, so its rows refer
 * only to each other. Reports keep their proportions; other tables are capped at `rowsMax`, and small ones stay as they
 * are. Tables that a migration adds are filled too.
 */
import { withManyRows } from '@svc/testkit/many-rows';
import type pg from 'pg';

/** Text and bytes that differ from copy to copy: ids, and values that are looked up. */
const VARIED =
  /^(?:id|email|key|value|identity|digest|created_by|approved_by|invited_by|accepted_by|blob_name|repeat_key|\w+_id|\w+_hash|\w+_digest)$/;
/** Copies are spread over the time that a report is kept. */
const SPREAD_MS = 21 * 86_400_000;
/** Larger than any number of the audit log's original entries. */
const SEQUENCE_STEP = 100_000;

interface Column {
  readonly name: string;
  readonly type: string;
}

export interface Multiplication {
  /** The number of reports. */
  readonly reports: number;
  /** The maximum number of rows of each other table. */
  readonly rowsMax: number;
  /** Whether a table stays as it is. */
  readonly isSmall: (table: string) => boolean;
}

export async function multiplyRows(client: pg.Client, { reports, rowsMax, isSmall }: Multiplication) {
  await withManyRows(client, async () => {
    const copies = Math.ceil(reports / (await countOf(client, 'reports')));
    for (const [table, columns] of await tablesOf(client)) {
      const present = await countOf(client, table);
      if (isSmall(table) || present === 0) continue;
      const ofTable = table === 'reports' ? copies : Math.min(copies, Math.ceil(rowsMax / present));
      const names = columns.map(({ name }) => `"${name}"`);
      const values = columns.map((column) => copied(column, Math.ceil(SPREAD_MS / copies)));
      await client.query(
        `INSERT INTO "${table}" (${names.join(', ')})
         SELECT ${values.join(', ')} FROM (SELECT * FROM "${table}") AS r, generate_series(1, ${ofTable - 1}) AS n`,
      );
    }
  });
}

function copied({ name, type }: Column, stepMs: number): string {
  const value = `r."${name}"`;
  if (type === 'text' && VARIED.test(name)) return `${value} || n`;
  if (type === 'bytea' && VARIED.test(name)) return `${value} || int4send(n)`;
  if (name === 'sequence') return `${value} + n::bigint * ${SEQUENCE_STEP}`;
  if (type === 'bigint' && name.endsWith('_at')) return `${value} + n::bigint * ${stepMs}`;
  return value;
}

async function tablesOf(client: pg.Client): Promise<Map<string, Column[]>> {
  const { rows } = await client.query<{ table: string } & Column>(
    `SELECT table_name AS "table", column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
  );
  const tables = new Map<string, Column[]>();
  for (const { table, ...column } of rows) tables.set(table, [...(tables.get(table) ?? []), column]);
  return tables;
}

async function countOf(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM "${table}"`);
  return Number(rows[0]?.count);
}
