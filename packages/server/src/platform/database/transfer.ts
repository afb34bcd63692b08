/**
 * Copies every row of one database into another, and compares the two. Each may be SQLite or PostgreSQL.
 *
 * The tables and the kinds of their columns come from the schema. Rows are read in the order of the primary key, and
 * written in batches. The transaction of a batch also stores a checkpoint, so that a copy that was killed continues
 * after its last batch.
 */
import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Database, Db, Tx } from './database.ts';
import type { ColumnKind, TableShape } from './table-shapes.ts';

/** Rows of one batch, unless they are large. */
const ROWS_AT_ONCE = 1000;
const BATCH_BYTES = 16 * 1024 * 1024;
/** SQLite allows 32,766 parameters in a statement, PostgreSQL 65,535. */
const PARAMETERS_MAX = 30_000;

type Value = string | number | Uint8Array | null;
type Row = Readonly<Record<string, Value>>;

/** The checkpoint of a copy: the table and the key of the last copied row. */
export interface CopiedTo {
  readonly table: string;
  readonly key: readonly (string | number)[];
}

export interface TransferProgress {
  /** Called after each batch of rows. May throw to stop. */
  onRows(table: string, count: number): void;
}

/** The number of rows of each table. */
export type RowCounts = Readonly<Record<string, number>>;

/**
 * Copies what comes after the checkpoint.
 *
 * @param to has the same schema as `from`; foreign keys are satisfied at every commit.
 * @param from must not change meanwhile: a stopped service's database, or a snapshot.
 * @param saveCheckpoint stores the checkpoint, in the transaction of the rows.
 */
export async function copyRows(
  shapes: readonly TableShape[],
  { from, to }: { readonly from: Db; readonly to: Database },
  copiedTo: CopiedTo | null,
  saveCheckpoint: (tx: Tx, checkpoint: CopiedTo) => Promise<void>,
  { onRows }: TransferProgress,
): Promise<void> {
  const first = copiedTo === null ? 0 : shapes.findIndex(({ name }) => name === copiedTo.table);
  for (const [at, shape] of shapes.entries()) {
    if (at < first) continue;
    const after = at === first && copiedTo !== null ? decodedKey(shape, copiedTo.key) : null;
    for await (const rows of pagesOf(from, shape, after)) {
      const last = rows.at(-1);
      if (last === undefined) continue;
      await to.transaction(async (tx) => {
        await insertRows(tx, shape, rows);
        await saveCheckpoint(tx, { table: shape.name, key: encodedKey(shape, last) });
      });
      onRows(shape.name, rows.length);
    }
  }
}

/** The first table that has a row; null when all are empty. */
export async function tableWithRows(shapes: readonly TableShape[], db: Db): Promise<string | null> {
  for (const { name } of shapes) {
    const found = await sql`select 1 as found from ${sql.table(name)} limit 1`.execute(db.withoutPlugins());
    if (found.rows.length > 0) return name;
  }
  return null;
}

export interface Comparison {
  readonly counts: RowCounts;
  /** One sentence for each table that differs. */
  readonly differences: readonly string[];
}

/** Reads both databases and compares the number and the content of the rows, table by table. */
export async function compareRows(
  shapes: readonly TableShape[],
  { from, to }: { readonly from: Db; readonly to: Db },
  progress: TransferProgress,
): Promise<Comparison> {
  const counts: Record<string, number> = {};
  const differences: string[] = [];
  for (const shape of shapes) {
    const [one, other] = [await contentOf(from, shape, progress), await contentOf(to, shape, progress)];
    counts[shape.name] = one.count;
    if (one.count !== other.count)
      differences.push(`the table ${shape.name} has ${other.count} rows instead of ${one.count}`);
    else if (one.digest !== other.digest) differences.push(`the rows of the table ${shape.name} differ`);
  }
  return { counts, differences };
}

const DIGEST_SPACE = 2n ** 256n;

/**
 * The sum of the digests of all rows: the same in any order, because the two databases do not sort strings the same
 * way. It detects what was lost or changed by accident.
 */
