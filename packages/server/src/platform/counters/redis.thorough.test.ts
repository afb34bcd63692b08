/** What Redis keeps of counters, and what they do while Redis has a fault. counters.test.ts checks what they count. */
import { readFileSync } from 'node:fs';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { createFakeClock } from '@svc/testkit/clock';
import { redisMissing, startRedisServer, type RedisServer } from '@svc/testkit/redis-server';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { derivingFrom } from '../kept-keys.ts';
import { createCounterNames, type CounterNames } from '../counter-names.ts';
import { isUnavailable } from '../unavailable.ts';
import { openRedisCounters, type RedisCounters } from './redis.ts';
import { parseRedisAddress } from './redis-address.ts';

const operating = readFileSync(path.join(import.meta.dirname, '../../../../../docs/OPERATING.md'), 'utf8');
/** The rights that the operator grants to the service's user of Redis, from the documentation. */
const documentedRights = /ACL SETUSER counting (.+)/.exec(operating)?.[1]?.split(' ') ?? [];

/** One second is promised. A busy machine gets ten times as long. */
const DENIED_WITHIN_MS = 10_000;
const RECOVERED_WITHIN_MS = 20_000;

const budget = { limit: 3, windowMs: 60_000 };
const clock = createFakeClock('2026-01-07T12:00:00Z');
const names = createCounterNames(derivingFrom(new Uint8Array(32)));

