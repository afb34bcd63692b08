/** One suite for every bus, which checks what the port promises. */
import { createTestPostgres, postgresUrl } from '@svc/testkit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openPostgres } from '../database/postgres.ts';
import { openSqlite } from '../database/sqlite.ts';
import type { Bus } from './bus.ts';
import { createMemoryBus } from './memory.ts';
import { openPostgresBus } from './postgres.ts';

interface Opened {
  readonly bus: Bus;
  /** The bus of another process if the adapter supports that; else the same bus. */
  readonly other: Bus;
  readonly database: Database;
  close(): Promise<void>;
}

async function openInMemory(): Promise<Opened> {
  const database = await openSqlite(':memory:');
  const bus = createMemoryBus(database);
  return { bus, other: bus, database, close: () => database.close() };
}

async function openOnPostgres(): Promise<Opened> {
  const { url, drop } = await createTestPostgres();
  const database = await openPostgres(url, () => undefined);
  const [bus, other] = await Promise.all([
    openPostgresBus(url, () => undefined),
    openPostgresBus(url, () => undefined),
  ]);
  return {
    bus,
    other,
    database,
    async close() {
      await Promise.all([bus.close(), other.close()]);
      await database.close();
      await drop();
    },
  };
}

describe('a bus in memory', () => {
  suite(openInMemory);
});
describe.skipIf(postgresUrl === undefined)('a bus over PostgreSQL', () => {
  suite(openOnPostgres);
});

/** Counts the calls of a listener, and resolves once there were enough. */
function heard(bus: Bus, topic: string) {
  let calls = 0;
  let wake: () => void = () => undefined;
  const stop = bus.subscribe(topic, () => {
    calls += 1;
    wake();
  });
  return {
    stop,
    calls: () => calls,
    atLeast: (count: number) =>
      new Promise<void>((resolve) => {
        wake = () => {
          if (calls >= count) resolve();
        };
        wake();
      }),
  };
}

