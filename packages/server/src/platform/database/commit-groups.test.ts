/** A shared commit does not change the outcome of any transaction, and no outcome is reported before it is durable. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '#app-error';
import { COMPATIBLE_FROM } from './migrations/compatibility.ts';
import type { Database, Db, Tx } from './database.ts';
import { openSqlite } from './sqlite.ts';

let folder: string;
let databases = 0;
let database: Database;
let outside: Database;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-groups-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  databases += 1;
  const file = join(folder, `${databases}.db`);
  database = await openSqlite(file);
  outside = await openSqlite(file);
});
afterEach(async () => {
  await outside.close();
  await database.close();
});

const write = (db: Db, name: string, value = '') =>
  db.insertInto('deployment').values({ name, value }).execute();
const set = (db: Db, name: string, value: number) =>
  db
    .updateTable('deployment')
    .set({ value: String(value) })
    .where('name', '=', name)
    .execute();

async function get(db: Db, name: string): Promise<number> {
  const row = await db
    .selectFrom('deployment')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return Number(row.value);
}

async function names(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('deployment')
    .select('name')
    .where('name', '<>', COMPATIBLE_FROM)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Inserts a dangling reference, which only the commit checks. */
async function breakCommit(tx: Tx): Promise<void> {
  await sql`PRAGMA defer_foreign_keys = ON`.execute(tx);
  await tx
    .insertInto('memberships')
    .values({ workspaceId: 'nowhere', userId: 'nobody', role: 'owner', joinedAt: 0 })
    .execute();
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** How each promise ended: its result, or the message of its error. */
async function outcomes(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message));
}

describe('transactions of one tick', () => {
  // A group also ends after some milliseconds. Here time passes only when a test says so, however busy the machine is.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  test('share one commit, before which none resolves and no other connection sees their changes', async () => {
    const seenOutside: string[][] = [];
    let worked = 0;
    const workedAtCommit: number[] = [];
    let resolved = 0;
    const work = async (number: number) => {
      await database.transaction(async (tx) => {
        database.afterCommit(tx, () => workedAtCommit.push(worked));
        await write(tx, `${number}`);
        worked += 1;
        seenOutside.push(await names(outside.read));
        expect(resolved).toBe(0);
      });
      resolved += 1;
    };
    await Promise.all([work(1), work(2), work(3), write(database.read, '4')]);
    expect(workedAtCommit).toEqual([3, 3, 3]);
    expect(seenOutside).toEqual([[], [], []]);
    expect(await names(outside.read)).toEqual(['1', '2', '3', '4']);
  });

  test('roll back only their own changes when they fail', async () => {
    const ended = await outcomes([
      database.transaction((tx) => write(tx, 'a')),
      database.transaction(async (tx) => {
        await write(tx, 'b');
        throw new AppError('CONFLICT');
      }),
      write(database.read, 'a'),
      database.transaction(async (tx) => {
        await write(tx, 'c');
        await write(tx, 'a');
      }),
      database.transaction((tx) => write(tx, 'd')),
    ]);
    expect(ended.slice(1, 4)).toEqual([
      new AppError('CONFLICT').message,
      expect.stringMatching(/UNIQUE/),
      expect.stringMatching(/UNIQUE/),
    ]);
    expect(await names(database.read)).toEqual(['a', 'd']);
  });

  test('all fail when their commit fails, including those that only read uncommitted rows or wrote one statement', async () => {
    const effects: string[] = [];
    const ended = await outcomes([
      database.transaction(async (tx) => {
        database.afterCommit(tx, () => effects.push('a'));
        await write(tx, 'a');
      }),
      database.transaction(async (tx) => {
        if ((await names(tx)).includes('a')) throw new AppError('CONFLICT');
      }),
      database.transaction(breakCommit),
      write(database.read, 'b'),
      write(database.read, 'a'),
      names(database.read),
    ]);
    const failure = 'FOREIGN KEY constraint failed';
    expect(ended).toEqual([failure, failure, failure, failure, failure, []]);
    expect(effects).toEqual([]);
    await database.transaction((tx) => write(tx, 'a'));
    expect(await names(outside.read)).toEqual(['a']);
  });

  test('all of a group fail when SQLite aborts it; they write nothing after that, and later ones succeed', async () => {
    const ended = await outcomes([
      database.transaction((tx) => write(tx, 'a')),
      database.transaction(async (tx) => {
        await sql`insert or rollback into deployment values ('a', '')`.execute(tx).catch(() => undefined);
        await write(tx, 'b').catch(() => undefined);
      }),
      database.transaction((tx) => write(tx, 'c')),
    ]);
    expect(ended.slice(0, 2)).toEqual([expect.stringMatching(/UNIQUE/), expect.stringMatching(/UNIQUE/)]);
    expect(await names(outside.read)).toEqual(['c']);
  });

  test('are committed in groups of limited size', async () => {
    let worked = 0;
    const workedAtCommit: number[] = [];
    const many = Array.from({ length: 300 }, (_, number) =>
      database.transaction(async (tx) => {
        database.afterCommit(tx, () => workedAtCommit.push(worked));
        await write(tx, `${number}`);
        worked += 1;
      }),
    );
    await Promise.all(many);
    const ends = [0, ...new Set(workedAtCommit)];
    const sizes = ends.slice(1).map((end, index) => end - (ends[index] ?? 0));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(128);
    expect(sizes.length).toBeLessThan(30);
  });

  test('wait for at most one slow transaction beyond the time limit', async () => {
    const order: string[] = [];
    const work = (name: string, ms: number) =>
      database.transaction(async (tx) => {
        database.afterCommit(tx, () => order.push(`${name} committed`));
        await write(tx, name);
        vi.advanceTimersByTime(ms);
        order.push(`${name} worked`);
      });
    await Promise.all([work('a', 10), work('b', 0)]);
    expect(order).toEqual(['a worked', 'a committed', 'b worked', 'b committed']);
  });

  test('wait for a transaction that outlasts the tick, and later transactions and reads run after it', async () => {
    const order: string[] = [];
    const work = (name: string, turns: number) =>
      database.transaction(async (tx) => {
        await write(tx, name);
        for (let turn = 0; turn < turns; turn += 1) await nextTurn();
        order.push(`${name} worked`);
        database.afterCommit(tx, () => order.push(`${name} committed`));
      });
    const first = work('a', 0);
    const slow = work('b', 3);
    await nextTurn();
    const late = work('c', 0);
    const read = names(database.read);
    await Promise.all([first, slow, late]);
    expect(order).toEqual(['a worked', 'b worked', 'a committed', 'b committed', 'c worked', 'c committed']);
    expect(await read).toEqual(['a', 'b']);
  });
});

