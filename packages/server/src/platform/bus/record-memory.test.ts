import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { putFact } from '../database/deployment.ts';
import { openSqlite } from '../database/sqlite.ts';
import type { Bus } from './bus.ts';
import { createMemoryBus } from './memory.ts';
import { createRecordMemory, type RecordMemory } from './record-memory.ts';
import { topics } from './topics.ts';

interface Owned {
  readonly userId: string;
  readonly value: string;
}

let folder: string;
let database: Database;
let bus: Bus;
let memory: RecordMemory<Owned>;
let loads: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-memory-'));
  database = await openSqlite(join(folder, 'svc.db'));
  bus = createMemoryBus(database);
  memory = createRecordMemory<Owned>(database, bus, { topicsOf });
  loads = [];
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const topicsOf = ({ userId }: Owned) => [topics.user(userId)];

/** Records are rows named `user:token`. */
async function load(userId: string, token: string): Promise<Owned | null> {
  loads.push(token);
  const row = await database.read
    .selectFrom('deployment')
    .select('value')
    .where('name', '=', `${userId}:${token}`)
    .executeTakeFirst();
  return row ? { userId, value: row.value } : null;
}

const find = (userId: string, token: string) => memory.find(token, () => load(userId, token));

async function add(userId: string, token: string): Promise<void> {
  await database.read
    .insertInto('deployment')
    .values({ name: `${userId}:${token}`, value: 'open' })
    .execute();
}

function end(userId: string, token: string, fault?: Error): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.deleteFrom('deployment').where('name', '=', `${userId}:${token}`).execute();
    await bus.publish(tx, topics.user(userId));
    if (fault) throw fault;
  });
}

test('a found record is not loaded again', async () => {
  await add('zoe', 'a');
  const first = await find('zoe', 'a');
  loads = [];
  expect(first).toEqual({ userId: 'zoe', value: 'open' });
  expect([await find('zoe', 'a'), await find('zoe', 'a')]).toEqual([first, first]);
  expect(loads).toEqual([]);
});

test('a reader who waited for the commit that ends a record does not find it', async () => {
  await add('zoe', 'a');
  await find('zoe', 'a');
  expect(await end('zoe', 'a').then(() => find('zoe', 'a'))).toBeNull();
});

test('a rolled-back change, and a change of another owner, remove nothing', async () => {
  await add('zoe', 'a');
  await add('max', 'b');
  await find('zoe', 'a');
  await expect(end('zoe', 'a', new Error('no'))).rejects.toThrow('no');
  await end('max', 'b');
  loads = [];
  expect(await find('zoe', 'a')).not.toBeNull();
  expect(loads).toEqual([]);
});

test('all records of an owner are removed together', async () => {
  for (const token of ['a', 'b']) {
    await add('zoe', token);
    await find('zoe', token);
  }
  await end('zoe', 'a');
  loads = [];
  await find('zoe', 'b');
  expect(loads).not.toEqual([]);
});

test('a record is never cached when it changes while it is loaded, at any moment', async () => {
  for (const moment of [1, 2]) {
    const token = `moment ${moment}`;
    await add('zoe', token);
    let calls = 0;
    const loading = memory.find(token, async () => {
      calls += 1;
      const record = await load('zoe', token);
      if (calls === moment) await end('zoe', token);
      return record;
    });
    await loading;
    expect(await find('zoe', token)).toBeNull();
  }
});

test('an unknown record, and one that failed to load, are loaded again', async () => {
  expect(await find('zoe', 'a')).toBeNull();
  await add('zoe', 'a');
  let calls = 0;
  const failing = (call: number) =>
    memory.find('a', () => {
      calls += 1;
      return calls === call ? Promise.reject(new Error('the disk is gone')) : load('zoe', 'a');
    });
  await expect(failing(1)).rejects.toThrow('the disk is gone');
  calls = 0;
  await expect(failing(2)).rejects.toThrow('the disk is gone');
  expect(await find('zoe', 'a')).toEqual({ userId: 'zoe', value: 'open' });
});

test('a record that was removed explicitly is loaded again', async () => {
  await add('zoe', 'a');
  await find('zoe', 'a');
  memory.forget('a');
  loads = [];
  await find('zoe', 'a');
  expect(loads).not.toEqual([]);
});

test('the number of records is bounded, and the oldest is evicted first', async () => {
  const record = { userId: 'zoe', value: 'open' };
  const keep = (name: string) =>
    memory.find(name, () => {
      loads.push(name);
      return Promise.resolve(record);
    });
  for (let number = 0; number <= 10_000; number += 1) await keep(`${number}`);
  loads = [];
  await keep('10000');
  await keep('1');
  expect(loads).toEqual([]);
  await keep('0');
  expect(loads).toEqual(['0', '0']);
});

