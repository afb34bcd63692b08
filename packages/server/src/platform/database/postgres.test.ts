/** Behaviour of PostgreSQL only: several connections, deadlocks, replicas that start together. */
import { createTestPostgres, postgresUrl } from '@svc/testkit';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StartError } from '#start-error';
import type { Database, Db, Tx } from './database.ts';
import { migrate, type PrepareSchema } from './migrate.ts';
import { runnable } from './migrations/compatibility.ts';
import { migrations } from './migrations/index.ts';
import { openPostgres } from './postgres.ts';
import { createLog } from '../log.ts';
import { startSweeper } from '../sweeper.ts';
import { isUnavailable } from '../unavailable.ts';

const ignore = () => undefined;

async function rejectionOf(opening: Promise<unknown>): Promise<StartError> {
  const rejected = await opening.then(
    () => null,
    (error: unknown) => error,
  );
  expect(rejected).toBeInstanceOf(StartError);
  return rejected as StartError;
}

describe.skipIf(postgresUrl === undefined)('PostgreSQL (only there)', () => {
  let place: Awaited<ReturnType<typeof createTestPostgres>>;
  let database: Database;
  beforeAll(async () => {
    place = await createTestPostgres();
    database = await openPostgres(place.url, ignore);
  });
  afterAll(async () => {
    await database.close();
    await place.drop();
  });

  const make = (...names: string[]) =>
    database.transaction(async (tx) => {
      for (const name of names) await tx.insertInto('deployment').values({ name, value: '' }).execute();
    });
  const lock = (tx: Tx, name: string) =>
    tx
      .selectFrom('deployment')
      .select('value')
      .where('name', '=', name)
      .forUpdate()
      .executeTakeFirstOrThrow();

  test('a transaction that the database aborted for a deadlock is run again', async () => {
    await make('deadlock-a', 'deadlock-b');
    let runs = 0;
    const bothHoldOne = barrier(2);
    const locking = (first: string, second: string) =>
      database.transaction(async (tx) => {
        runs += 1;
        await lock(tx, first);
        await bothHoldOne();
        await lock(tx, second);
        const value = `${first} then ${second}`;
        await tx.updateTable('deployment').set({ value }).where('name', '=', second).execute();
      });
    await Promise.all([locking('deadlock-a', 'deadlock-b'), locking('deadlock-b', 'deadlock-a')]);
    expect(runs).toBeGreaterThanOrEqual(3);
  });

  test('a connection that breaks between two statements of a transaction fails the next one, and nothing else', async () => {
    const outcome: unknown = await database
      .transaction(async (tx) => {
        await tx.insertInto('deployment').values({ name: 'broken-off', value: '' }).execute();
        const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx);
        const pid = rows[0]?.pid;
        // Waits until the connection has ended.
        await sql`SELECT pg_terminate_backend(${pid}, 10000)`.execute(database.read);
        await new Promise(setImmediate);
        await tx.insertInto('deployment').values({ name: 'broken-off-2', value: '' }).execute();
      })
      .catch((error: unknown) => error);
    expect(isUnavailable(outcome)).toBe(true);
    const left = await database.read
      .selectFrom('deployment')
      .where('name', 'like', 'broken-off%')
      .select('name')
      .execute();
    expect(left).toEqual([]);
    await make('after the break');
  });

  test('work with the same name is run by one replica at a time, and by another one after it has ended or failed', async () => {
    const other = await openPostgres(place.url, ignore);
    const runs: string[] = [];
    const ran = (by: Database, work: () => Promise<void>) => by.runAlone('sweep', work);
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = ran(database, async () => {
      runs.push('first');
      begun.resolve();
      await gate.promise;
    });
    await begun.promise;
    const record = (name: string) => () => {
      runs.push(name);
      return Promise.resolve();
    };
    expect(await ran(other, record('meanwhile'))).toBe(false);
    expect(await other.runAlone('another', record('another name'))).toBe(true);
    gate.resolve();
    expect(await first).toBe(true);
    await expect(ran(other, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await ran(database, record('after that'))).toBe(true);
    expect(runs).toEqual(['first', 'another name', 'after that']);
    await other.close();
  });

  test('a job of the sweeper runs in one of three replicas at a time, and in each of them now and then', async () => {
    const open = () => openPostgres(place.url, ignore);
    const databases = await Promise.all([open(), open(), open()]);
    let underWay = 0;
    let most = 0;
    const runs = [0, 0, 0];
    const log = createLog('error', { write: ignore });
    const sweepers = databases.map((one, index) => {
      async function run(): Promise<void> {
        runs[index] = (runs[index] ?? 0) + 1;
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 10));
        underWay -= 1;
      }
      return startSweeper([{ name: 'a test', everyMs: 3, run }], { log, database: one });
    });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await Promise.all(sweepers.map((sweeper) => sweeper.stop()));
    await Promise.all(databases.map((one) => one.close()));
    expect(most).toBe(1);
    expect(runs.every((count) => count > 0)).toBe(true);
  });

  test('work of a replica that was cut off is run by another one', async () => {
    const other = await openPostgres(place.url, ignore);
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const first = other.runAlone('sweep', () => {
      begun.resolve();
      return gate.promise;
    });
    await begun.promise;
    // Waits until the connection has ended.
    await sql`SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(database.read);
    expect(await database.runAlone('sweep', () => Promise.resolve())).toBe(true);
    gate.resolve();
    expect(isUnavailable(await first.catch((error: unknown) => error))).toBe(true);
    await other.close();
  });

  test('a reference that was removed meanwhile makes the work run again with the current data', async () => {
    const workspace = { id: 'ws-removed', name: 'x', kind: 'team', plan: 'free', createdAt: 0 } as const;
    await database.read.insertInto('workspaces').values(workspace).execute();
    let runs = 0;
    const outcome = await database.transaction(async (tx) => {
      runs += 1;
      const found = await tx
        .selectFrom('workspaces')
        .select('id')
        .where('id', '=', workspace.id)
        .executeTakeFirst();
      if (!found) return 'not found';
      await database.read.deleteFrom('workspaces').where('id', '=', workspace.id).execute();
      const project = { id: 'p', workspaceId: workspace.id, name: 'x', bindingPublicId: 'b', createdAt: 0 };
      await tx
        .insertInto('projects')
        .values({
          ...project,
          findingsVersion: 0,
          reportsCounted: 0,
          decisionsMade: 0,
          notesBytes: 0,
          notesToCheck: 0,
        })
        .execute();
      return 'inserted';
    });
    expect([outcome, runs]).toEqual(['not found', 2]);
  });

  test('a table that a newer replica changes meanwhile can still be read, with and without a transaction', async () => {
    const fresh = await createTestPostgres();
    const older = await openPostgres(fresh.url, ignore);
    const newer = await openPostgres(fresh.url, ignore);
    const look = (db: Db) =>
      db.selectFrom('deployment').selectAll().where('name', '=', 'kept').executeTakeFirst();
    const change = (column: string) =>
      sql`alter table deployment add column ${sql.ref(column)} integer default 5`.execute(newer.read);
    let runs = 0;
    const lookTwice = () =>
      older.transaction(async (tx) => {
        runs += 1;
        return [await look(tx), await look(tx)];
      });
    await older.read.insertInto('deployment').values({ name: 'kept', value: 'x' }).execute();
    expect(await look(older.read)).toEqual({ name: 'kept', value: 'x' });
    await change('first');
    expect(await look(older.read)).toEqual({ name: 'kept', value: 'x', first: 5 });
    expect(await look(older.read)).toEqual({ name: 'kept', value: 'x', first: 5 });
    await change('second');
    const both = { name: 'kept', value: 'x', first: 5, second: 5 };
    expect(await lookTwice()).toEqual([both, both]);
    expect(runs).toBe(2);
    await older.close();
    await newer.close();
    await fresh.drop();
  });

  test('a repeated statement is prepared once on its connection, and one without parameters not at all', async () => {
    const prepared = () =>
      database.read.connection().execute(async (one) => {
        await one.selectFrom('deployment').select(['value', 'name']).where('name', '=', 'prepared').execute();
        await one.selectFrom('deployment').select(['value', 'name']).where('name', '=', 'other').execute();
        await one.selectFrom('deployment').select(['value', 'name']).execute();
        const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements
          where statement like 'select "value", "name"%'`.execute(one);
        return rows.map(({ statement }) => statement);
      });
    expect(await prepared()).toEqual([expect.stringContaining('"name" = $1')]);
  });

  test('of work that is run again only the effects of the last run count', async () => {
    let runs = 0;
    const effects: string[] = [];
    await database.transaction(async (tx) => {
      runs += 1;
      const run = runs;
      database.afterCommit(tx, () => effects.push(`run ${run}`));
      await tx.selectFrom('deployment').select('name').execute();
      if (run < 3) throw Object.assign(new Error('serialization failure'), { code: '40001' });
    });
    expect(effects).toEqual(['run 3']);
  });

  test('work that fails each time is tried a limited number of times', async () => {
    let runs = 0;
    const failing = database.transaction(async () => {
      runs += 1;
      throw Object.assign(new Error('serialization failure'), { code: '40001' });
    });
    await expect(failing).rejects.toThrow('serialization failure');
    expect(runs).toBe(5);
  });

  test('any other error is not tried again', async () => {
    await make('there-already');
    let runs = 0;
    const failing = database.transaction(async (tx) => {
      runs += 1;
      await tx.insertInto('deployment').values({ name: 'there-already', value: '' }).execute();
    });
    await expect(failing).rejects.toThrow(/duplicate/);
    expect(runs).toBe(1);
  });

  test('a transaction keeps its locks against another connection until it ends', async () => {
    await make('held');
    const order: string[] = [];
    const holding = barrier(2);
    const first = database.transaction(async (tx) => {
      await lock(tx, 'held');
      await holding();
      await new Promise((resolve) => setImmediate(resolve));
      order.push('first');
    });
    const second = database.transaction(async (tx) => {
      await holding();
      await lock(tx, 'held');
      order.push('second');
    });
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });

  test('[D15] replicas that start together on an empty database create one schema', async () => {
    const fresh = await createTestPostgres();
    const opened = await Promise.all(Array.from({ length: 4 }, () => openPostgres(fresh.url, ignore)));
    for (const each of opened) await expect(each.check()).resolves.toBeUndefined();
    for (const each of opened) await each.close();
    await fresh.drop();
  });

  test('[D15] replicas that start together on the schema of an older version migrate it once', async () => {
    const fresh = await createTestPostgres();
    await (await openPostgres(fresh.url, ignore)).close();
    const second = {
      name: '9001-colours',
      statements: () => ['create table colours (name text primary key)'],
    };
    const prepareSchema: PrepareSchema = async (db, dialect, described) =>
      void (await migrate(db, dialect, described, runnable([...migrations, second], dialect)));
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => openPostgres(fresh.url, ignore, { prepareSchema })),
    );
    for (const each of opened)
      expect((await sql`select name from colours`.execute(each.read)).rows).toEqual([]);
    for (const each of opened) await each.close();
    await fresh.drop();
  });

  test('[D15] a read-only database is not ready', async () => {
    const fresh = await createTestPostgres();
    const { url } = fresh;
    await (await openPostgres(url, ignore)).close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    await client.end();
    const readOnly = await openPostgres(url, ignore);
    await expect(readOnly.check()).rejects.toThrow(/read-only/);
    await readOnly.close();
    await fresh.drop();
  });

  test('[D15] an unreachable server or a missing database stops the start with one line without the password', async () => {
    const nowhere = new URL(place.url);
    nowhere.port = '1';
    const missing = new URL(place.url);
    missing.pathname = '/no_such_database';
    for (const url of [nowhere, missing]) {
      url.password = 'hunter2-secret';
      url.searchParams.set('application_name', 'hunter2-secret');
      url.searchParams.set('pwd', 'hunter2-secret');
      url.hash = 'password=hunter2-secret';
      const { lines } = await rejectionOf(openPostgres(url.href, ignore));
      expect(lines).toEqual([
        expect.stringMatching(/^DATABASE_URL: [^\n]+ cannot be used \([^\n]+\)\. [^\n]+$/),
      ]);
      expect(lines[0]).not.toContain('hunter2-secret');
    }
  });
});

/** Resolves for all when `count` callers have arrived; later calls pass immediately. */
function barrier(count: number): () => Promise<void> {
  let arrived = 0;
  let open: () => void = ignore;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return () => {
    arrived += 1;
    if (arrived >= count) open();
    return opened;
  };
}
