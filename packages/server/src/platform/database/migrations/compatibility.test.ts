/** Expand, then contract: a migration keeps what the previous version uses, unless it is marked as a contraction. */
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommitGroups } from '../commit-groups.ts';
import { findFact } from '../deployment.ts';
import { migrate, schemaStateOf } from '../migrate.ts';
import { namingPlugin } from '../naming.ts';
import type { Tables } from '../schema.ts';
import { NodeSqliteDialect } from '../sqlite-dialect.ts';
import { COMPATIBLE_FROM, runnable } from './compatibility.ts';
import { migrations } from './index.ts';
import { nameOf, type SchemaMigration } from './migration.ts';

/** The parts of a schema whose changes can break a program that knows only the previous schema. */
interface Shape {
  /** `table.column` of everything that exists. */
  readonly columns: ReadonlySet<string>;
  /** Columns that an insert has to name. */
  readonly required: ReadonlySet<string>;
  /** Unique indexes, triggers and foreign keys, which can reject what was accepted. */
  readonly rules: ReadonlySet<string>;
}

function openEmpty() {
  const connection = new DatabaseSync(':memory:');
  connection.exec('PRAGMA foreign_keys = ON');
  const dialect = new NodeSqliteDialect(connection, new CommitGroups(connection));
  const db = new Kysely<Tables>({ dialect, plugins: [namingPlugin] });
  return { connection, db };
}