function suite(open: () => Promise<Opened>): void {
  let opened: Opened;
  let topics = 0;
  const newTopic = () => `topic:${(topics += 1)}`;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  const publish = (...published: string[]) =>
    opened.database.transaction(async (tx) => {
      for (const topic of published) await opened.bus.publish(tx, topic);
    });

  /** Resolves when everything published before has been delivered or dropped. */
  async function settled(): Promise<void> {
    const topic = newTopic();
    const last = [heard(opened.bus, topic), heard(opened.other, topic)];
    await publish(topic);
    await Promise.all(last.map((one) => one.atLeast(1)));
    last.forEach((one) => one.stop());
  }

  test('a hint reaches every listener of its topic in every process, and no other listener', async () => {
    const [topic, elsewhere] = [newTopic(), newTopic()];
    const mine = [heard(opened.bus, topic), heard(opened.bus, topic), heard(opened.other, topic)];
    const others = [heard(opened.bus, elsewhere), heard(opened.other, elsewhere)];
    await publish(topic);
    await Promise.all(mine.map((one) => one.atLeast(1)));
    await settled();
    expect(others.map((one) => one.calls())).toEqual([0, 0]);
  });

  test('a hint arrives after the commit, when the change can be read', async () => {
    const topic = newTopic();
    const read = new Promise<unknown>((resolve) => {
      opened.other.subscribe(topic, () => {
        resolve(
          opened.database.read.selectFrom('deployment').selectAll().where('name', '=', topic).execute(),
        );
      });
    });
    await opened.database.transaction(async (tx) => {
      await opened.bus.publish(tx, topic);
      await tx.insertInto('deployment').values({ name: topic, value: 'there' }).execute();
    });
    expect(await read).toEqual([{ name: topic, value: 'there' }]);
  });

  test('a hint is dropped after a rollback', async () => {
    const topic = newTopic();
    const listener = heard(opened.bus, topic);
    const undone = opened.database.transaction(async (tx) => {
      await opened.bus.publish(tx, topic);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await settled();
    expect(listener.calls()).toBe(0);
  });

  test('a listener that stopped is not called, and stopping again does nothing', async () => {
    const topic = newTopic();
    const [gone, stays] = [heard(opened.bus, topic), heard(opened.bus, topic)];
    gone.stop();
    gone.stop();
    await publish(topic);
    await stays.atLeast(1);
    expect(gone.calls()).toBe(0);
  });

  test('a listener may stop others and itself while it is called', async () => {
    const topic = newTopic();
    const ends: (() => void)[] = [];
    let calls = 0;
    for (let index = 0; index < 3; index += 1) {
      ends.push(
        opened.bus.subscribe(topic, () => {
          calls += 1;
          ends.forEach((end) => end());
        }),
      );
    }
    await publish(topic);
    await settled();
    expect(calls).toBe(1);
  });

  test('a topic may contain any character', async () => {
    const topic = `it's "quoted", \\ and ünïcode ${newTopic()}`;
    const listener = heard(opened.other, topic);
    await publish(topic);
    await listener.atLeast(1);
    expect(listener.calls()).toBe(1);
  });

  test('the hints of a hundred parallel transactions all arrive', async () => {
    const names = Array.from({ length: 100 }, newTopic);
    const listeners = names.map((name) => heard(opened.other, name));
    await Promise.all(names.map((name) => publish(name)));
    await Promise.all(listeners.map((one) => one.atLeast(1)));
    expect(listeners.map((one) => one.calls())).toEqual(names.map(() => 1));
  });

  test('the check succeeds while the bus is connected', async () => {
    await expect(opened.bus.check()).resolves.toBeUndefined();
  });
}

describe.skipIf(postgresUrl === undefined)('a bus whose connection is lost (only on PostgreSQL)', () => {
  test('calls every listener once it has reconnected, and delivers later hints', async () => {
    const { url, drop } = await createTestPostgres();
    const database = await openPostgres(url, () => undefined);
    const lost: unknown[] = [];
    const bus = await openPostgresBus(url, (error) => void lost.push(error));
    const [one, other] = [heard(bus, 'one'), heard(bus, 'other')];
    const killer = new pg.Client({ connectionString: url });
    await killer.connect();
    await killer.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'svc hints' AND datname = current_database()`,
    );
    await Promise.all([one.atLeast(1), other.atLeast(1)]);
    expect(lost.length).toBeGreaterThanOrEqual(1);
    await expect.poll(() => bus.check().then(() => true, String)).toBe(true);
    const before = [one.calls(), other.calls()] as const;
    await database.transaction((tx) => bus.publish(tx, 'one'));
    await one.atLeast(before[0] + 1);
    expect(other.calls()).toBe(before[1]);
    await killer.end();
    await bus.close();
    await expect(bus.check()).rejects.toThrow('down');
    await database.close();
    await drop();
  });

  test('[T19] calls every listener repeatedly until it has reconnected', async () => {
    const { url, drop } = await createTestPostgres();
    const bus = await openPostgresBus(url, () => undefined);
    const { calls, atLeast } = heard(bus, 'one');
    const elsewhere = new URL(url);
    const name = elsewhere.pathname.slice(1);
    elsewhere.pathname = '/postgres';
    const killer = new pg.Client({ connectionString: elsewhere.href });
    await killer.connect();
    await killer.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await killer.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await atLeast(4);
    await expect(bus.check()).rejects.toThrow('down');
    await killer.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await expect.poll(() => bus.check().then(() => true, String)).toBe(true);
    const reconnected = calls();
    // Waits for three times the interval between the calls.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(calls()).toBe(reconnected);
    await killer.end();
    await bus.close();
    await drop();
  });

  test('fails at the start when nothing listens at the address', async () => {
    await expect(openPostgresBus('postgres://nobody@127.0.0.1:1/none', () => undefined)).rejects.toThrow(
      'ECONNREFUSED',
    );
  });
});