test('nothing is cached when other processes change the database', async () => {
  memory = createRecordMemory<Owned>({ exclusive: false }, bus, { topicsOf });
  await add('zoe', 'a');
  await find('zoe', 'a');
  await find('zoe', 'a');
  expect(loads).toEqual(['a', 'a']);
});

test('a record with several topics is removed by a hint for each of them', async () => {
  memory = createRecordMemory<Owned>(database, bus, {
    topicsOf: ({ userId }) => [topics.report('one'), topics.user(userId)],
  });
  await add('zoe', 'a');
  for (const topic of [topics.report('one'), topics.user('zoe')]) {
    await find('zoe', 'a');
    loads = [];
    await find('zoe', 'a');
    expect(loads).toEqual([]);
    await database.transaction((tx) => bus.publish(tx, topic));
    await find('zoe', 'a');
    expect(loads).not.toEqual([]);
  }
});

test('a record that must not be cached is loaded exactly once for each read', async () => {
  memory = createRecordMemory<Owned>(database, bus, { topicsOf: () => null });
  await add('zoe', 'a');
  await find('zoe', 'a');
  await find('zoe', 'a');
  expect(loads).toEqual(['a', 'a']);
});

test('a record whose topics change while it is loaded is not cached', async () => {
  const owners = ['zoe', 'max', 'max', 'max'];
  const next = () => Promise.resolve({ userId: owners[loads.push('a') - 1] ?? 'max', value: 'open' });
  expect((await memory.find('a', next))?.userId).toBe('max');
  await memory.find('a', next);
  expect(loads).toHaveLength(4);
  await memory.find('a', next);
  expect(loads).toHaveLength(4);
});

test('a cache with a size limit evicts the oldest records, and does not cache one that is too large', async () => {
  memory = createRecordMemory<Owned>(database, bus, {
    topicsOf,
    size: { bytesMax: 100, bytesOf: ({ value }) => value.length },
  });
  const keep = (name: string, length: number) =>
    memory.find(name, () => {
      loads.push(name);
      return Promise.resolve({ userId: name, value: 'x'.repeat(length) });
    });
  for (const name of ['a', 'b', 'c']) await keep(name, 40);
  await keep('d', 101);
  loads = [];
  for (const name of ['b', 'c', 'a', 'd']) await keep(name, name === 'd' ? 101 : 40);
  expect(new Set(loads)).toEqual(new Set(['a', 'd']));
});

test('a record that is no longer cached has no listener', async () => {
  let listening = 0;
  const counting: Pick<Bus, 'subscribe' | 'refresh'> = {
    refresh: () => undefined,
    subscribe(topic, listener) {
      listening += 1;
      const stop = bus.subscribe(topic, listener);
      return () => {
        listening -= 1;
        stop();
      };
    },
  };
  memory = createRecordMemory<Owned>(database, counting, {
    topicsOf: ({ userId }) => [topics.user(userId), topics.report(userId)],
    size: { bytesMax: 100, bytesOf: ({ value }) => value.length },
  });
  const keep = (name: string, length: number) =>
    memory.find(name, () => Promise.resolve({ userId: name, value: 'x'.repeat(length) }));
  await Promise.all([keep('a', 50), keep('a', 50)]);
  expect(listening).toBe(2);
  await keep('large', 101);
  expect(listening).toBe(2);
  for (const name of ['b', 'c', 'd']) await keep(name, 50);
  expect(listening).toBe(4);
  memory.forget('c');
  await database.transaction((tx) => bus.publish(tx, topics.user('d')));
  expect(listening).toBe(0);
});

test('a commit of another connection to the file removes every record, and our own commit only those of its topics', async () => {
  await add('ada', 'one');
  await add('bob', 'two');
  const both = () => Promise.all([find('ada', 'one'), find('bob', 'two')]);
  await both();
  loads = [];
  await database.transaction((tx) => putFact(tx, 'own', 'change'));
  await both();
  expect(loads).toEqual([]);
  const other = new DatabaseSync(join(folder, 'svc.db'));
  other.exec("UPDATE deployment SET value = 'changed elsewhere' WHERE name = 'ada:one'");
  other.close();
  // Waits for the next tick, in which a new request would arrive.
  await setImmediate();
  expect((await both()).map((record) => record?.value)).toEqual(['changed elsewhere', expect.any(String)]);
  expect(new Set(loads)).toEqual(new Set(['one', 'two']));
  loads = [];
  await both();
  expect(loads).toEqual([]);
});