function shapeOf(connection: DatabaseSync): Shape {
  const tables = connection
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'kysely_%'`)
    .all()
    .map(({ name }) => String(name));
  const columns = new Set<string>();
  const required = new Set<string>();
  const rules = new Set<string>();
  for (const table of tables) {
    for (const { name, notnull, dflt_value: preset } of connection
      .prepare(`pragma table_info(${table})`)
      .all()) {
      columns.add(`${table}.${String(name)}`);
      if (notnull === 1 && preset === null) required.add(`${table}.${String(name)}`);
    }
    for (const index of connection.prepare(`pragma index_list(${table})`).all())
      if (index['unique'] === 1) {
        const parts = connection.prepare(`pragma index_info('${String(index['name'])}')`).all();
        rules.add(`${table} unique ${parts.map(({ name }) => String(name)).join()}`);
      }
    for (const key of connection.prepare(`pragma foreign_key_list(${table})`).all())
      rules.add(`${table} ${String(key['from'])} refers to ${String(key['table'])}`);
  }
  for (const { name, tbl_name: table } of connection
    .prepare(`select name, tbl_name from sqlite_schema where type = 'trigger'`)
    .all())
    rules.add(`${String(table)} trigger ${String(name)}`);
  return { columns, required, rules };
}

/** What the second schema lacks of the first, or demands of a program that knows only the first. */
function losses(before: Shape, after: Shape): string[] {
  const known = new Set([...before.columns].map((column) => column.split('.')[0] ?? ''));
  const isOfKnownTable = (rule: string) => known.has(rule.split(/[. ]/)[0] ?? '');
  return [
    ...[...before.columns]
      .filter((column) => !after.columns.has(column))
      .map((column) => `${column} is gone`),
    ...[...after.required]
      .filter((column) => isOfKnownTable(column) && !before.required.has(column))
      .map((column) => `${column} is required`),
    ...[...after.rules]
      .filter((rule) => isOfKnownTable(rule) && !before.rules.has(rule))
      .map((rule) => `new rule: ${rule}`),
  ];
}

/** Invented, to come after the real ones. */
const invented = (name: string, ...statements: string[]): SchemaMigration => ({
  name,
  statements: () => statements,
});
const expansion = invented(
  '9001-device-colours',
  'alter table devices add column colour text',
  `create table colours (name text primary key, shown_as text not null)`,
);
const contraction: SchemaMigration = {
  ...invented('9002-one-colour', 'alter table devices drop column colour'),
  isContraction: true,
};

let connection: DatabaseSync;
let db: Kysely<Tables>;
beforeEach(() => {
  ({ connection, db } = openEmpty());
});
afterEach(() => db.destroy());

const run = (list: readonly SchemaMigration[]) =>
  migrate(db, 'sqlite', 'The database', runnable(list, 'sqlite'));

/** Runs the migrations one by one, and returns what expansions take from the previous version or demand of it. */
async function forbiddenIn(list: readonly SchemaMigration[]): Promise<string[]> {
  let before: Shape | undefined;
  const found: string[] = [];
  for (const [at, { name, isContraction = false }] of list.entries()) {
    await run(list.slice(0, at + 1));
    const after = shapeOf(connection);
    if (before !== undefined && !isContraction)
      found.push(...losses(before, after).map((each) => `${name}: ${each}`));
    before = after;
  }
  return found;
}

test('no expansion takes anything from the previous version, and a contraction may', async () => {
  expect(await forbiddenIn([...migrations, expansion, contraction])).toEqual([]);
  expect(shapeOf(connection).columns.size).toBeGreaterThan(150);
});

describe('an expansion', () => {
  test.each([
    ['drops a table', ['drop table billing_events'], 'billing_events.id is gone'],
    ['drops a column', ['alter table sessions drop column network'], 'sessions.network is gone'],
    ['renames a column', ['alter table sessions rename column network to place'], 'sessions.network is gone'],
    [
      'requires a value',
      [
        'drop table billing_events',
        'create table billing_events (id text, received_at bigint, kind text not null)',
      ],
      'billing_events.kind is required',
    ],
    [
      'adds a unique index',
      ['create unique index one_name on workspaces (name)'],
      'new rule: workspaces unique name',
    ],
    [
      'adds a trigger',
      [`create trigger frozen before update on users begin select raise(abort, 'no'); end`],
      'new rule: users trigger frozen',
    ],
  ])('that %s is found', async (_, statements, found) => {
    const list = [...migrations, expansion, invented('9002-forbidden', ...statements)];
    expect(await forbiddenIn(list)).toContain(`9002-forbidden: ${found}`);
  });

  test('that adds a table, and a column with a default, is allowed', async () => {
    const added = invented(
      '9001-added',
      'create table notes (id text not null primary key)',
      'alter table users add column tries integer not null default 0',
    );
    expect(await forbiddenIn([...migrations, added])).toEqual([]);
  });
});

describe('a version that knows some of the migrations', () => {
  const future = [
    ...migrations,
    expansion,
    contraction,
    invented('9003-more', 'create table more (id text)'),
  ];
  const newest = migrations.at(-1)?.name ?? '';
  const upTo = (last: string) => future.slice(0, future.findIndex(({ name }) => name === last) + 1);

  test.each([
    [expansion.name, newest, null],
    [contraction.name, newest, 'newer version'],
    [contraction.name, expansion.name, 'newer version'],
    ['9003-more', expansion.name, 'newer version'],
    ['9003-more', contraction.name, null],
  ])(
    'on a schema up to %s, when it knows those up to %s, has the obstacle: %s',
    async (ran, known, obstacle) => {
      await run(upTo(ran));
      const state = await schemaStateOf(db, 'sqlite', runnable(upTo(known), 'sqlite'));
      expect(state).toMatchObject({ pending: [], newest: ran, obstacle });
      const outcome = await run(upTo(known)).then(
        () => 'accepted',
        (error: unknown) => (error as Error).message,
      );
      expect(outcome).toMatch(obstacle === null ? /^accepted$/ : /newer version/);
    },
  );

  test('works from the first migration on', async () => {
    await run(migrations.slice(0, 1));
    expect(nameOf((await findFact(db, COMPATIBLE_FROM)) ?? '')).toBe(migrations[0]?.name);
  });

  test('finds the newest contraction, which is stored in the transaction of its migration', async () => {
    await run(migrations);
    const before = await findFact(db, COMPATIBLE_FROM);
    const failing = [...upTo(contraction.name), invented('9003-fails', 'create table users (id text)')];
    await expect(run(failing)).rejects.toThrow('already exists');
    expect(await findFact(db, COMPATIBLE_FROM)).toBe(before);
    await run(future);
    expect(nameOf((await findFact(db, COMPATIBLE_FROM)) ?? '')).toBe(contraction.name);
  });
});
