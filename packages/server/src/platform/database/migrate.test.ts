/** What a build does about a schema that it did not create: one of another build, of a newer or of an older version. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestPostgres, postgresUrl } from '@svc/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StartError } from '#start-error';
import type { Database } from './database.ts';
import { migrate, migrateSchema, requireSchema, type PrepareSchema } from './migrate.ts';
import { runnable } from './migrations/compatibility.ts';
import { migrations } from './migrations/index.ts';
import type { SchemaMigration } from './migrations/migration.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

interface Place {
  readonly described: RegExp;
  /** What the message about another build offers instead of that build. */
  readonly instead: string;
  open(prepareSchema: PrepareSchema): Promise<Database>;
  remove(): Promise<void>;
}

async function makeSqlite(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-migrate-'));
  return {
    described: /^The database \/\S+svc\.db was /,
    instead: 'or move the data folder away to begin with an empty one.',
    open: (prepareSchema) => openSqlite(join(folder, 'svc.db'), { prepareSchema }),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function makePostgres(): Promise<Place> {
  const { url, drop } = await createTestPostgres();
  return {
    described: /^The database postgres:\S+ was /,
    instead: 'or set DATABASE_URL to an empty database.',
    open: (prepareSchema) => openPostgres(url, () => undefined, { prepareSchema }),
    remove: drop,
  };
}

describe('on SQLite, a schema', () => {
  suite(makeSqlite);
});
describe.skipIf(postgresUrl === undefined)('on PostgreSQL, a schema', () => {
  suite(makePostgres);
});

const invented = (name: string, ...statements: string[]): SchemaMigration => ({
  name,
  statements: () => statements,
});
const expansion = invented('9001-colours', 'alter table devices add column colour text');
const contraction: SchemaMigration = {
  ...invented('9002-no-colours', 'alter table devices drop column colour'),
  isContraction: true,
};

/** What a build with these migrations does at its start. */
const build =
  (...list: SchemaMigration[]): PrepareSchema =>
  async (db, dialect, described) =>
    void (await migrate(db, dialect, described, runnable(list, dialect)));

/** A first migration that is not the one of this build. */
const otherFirst = (name: string) =>
  invented(name, 'create table deployment (name text primary key, value text not null)');

function suite(makePlace: () => Promise<Place>): void {
  let place: Place;
  beforeEach(async () => {
    place = await makePlace();
  });
  afterEach(() => place.remove());

  /** Opens the database, and returns what it then contains. */
  async function contentAfter(prepareSchema: PrepareSchema): Promise<unknown> {
    const database = await place.open(prepareSchema);
    const ran = await sql`select name, timestamp from kysely_migration order by name`.execute(database.read);
    const tables = await database.read.introspection.getTables();
    await database.close();
    return [ran.rows, tables];
  }
  const contentNow = () => contentAfter(() => Promise.resolve());

  async function rejectionOf(prepareSchema: PrepareSchema): Promise<readonly string[]> {
    const rejected = await place.open(prepareSchema).then(
      () => null,
      (error: unknown) => error,
    );
    expect(rejected).toBeInstanceOf(StartError);
    return (rejected as StartError).lines;
  }

  const name = migrations[0]?.name ?? '';
  test.each([
    ['other statements under the same name', [otherFirst(name)], build(...migrations)],
    ['another first migration', [otherFirst('0001-others')], build(...migrations)],
    [
      'more and other migrations',
      [otherFirst('0001-others'), invented('0002-others', 'create table others (id text)')],
      build(...migrations),
    ],
    [
      'another migration after the same first one',
      [...migrations, invented('9001-others', 'create table others (id text)')],
      build(...migrations, expansion),
    ],
    ['other statements, opened by a command', [otherFirst(name)], requireSchema],
    ['other statements, opened by the service', [otherFirst(name)], migrateSchema],
  ])('[D15] of a build that ran %s is rejected with one line and stays', async (_, theirs, open) => {
    const before = await contentAfter(build(...theirs));
    const lines = await rejectionOf(open);
    expect(lines).toEqual([
      expect.stringMatching(/was created by another build of svc\. Start that build, or [^\n]+$/),
    ]);
    expect(lines[0]).toMatch(place.described);
    expect(lines[0]).toContain(place.instead);
    expect(await contentNow()).toEqual(before);
  });

  test('[D15] that a newer version only added to is used, and stays', async () => {
    const before = await contentAfter(build(...migrations, expansion));
    for (const prepareSchema of [migrateSchema, requireSchema]) {
      const database = await place.open(prepareSchema);
      await expect(database.check()).resolves.toBeUndefined();
      await database.close();
    }
    expect(await contentNow()).toEqual(before);
  });

  test('[D15] that a newer version removed something from is rejected with one line and stays', async () => {
    const before = await contentAfter(build(...migrations, expansion, contraction));
    for (const prepareSchema of [migrateSchema, requireSchema, build(...migrations, expansion)]) {
      const lines = await rejectionOf(prepareSchema);
      expect(lines).toEqual([
        expect.stringMatching(
          /was written by a newer version of svc \(900\d-[a-z-]+\)\. Start that version, or restore a backup made with this one\.$/,
        ),
      ]);
      expect(lines[0]).toMatch(place.described);
    }
    expect(await contentNow()).toEqual(before);
  });

  test('[D15] of an older version is migrated at the start, and rejected by commands', async () => {
    await (await place.open(() => Promise.resolve())).close();
    const lines = await rejectionOf(requireSchema);
    expect(lines).toEqual([
      expect.stringContaining(`has the schema of an older version (${name} is pending)`),
    ]);
    await contentAfter(build(...migrations));
    await contentAfter(build(...migrations, expansion, contraction));
    const [ran] = (await contentNow()) as [{ name: string }[]];
    expect(ran.map((row) => row.name.split('@')[0])).toEqual([
      ...migrations.map((each) => each.name),
      expansion.name,
      contraction.name,
    ]);
  });
}