describe('reads', () => {
  test('see all committed changes, and none of an open group', async () => {
    await write(database.read, 'a', '1');
    const changing = database.transaction((tx) => set(tx, 'a', 2));
    expect(await get(database.read, 'a')).toBe(2);
    await changing;
    const failing = database.transaction(async (tx) => {
      await set(tx, 'a', 3);
      await breakCommit(tx);
    });
    const read = get(database.read, 'a');
    await expect(failing).rejects.toThrow('FOREIGN KEY');
    expect(await read).toBe(2);
  });

  test('run immediately while no write is under way', async () => {
    await write(database.read, 'a', '1');
    let turns = 0;
    const counting = setImmediate(() => (turns += 1));
    expect(await get(database.read, 'a')).toBe(1);
    expect(turns).toBe(0);
    clearImmediate(counting);
  });
});

test('a close waits for a transaction under way', async () => {
  const file = join(folder, 'closing.db');
  const closing = await openSqlite(file);
  let close: Promise<void> | undefined;
  await closing.transaction(async (tx) => {
    close = closing.close();
    await nextTurn();
    await write(tx, 'a');
  });
  await close;
  const again = await openSqlite(file);
  expect(await names(again.read)).toEqual(['a']);
  await again.close();
});

/** Accounts with a fixed total, and a counter that every transfer increments. */
const ACCOUNTS = ['a', 'b', 'c', 'd'];
const EACH = 100;

const account = fc.constantFrom(...ACCOUNTS);
const transfer = fc.record({
  from: account,
  to: account,
  amount: fc.integer({ min: 1, max: EACH }),
  fate: fc.constantFrom(
    'goes well',
    'goes well',
    'goes well',
    'throws',
    'fails a statement',
    'breaks the commit',
  ),
  turnsBefore: fc.nat({ max: 3 }),
  turnsWithin: fc.constantFrom(0, 0, 0, 0, 1, 2),
  readsAfterwards: fc.boolean(),
});
type Transfer = typeof transfer extends fc.Arbitrary<infer T> ? T : never;

async function carryOut({ from, to, amount, fate, turnsWithin }: Transfer, tx: Tx): Promise<boolean> {
  const funds = await get(tx, from);
  if (funds < amount) throw new Error('too little');
  await set(tx, from, funds - amount);
  for (let turn = 0; turn < turnsWithin; turn += 1) await nextTurn();
  await set(tx, to, (await get(tx, to)) + amount);
  await set(tx, 'transfers', (await get(tx, 'transfers')) + 1);
  if (fate === 'throws') throw new Error('changed its mind');
  if (fate === 'fails a statement') await write(tx, from);
  if (fate === 'breaks the commit') await breakCommit(tx);
  return true;
}

test('any parallel transactions and failures leave exactly what succeeded, and no read sees a part of it', async () => {
  const property = fc.asyncProperty(
    fc.array(transfer, { minLength: 1, maxLength: 40 }),
    async (transfers) => {
      await database.transaction(async (tx) => {
        await tx.deleteFrom('deployment').execute();
        for (const name of ACCOUNTS) await write(tx, name, String(EACH));
        await write(tx, 'transfers', '0');
      });
      const expected = new Map(ACCOUNTS.map((name) => [name, EACH]));
      let acknowledged = 0;
      let effects = 0;
      const look = async () => {
        const acknowledgedBefore = acknowledged;
        const rows = await database.read.selectFrom('deployment').selectAll().execute();
        const values = new Map(rows.map(({ name, value }) => [name, Number(value)]));
        const total = ACCOUNTS.reduce((sum, name) => sum + (values.get(name) ?? 0), 0);
        expect(total).toBe(EACH * ACCOUNTS.length);
        expect(values.get('transfers')).toBeGreaterThanOrEqual(acknowledgedBefore);
      };
      const run = async (one: Transfer) => {
        for (let turn = 0; turn < one.turnsBefore; turn += 1) await nextTurn();
        const done = await database
          .transaction((tx) => {
            database.afterCommit(tx, () => (effects += 1));
            return carryOut(one, tx);
          })
          .catch(() => false);
        if (done) {
          acknowledged += 1;
          expected.set(one.from, (expected.get(one.from) ?? 0) - one.amount);
          expected.set(one.to, (expected.get(one.to) ?? 0) + one.amount);
        }
        if (one.readsAfterwards) await look();
      };
      await Promise.all(transfers.map(run));
      for (const name of ACCOUNTS) expect(await get(outside.read, name)).toBe(expected.get(name));
      expect(await get(outside.read, 'transfers')).toBe(acknowledged);
      expect(effects).toBe(acknowledged);
    },
  );
  await fc.assert(property, { numRuns: 80 });
});
