/** `doctor` over a real Redis: one that is right, one that evicts, one with few permissions, and one that is paused. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { redisMissing, startRedisServer, type RedisServer } from '@svc/testkit/redis-server';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { valueOfCommand } from '../run-command.ts';

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly text: string;
}

let folder: string;
let server: RedisServer;
let admin: Redis;

describe.skipIf(redisMissing())('the check of Redis', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-doctor-'));
    server = await startRedisServer();
    admin = new Redis(server.url);
  });
  afterAll(async () => {
    admin.disconnect();
    await server.remove();
    await rm(folder, { recursive: true });
  });

  async function found(REDIS_URL = server.url): Promise<readonly (readonly [string, string])[]> {
    const value = await valueOfCommand(['doctor'], { DATA_DIR: path.join(folder, 'data'), REDIS_URL });
    return (value['findings'] as Finding[])
      .filter(({ check }) => check === 'redis')
      .map(({ status, text }) => [status, text]);
  }

  test('finds its version and clock, and leaves only a counter that expires', async () => {
    expect(await found()).toEqual([
      ['ok', 'Rate limits can be counted in Redis.'],
      ['ok', expect.stringMatching(/^Redis \d+\.\d+\.\d+ answers\.$/)],
      ['ok', 'Its clock agrees with the clock of this machine.'],
    ]);
    const keys = await admin.keys('*');
    const lifetimes = await Promise.all(keys.map((key) => admin.pttl(key)));
    expect(keys.length).toBeLessThanOrEqual(1);
    expect(lifetimes.filter((lifetimeMs) => lifetimeMs < 0 || lifetimeMs > 120_000)).toEqual([]);
  });

  test('warns of a Redis that may forget attempts', async () => {
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await found()).toContainEqual([
      'warning',
      expect.stringContaining('maxmemory-policy is allkeys-lru'),
    ]);
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
  });

  test('accepts a user who may do no more than the service needs', async () => {
    const rules =
      '>secret resetkeys ~svc:* resetchannels -@all +eval +evalsha +select +client|setname +hmget +hset +hincrby +pexpire +del +get +set';
    await admin.call('ACL', 'SETUSER', 'counting', 'on', ...rules.split(' '));
    const address = new URL(server.url);
    [address.username, address.password] = ['counting', 'secret'];
    expect((await found(address.href)).map(([status]) => status)).toEqual(['ok', 'ok']);
    address.password = 'hunter2';
    const rejected = await found(address.href);
    expect(rejected.map(([status]) => status)).toEqual(['fault']);
    expect(JSON.stringify(rejected)).not.toContain('hunter2');
  });

  test('ends even if Redis does not answer', async () => {
    server.pause();
    expect((await found()).map(([status]) => status)).toEqual(['fault']);
    server.resume();
  });
});