async function contentOf(
  db: Db,
  shape: TableShape,
  { onRows }: TransferProgress,
): Promise<{ readonly count: number; readonly digest: bigint }> {
  let count = 0;
  let digest = 0n;
  for await (const rows of pagesOf(db, shape, null)) {
    for (const row of rows) digest = (digest + digestOf(row, shape)) % DIGEST_SPACE;
    count += rows.length;
    onRows(shape.name, rows.length);
  }
  return { count, digest };
}

function digestOf(row: Row, { columns }: TableShape): bigint {
  const hash = createHash('sha256');
  for (const { name } of columns) {
    const value = row[name] ?? null;
    if (value === null) hash.update('-;');
    else if (typeof value === 'number') hash.update(`n${value};`);
    else {
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      hash.update(`${typeof value === 'string' ? 't' : 'b'}${bytes.length};`).update(bytes);
    }
  }
  return BigInt(`0x${hash.digest('hex')}`);
}

/** The rows in the order of the primary key. */
async function* pagesOf(
  reading: Db,
  shape: TableShape,
  after: readonly Value[] | null,
): AsyncGenerator<readonly Row[]> {
  const db = reading.withoutPlugins();
  const { name, columns, key } = shape;
  const keyRefs = sql.join(key.map((column) => sql.ref(column)));
  const most = await rowsAtOnce(db, shape);
  let last = after;
  for (;;) {
    const beyond = last === null ? sql`` : sql`where (${keyRefs}) > (${sql.join(last)})`;
    const page = await sql<Record<string, unknown>>`
      select ${sql.join(columns.map((column) => sql.ref(column.name)))} from ${sql.table(name)}
      ${beyond} order by ${keyRefs} limit ${sql.lit(most)}`.execute(db);
    const rows = page.rows.map((row) => checked(row, shape));
    yield rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < most) return;
    last = key.map((column) => end[column] ?? null);
  }
}

/** How many rows fit into memory together, however large they are. */
async function rowsAtOnce(db: Db, { name, columns }: TableShape): Promise<number> {
  const sized = columns.filter(({ kind }) => kind !== 'whole');
  const bytesOf = (column: { readonly name: string }): RawBuilder<number> =>
    sql`coalesce(octet_length(${sql.ref(column.name)}), 0)`;
  const { rows } = await sql<{ bytes: number | null }>`
    select max(${sql.join([sql`0`, ...sized.map(bytesOf)], sql` + `)}) as bytes
    from ${sql.table(name)}`.execute(db);
  const bytes = rows[0]?.bytes ?? 0;
  return Math.max(1, Math.min(ROWS_AT_ONCE, Math.floor(BATCH_BYTES / Math.max(bytes, 1))));
}

const types: Readonly<Record<ColumnKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  whole: (value) => Number.isSafeInteger(value),
  bytes: (value) => value instanceof Uint8Array,
};

/** SQLite stores a value of any type in any column. */
function checked(row: Readonly<Record<string, unknown>>, { name, columns }: TableShape): Row {
  for (const column of columns) {
    const value = row[column.name];
    if (value !== null && !types[column.kind](value))
      throw new Error(`the column ${name}.${column.name} has a value of another type`);
  }
  return row as Row;
}

async function insertRows(tx: Tx, { name, columns }: TableShape, rows: readonly Row[]): Promise<void> {
  const atOnce = Math.floor(PARAMETERS_MAX / columns.length);
  const names = sql.join(columns.map((column) => sql.ref(column.name)));
  for (let from = 0; from < rows.length; from += atOnce) {
    const values = rows
      .slice(from, from + atOnce)
      .map((row) => sql`(${sql.join(columns.map((column) => sql.val(row[column.name])))})`);
    await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(tx);
  }
}

function encodedKey({ key, columns }: TableShape, row: Row): (string | number)[] {
  return key.map((column) => {
    const value = row[column];
    const isBytes = columns.some(({ name, kind }) => name === column && kind === 'bytes');
    return isBytes ? Buffer.from(value as Uint8Array).toString('hex') : (value as string | number);
  });
}

function decodedKey({ key, columns }: TableShape, encoded: readonly (string | number)[]): Value[] {
  return key.map((column, at) => {
    const value = encoded[at] ?? null;
    const isBytes = columns.some(({ name, kind }) => name === column && kind === 'bytes');
    return isBytes ? Buffer.from(String(value), 'hex') : value;
  });
}
