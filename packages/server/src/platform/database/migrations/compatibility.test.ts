/** Expand, then contract: a migration keeps what the previous version uses, unless it is listed as a contraction. */
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import { CommitGroups } from '../commit-groups.ts';
import { findFact } from '../deployment.ts';
import { migrate, schemaStateOf } from '../migrate.ts';
import { namingPlugin } from '../naming.ts';
import type { Tables } from '../schema.ts';
import { NodeSqliteDialect } from '../sqlite-dialect.ts';
import { COMPATIBLE_FROM, withCompatibility } from './compatibility.ts';
import { contractions, migrationsFor } from './index.ts';

/** The parts of a schema that can break a program that knows only the previous schema. */
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

const all = migrationsFor('sqlite');
const names = Object.keys(all);

async function shapesOf(upTo: string, db: Kysely<Tables>, connection: DatabaseSync): Promise<Shape> {
  const some = Object.fromEntries(Object.entries(all).filter(([name]) => name <= upTo));
  await migrate(db, 'sqlite', 'the database', some);
  return shapeOf(connection);
}

test('each migration keeps the tables and columns of the version before, unless it is a contraction', async () => {
  const { connection, db } = openEmpty();
  let before: Shape | undefined;
  const lost: string[] = [];
  for (const name of names) {
    const after = await shapesOf(name, db, connection);
    if (before !== undefined && !contractions.has(name))
      lost.push(...losses(before, after).map((each) => `${name}: ${each}`));
    before = after;
  }
  expect(lost).toEqual([]);
  expect(before?.columns.size).toBeGreaterThan(150);
  await db.destroy();
});

test('each contraction is the name of a migration', () => {
  expect(names).toEqual(expect.arrayContaining([...contractions]));
});

describe('what a migration must not do unlisted', () => {
  test.each([
    ['drops a table', 'DROP TABLE billing_events', 'billing_events.id is gone'],
    ['drops a column', 'ALTER TABLE sessions DROP COLUMN network', 'sessions.network is gone'],
    ['renames a column', 'ALTER TABLE sessions RENAME COLUMN network TO place', 'sessions.network is gone'],
    ['adds a rule', 'CREATE UNIQUE INDEX one_name ON workspaces (name)', 'new rule: workspaces unique name'],
    [
      'adds a trigger',
      `CREATE TRIGGER frozen BEFORE UPDATE ON users BEGIN SELECT raise(ABORT, 'no'); END`,
      'new rule: users trigger frozen',
    ],
  ])('is found when it %s', async (_, statement, found) => {
    const { connection, db } = openEmpty();
    const before = await shapesOf(names.at(-1) ?? '', db, connection);
    connection.exec(statement);
    expect(losses(before, shapeOf(connection))).toContain(found);
    await db.destroy();
  });

  test('is found when it adds a column that every insert must name', () => {
    const connection = new DatabaseSync(':memory:');
    connection.exec('CREATE TABLE things (id text)');
    const before = shapeOf(connection);
    connection.exec(`DROP TABLE things; CREATE TABLE things (id text, kind text NOT NULL)`);
    expect(losses(before, shapeOf(connection))).toEqual(['things.kind is required']);
  });

  test('a new table and a column with a default are no loss', async () => {
    const { connection, db } = openEmpty();
    const before = await shapesOf(names.at(-1) ?? '', db, connection);
    connection.exec(`CREATE TABLE notes (id text NOT NULL PRIMARY KEY);
      ALTER TABLE users ADD COLUMN tries integer NOT NULL DEFAULT 0`);
    expect(losses(before, shapeOf(connection))).toEqual([]);
    await db.destroy();
  });
});

describe('a version that knows some of the migrations', () => {
  const nothing = { up: () => Promise.resolve() };
  const newer = ['9001-expand', '9002-contract', '9003-expand'];
  const future = {
    ...all,
    ...withCompatibility(
      Object.fromEntries(newer.map((name) => [name, nothing])),
      new Set(['9002-contract']),
    ),
  };
  const knowing = (last: string) =>
    Object.fromEntries(Object.entries(future).filter(([name]) => name <= last));

  test.each([
    ['9001-expand', names.at(-1) ?? '', true],
    ['9002-contract', names.at(-1) ?? '', false],
    ['9002-contract', '9001-expand', false],
    ['9003-expand', '9001-expand', false],
    ['9003-expand', '9002-contract', true],
  ])(
    'on a schema up to %s, when it knows those up to %s, is compatible: %s',
    async (migrated, known, isCompatible) => {
      const { db } = openEmpty();
      await migrate(db, 'sqlite', 'the database', knowing(migrated));
      const state = await schemaStateOf(db, 'sqlite', knowing(known));
      expect(state).toMatchObject({ pending: [], newest: migrated, isCompatible });
      const outcome = await migrate(db, 'sqlite', 'the database', knowing(known)).then(
        () => 'accepted',
        (error: unknown) => (error as Error).message,
      );
      expect(outcome).toMatch(isCompatible ? /^accepted$/ : /newer version/);
      await db.destroy();
    },
  );

  test('stores the newest contraction in the transaction of the migration', async () => {
    const { db } = openEmpty();
    await migrate(db, 'sqlite', 'the database', all);
    const before = await findFact(db, COMPATIBLE_FROM);
    const failing = {
      ...all,
      ...withCompatibility(
        { '9001-fails': nothing, '9002-fails': { up: () => Promise.reject(new Error('no')) } },
        new Set(['9001-fails']),
      ),
    };
    await expect(migrate(db, 'sqlite', 'the database', failing)).rejects.toThrow('no');
    expect(await findFact(db, COMPATIBLE_FROM)).toBe(before);
    await migrate(db, 'sqlite', 'the database', future);
    expect(await findFact(db, COMPATIBLE_FROM)).toBe('9002-contract');
    await db.destroy();
  });
});