describe.skipIf(redisMissing())('counters in Redis', () => {
  let server: RedisServer;
  let admin: Redis;
  beforeAll(async () => {
    server = await startRedisServer();
    admin = new Redis(server.url);
    admin.on('error', () => undefined);
  });
  afterAll(async () => {
    admin.disconnect();
    await server.remove();
  });

  let lost: Error[];
  beforeEach(async () => {
    lost = [];
    await admin.flushall();
  });

  async function open(url = server.url, named: CounterNames = names): Promise<RedisCounters> {
    const address = parseRedisAddress(url);
    if (!address) throw new Error('the address is invalid');
    const counters = await openRedisCounters(address, named, clock, (error) => void lost.push(error));
    onTestFinished(() => counters.close());
    return counters;
  }

  const takeAll = async (counters: RedisCounters, key = 'key') => {
    const results = [];
    for (let index = 0; index < 5; index += 1) results.push((await counters.take(key, budget)).ok);
    return results;
  };
  const exactly = [true, true, true, false, false];

  /** Fails unless calls are denied, and soon: all of them, or those that have to write. */
  async function expectDenial(counters: RedisCounters, of: 'all' | 'writes' = 'all'): Promise<void> {
    const began = performance.now();
    const take = { key: 'key', windowEndsAt: clock.now() + 1 };
    const outcomes = await Promise.allSettled([
      counters.take('key', budget),
      counters.takeSliding('key', 1, budget),
      counters.check(),
      counters.take('other', budget),
      // The following calls would change nothing, so they need no write.
      counters.peek('key', budget),
      counters.giveBack(take),
      counters.confirm(take),
    ]);
    expect(performance.now() - began).toBeLessThan(DENIED_WITHIN_MS);
    const denied = outcomes.map((each) => each.status === 'rejected' && isUnavailable(each.reason));
    const writes = denied.slice(0, 4);
    expect(of === 'all' ? denied : writes).not.toContain(false);
  }

  async function expectRecovery(counters: RedisCounters): Promise<void> {
    const outcome = () =>
      counters.check().then(
        () => 'works',
        () => 'fails',
      );
    await expect.poll(outcome, { timeout: RECOVERED_WITHIN_MS }).toBe('works');
  }

  const everything = async () => (await admin.keys('*')).toSorted();
  /** The key that each check of the connection writes. */
  const probeKey = `svc:window:${names('probe')}`;

  describe('in Redis', () => {
    test('[T22] every key has the prefix, and nothing of its subject', async () => {
      const counters = await open();
      await counters.take('loginAccount:someone@example.test', budget);
      await counters.takeSliding('loginAccount:someone@example.test', 1, budget);
      const keys = await everything();
      expect(keys).toEqual([
        expect.stringMatching(/^svc:sliding:[\w-]{22}$/),
        // One key is of this take, the other of the check at the start.
        expect.stringMatching(/^svc:window:[\w-]{22}$/),
        expect.stringMatching(/^svc:window:[\w-]{22}$/),
      ]);
      expect(await admin.get(keys[0] ?? '')).toBe(JSON.stringify([[clock.now(), 1]]));
      for (const key of keys.slice(1))
        expect(await admin.hgetall(key)).toEqual({
          used: '1',
          confirmed: '0',
          endsAt: expect.stringMatching(/^\d{13}$/),
        });
    });

    test.each([
      ['the same as ours', 0],
      ['a year behind ours', 365 * 86_400_000],
      ['a year ahead of ours', -365 * 86_400_000],
    ])('a key expires within a minute after its window, if the clock of Redis is %s', async (_, aheadMs) => {
      const counters = await open();
      clock.set(Date.now() + aheadMs);
      const taken = await counters.take('key', budget);
      expect(await takeAll(counters)).toEqual([true, true, false, false, false]);
      if (taken.ok) {
        await counters.confirm(taken.take);
        await counters.giveBack(taken.take);
      }
      await counters.takeSliding('key', 3, budget);
      await counters.takeSliding('key', 1, budget);
      // The service's clock steps back, which cuts the windows.
      clock.set(Date.now() + aheadMs - 3_600_000);
      expect(await counters.take('key', { ...budget, limit: 2 })).toMatchObject({ retryAfterMs: 60_000 });
      expect(await counters.takeSliding('key', 1, budget)).toEqual({ ok: false, retryAfterMs: 60_000 });
      await counters.peek('key', budget);
      await counters.check();
      const left = await Promise.all((await everything()).map((key) => admin.pttl(key)));
      expect(left).toHaveLength(3);
      for (const ms of left) {
        expect(ms).toBeGreaterThan(0);
        expect(ms).toBeLessThanOrEqual(120_000);
      }
    });

    test('a key whose last take was given back is deleted', async () => {
      const counters = await open();
      const taken = await counters.take('key', budget);
      if (taken.ok) await counters.giveBack(taken.take);
      expect(await everything()).toEqual([probeKey]);
    });

    test('each call is one command', async () => {
      const counters = await open();
      await takeAll(counters);
      await admin.config('RESETSTAT');
      for (let index = 0; index < 50; index += 1) await counters.take(`key-${index % 10}`, budget);
      const stats = await admin.info('commandstats');
      expect(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]).toBe('50');
      expect(stats).not.toContain('cmdstat_eval:');
    });

    test('replicas share every limit, and other deployments none', async () => {
      const [one, other] = [await open(), await open()];
      const stranger = await open(server.url, createCounterNames(derivingFrom(new Uint8Array(32).fill(1))));
      const results = await Promise.all(
        Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? one : other).take('key', budget)),
      );
      expect(results.filter(({ ok }) => ok)).toHaveLength(3);
      expect(await takeAll(stranger)).toEqual(exactly);
    });

    test('the user, the password and the database of the address are used', async () => {
      const password = 'p@ss: w/örd%';
      await admin.acl(
        'SETUSER',
        'counting',
        ...documentedRights.map((right) => right.replace('PASSWORD', password)),
      );
      const counters = await open(
        `redis://counting:${encodeURIComponent(password)}@127.0.0.1:${server.port}/3`,
      );
      expect(await takeAll(counters)).toEqual(exactly);
      expect(await admin.dbsize()).toBe(0);
      await admin.select(3);
      expect(await admin.dbsize()).toBe(2);
      expect((await counters.takeSliding('key', 1, budget)).ok).toBe(true);
      const taken = await counters.take('other', budget);
      if (taken.ok) {
        await counters.confirm(taken.take);
        await counters.giveBack(taken.take);
      }
      expect(await counters.peek('other', budget)).toEqual({ ok: true });
      await admin.select(0);
    });
  });

  describe('while Redis has a fault', () => {
    let undo: () => Promise<unknown>;
    afterEach(async () => {
      await undo();
    });

    test('killed: access is denied, nothing is sent later, and it starts again empty', async () => {
      const counters = await open();
      expect(await takeAll(counters)).toEqual(exactly);
      undo = () => Promise.resolve();
      const under = Array.from({ length: 100 }, () => counters.take('key', budget).catch(() => 'denied'));
      await server.kill();
      await Promise.all(under);
      await expectDenial(counters);
      for (let index = 0; index < 200; index += 1)
        await expect(counters.take(`queued-${index}`, budget)).rejects.toSatisfy(isUnavailable);
      await server.start();
      await expectRecovery(counters);
      expect(await everything()).toEqual([probeKey]);
      expect(await takeAll(counters)).toEqual(exactly);
      expect(lost).toHaveLength(1);
    });

    test('[T17] paused: the first calls are denied after a second, the next immediately', async () => {
      const counters = await open();
      undo = async () => server.resume();
      server.pause();
      await expectDenial(counters);
      // The connection was given up, and no new one has answered.
      const began = performance.now();
      for (let index = 0; index < 1000; index += 1)
        await expect(counters.take('key', budget)).rejects.toSatisfy(isUnavailable);
      expect(performance.now() - began).toBeLessThan(DENIED_WITHIN_MS);
      server.resume();
      await expectRecovery(counters);
      server.pause();
      await expectDenial(counters);
      server.resume();
      await expectRecovery(counters);
      expect(lost).toHaveLength(2);
    });

    test('slow: calls wait for a late reply, but not for a very late one', async () => {
      const proxy = await startDelayingProxy(server.port);
      undo = () => proxy.close();
      proxy.delayMs = 200;
      const counters = await open(`redis://127.0.0.1:${proxy.port}`);
      const began = performance.now();
      expect(await takeAll(counters)).toEqual(exactly);
      expect(performance.now() - began).toBeGreaterThanOrEqual(5 * 190);
      proxy.delayMs = 30_000;
      await expectDenial(counters);
      await expectDenial(counters);
      proxy.delayMs = 0;
      await expectRecovery(counters);
    });

    test('a replica: writes are denied, until a primary is at the address again', async () => {
      const counters = await open();
      undo = () => admin.replicaof('NO', 'ONE');
      await admin.replicaof('127.0.0.1', 1);
      await expectDenial(counters, 'writes');
      await admin.replicaof('NO', 'ONE');
      await expectRecovery(counters);
      expect(await takeAll(counters)).toEqual(exactly);
    });

    test('full: writes are denied, until there is memory again', async () => {
      const counters = await open();
      undo = () => admin.config('SET', 'maxmemory', '0');
      await admin.config('SET', 'maxmemory', '1');
      await expectDenial(counters, 'writes');
      await admin.config('SET', 'maxmemory', '0');
      await expectRecovery(counters);
      expect(await takeAll(counters)).toEqual(exactly);
    });

    test('another password: access is denied, until the password is the same again', async () => {
      const counters = await open();
      undo = () => admin.config('SET', 'requirepass', '');
      await admin.config('SET', 'requirepass', 'other');
      await admin.client('KILL', 'SKIPME', 'YES');
      await expectDenial(counters);
      await expectDenial(counters);
      await admin.config('SET', 'requirepass', '');
      await expectRecovery(counters);
      expect(await takeAll(counters)).toEqual(exactly);
    });

    test('a database that can no longer be selected: nothing is counted in another one', async () => {
      const counters = await open(server.url.replace(/0$/, '3'));
      undo = () => admin.acl('SETUSER', 'default', '+select');
      await admin.acl('SETUSER', 'default', '-select');
      await admin.client('KILL', 'SKIPME', 'YES');
      for (let index = 0; index < 20; index += 1) {
        await expectDenial(counters);
        await new Promise((resolve) => {
          setTimeout(resolve, 50);
        });
      }
      expect(await admin.dbsize()).toBe(0);
      await admin.acl('SETUSER', 'default', '+select');
      await expectRecovery(counters);
      expect(await takeAll(counters)).toEqual(exactly);
      expect(await admin.dbsize()).toBe(0);
    });

    test('scripts that Redis has forgotten are sent again', async () => {
      const counters = await open();
      undo = () => Promise.resolve();
      await counters.take('key', budget);
      await admin.script('FLUSH');
      expect(await takeAll(counters)).toEqual([true, true, false, false, false]);
    });
  });

  describe('the start is prevented, with one line and no secret,', () => {
    const SECRET = 'hunter2';
    const reasonFor = async (url: string) => {
      const [line = '', ...others] = await open(url).then(
        () => ['it started'],
        (error: unknown) => (error as Error).message.split('\n'),
      );
      expect(others).toEqual([]);
      expect(line).not.toContain(SECRET);
      const [, reason] =
        /^REDIS_URL: rediss?:\/\/[\w.:[\]]+\/\d+ cannot be used \((.+)\)\. Name a running Redis 7 /.exec(
          line,
        ) ?? [];
      return reason ?? line;
    };
    const at = (login = '', database = 0) => `redis://${login}127.0.0.1:${server.port}/${database}`;

    test('where nothing listens', async () => {
      expect(await reasonFor(`redis://:${SECRET}@127.0.0.1:1`)).toBe('nothing listens there, ECONNREFUSED');
      expect(await reasonFor(`redis://:${SECRET}@localhost:1`)).toBe('nothing listens there, ECONNREFUSED');
      expect(await reasonFor(`redis://:${SECRET}@[::1]:1`)).toMatch(/^nothing listens there|^E\w+$/);
    });

    test('by a wrong or a missing password', async () => {
      expect(await reasonFor(at(`nobody:${SECRET}@`))).toBe('it rejects the user or the password, WRONGPASS');
      await admin.config('SET', 'requirepass', 'other');
      onTestFinished(async () => void (await admin.config('SET', 'requirepass', '')));
      expect(await reasonFor(at())).toBe('it needs a password, NOAUTH');
      expect(await reasonFor(at(`:${SECRET}@`))).toBe('it rejects the user or the password, WRONGPASS');
    });

    test('by a database that does not exist', async () => {
      expect(await reasonFor(at('', 999))).toBe('it has no database with that number');
    });

    test('by a user who may not run scripts', async () => {
      await admin.acl('SETUSER', 'weak', 'on', `>${SECRET}`, '~*', '+@all', '-@scripting');
      expect(await reasonFor(at(`weak:${SECRET}@`))).toBe('the user may not do that, NOPERM');
    });

    test('by a Redis that takes no writes', async () => {
      await admin.config('SET', 'maxmemory', '1');
      expect(await reasonFor(at())).toBe('its memory is full, OOM');
      await admin.config('SET', 'maxmemory', '0');
      await admin.replicaof('127.0.0.1', 1);
      expect(await reasonFor(at())).toBe('it is a replica that takes no writes, READONLY');
      await admin.replicaof('NO', 'ONE');
    });

    test('by a program that does not answer, and by one that is not Redis', async () => {
      for (const [greeting, reason] of [
        ['', 'it does not answer in time'],
        ['HTTP/1.1 400 Bad Request\r\n\r\n', 'its message is not shown'],
      ] as const) {
        const sockets: Socket[] = [];
        const other = createServer((socket) => {
          sockets.push(socket.on('error', () => undefined));
          socket.write(greeting);
        });
        const port = await listening(other);
        expect(await reasonFor(`redis://127.0.0.1:${port}`)).toBe(reason);
        for (const socket of sockets) socket.destroy();
        other.close();
      }
    });

    test('by a Redis without TLS, if the address requires it', async () => {
      expect(await reasonFor(at().replace('redis:', 'rediss:'))).toMatch(/^E[A-Z_]+$|^it does not answer/);
    });
  });
});

async function listening(server: Server): Promise<number> {
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  return (server.address() as AddressInfo).port;
}

interface DelayingProxy {
  readonly port: number;
  /** How long each reply is delayed. */
  delayMs: number;
  close(): Promise<void>;
}

async function startDelayingProxy(target: number): Promise<DelayingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ port: target, host: '127.0.0.1' });
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    client.pipe(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('data', (bytes) => {
      setTimeout(() => client.write(bytes), proxy.delayMs).unref();
    });
  });
  const proxy = {
    port: await listening(server),
    delayMs: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return proxy;
}
