/**
 * What a copy of all rows needs to know about the tables, read from the schema of an SQLite database of this version.
 */
import { sql } from 'kysely';
import type { Db } from './database.ts';

export type ColumnKind = 'text' | 'whole' | 'bytes';

export interface TableShape {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[];
  /** The columns of the primary key. */
  readonly key: readonly string[];
}

/**
 * The migrator's own tables, the named facts (transfer-marks.ts), and counts of rate limits, which a restart may
 * forget.
 */
const LEFT_OUT = new Set([
  'kysely_migration',
  'kysely_migration_lock',
  'deployment',
  'throttle_counters',
  'sliding_windows',
]);

const kinds: Readonly<Record<string, ColumnKind>> = {
  text: 'text',
  integer: 'whole',
  bigint: 'whole',
  int4: 'whole',
  int8: 'whole',
  blob: 'bytes',
  bytea: 'bytes',
};

/** Each table comes after those that it refers to. */
export async function readTableShapes(sqlite: Db): Promise<TableShape[]> {
  const db = sqlite.withoutPlugins();
  const named = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`.execute(
    db,
  );
  const found = new Map<string, { shape: TableShape; refersTo: string[] }>();
  for (const { name } of named.rows.filter((table) => !LEFT_OUT.has(table.name))) {
    const columns = await sql<{ name: string; type: string; pk: number }>`
      select name, type, pk from pragma_table_info(${name})`.execute(db);
    const references = await sql<{ table: string }>`
      select "table" from pragma_foreign_key_list(${name})`.execute(db);
    const key = columns.rows.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
    if (key.length === 0) throw new Error(`the table ${name} has no primary key`);
    found.set(name, {
      shape: {
        name,
        columns: columns.rows.map((column) => ({ name: column.name, kind: kindOf(name, column) })),
        key: key.map((column) => column.name),
      },
      refersTo: references.rows.map(({ table }) => table).filter((table) => table !== name),
    });
  }
  return inOrder(found);
}

function kindOf(table: string, { name, type }: { readonly name: string; readonly type: string }): ColumnKind {
  const kind = kinds[type.toLowerCase()];
  if (kind === undefined) throw new Error(`the column ${table}.${name} has the unknown type ${type}`);
  return kind;
}

function inOrder(found: Map<string, { shape: TableShape; refersTo: string[] }>): TableShape[] {
  const ordered: TableShape[] = [];
  while (found.size > 0) {
    const ready = [...found].filter(([, { refersTo }]) => !refersTo.some((table) => found.has(table)));
    if (ready.length === 0) throw new Error('the tables refer to each other in a circle');
    for (const [name, { shape }] of ready) {
      ordered.push(shape);
      found.delete(name);
    }
  }
  return ordered;
}

/**
 * @throws Error when the other database lacks one of the columns, or has an additional column or one of another kind.
 */
export async function requireSameShapes(shapes: readonly TableShape[], other: Db): Promise<void> {
  const tables = await other.withoutPlugins().introspection.getTables();
  const inWords = (columns: readonly { readonly name: string; readonly kind: ColumnKind }[]) =>
    columns
      .map(({ name, kind }) => `${name} ${kind}`)
      .toSorted()
      .join(', ');
  for (const { name, columns } of shapes) {
    const table = tables.find((each) => each.name === name);
    const theirs = (table?.columns ?? []).map((column) => ({
      name: column.name,
      kind: kindOf(name, { name: column.name, type: column.dataType }),
    }));
    if (inWords(theirs) !== inWords(columns))
      throw new Error(`the table ${name} is different in the two databases`);
  }
}
