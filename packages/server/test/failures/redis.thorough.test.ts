/**
 * The service with its rate limits in Redis: replicas share them, guesses are denied while Redis is gone, everything else
 * is counted in the process, and some faults prevent the start.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  codeOf,
  createShell,
  PASSWORD,
  progressEvents,
  shareOf,
  startServer,
  type TestServer,
} from '@svc/testkit';
import { redisMissing, startRedisServer, type RedisServer } from '@svc/testkit/redis-server';
import { launchService, startServiceProcess } from '@svc/testkit/service-process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { systemClock } from '#platform/clock';

/** Two seconds are promised, on a machine that is not busy. */
const ANSWERED_WITHIN_MS = 15_000;
const RECOVERED_WITHIN_MS = 20_000;
const LINK = {
  verifierHash: 'a'.repeat(64),
  deviceName: 'laptop',
  clientVersion: '1.0.0',
  osFamily: 'linux',
  arch: 'x64',
};
const SHARE_PASSWORD = 'Crème brûlée, 8 portions';

describe.skipIf(redisMissing())('a service with Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(() => redis.remove());

  const config = () => ({
    redis: readConfig({ REDIS_URL: redis.url }).redis,
    masterKeys: [new Uint8Array(32)],
  });
  const statusOf = async (calling: Promise<Response>) => (await calling).status;

  test('[T4] replicas share the limits of sign-ins', async () => {
    await using one = await startServer({ throttled: true, config: config() });
    await using other = await startServer({ throttled: true, config: config() });
    const wrong = { email: 'someone@example.test', password: 'wrong horse battery' };
    const statuses = [];
    for (let index = 0; index < 12; index += 1) {
      const { anonymous } = index % 2 === 0 ? one : other;
      statuses.push(await statusOf(anonymous.post('/auth/login', wrong)));
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  });

  describe('while Redis is gone', () => {
    let server: TestServer;
    let email: string;
    let cookie: string;
    let withPassword: string;
    let without: string;
    beforeAll(async () => {
      server = await startServer({ config: config() });
      const owner = await server.signUp();
      ({ email, cookie } = owner);
      const { reportId } = await createShell(await server.linkDevice(owner));
      ({ slug: withPassword } = await shareOf(owner, reportId, { password: SHARE_PASSWORD }));
      ({ slug: without } = await shareOf(owner, reportId));
    });
    afterAll(() => server.close());

    const readShare = (slug: string, password?: string) =>
      server.anonymous.fetch(`/api/v1/shares/slug/${slug}/report`, {
        headers:
          password === undefined ? {} : { 'x-svc-share-password': Buffer.from(password).toString('latin1') },
      });
    const post = (path: string, body: unknown) => server.anonymous.post(path, body);
    const ready = async () => {
      const response = await server.anonymous.fetch('/api/v1/ready');
      const { checks } = (await response.json()) as { checks: { counters: string } };
      return [response.status, checks.counters];
    };

    /** Requests that can guess a secret, and so are denied without counters. */
    const guesses = {
      'a right sign-in': () => post('/auth/login', { email, password: PASSWORD }),
      'a wrong sign-in': () => post('/auth/login', { email, password: 'wrong horse battery' }),
      'a sign-up': () => post('/auth/signup', { email: 'new@example.test', password: PASSWORD }),
      'a recovery': () =>
        post('/auth/recover', {
          email,
          recoveryCode: '00000-00000-00000-00000-00000',
          newPassword: 'another horse battery',
        }),
      'a right password of a share': () => readShare(withPassword, SHARE_PASSWORD),
      'a wrong password of a share': () => readShare(withPassword, 'wrong'),
    };

    const faults = {
      killed: { begin: () => redis.kill(), end: () => redis.start() },
      paused: { begin: async () => redis.pause(), end: async () => redis.resume() },
    };
    type FaultName = keyof typeof faults;

    /** Begins without the fault, and ends with a service that has recovered. */
    async function during(name: FaultName, check: () => Promise<void>): Promise<void> {
      // From now on the password is remembered, so that it costs no hash.
      expect(await statusOf(guesses['a right password of a share']())).toBe(200);
      await faults[name].begin();
      try {
        await check();
      } finally {
        await faults[name].end();
      }
      const signIn = () => statusOf(guesses['a right sign-in']());
      await expect.poll(signIn, { timeout: RECOVERED_WITHIN_MS }).toBe(200);
      await expect.poll(ready, { timeout: RECOVERED_WITHIN_MS }).toEqual([200, 'ok']);
      expect(await statusOf(guesses['a right password of a share']())).toBe(200);
    }

    const faultNames = Object.keys(faults) as FaultName[];

    test.each(faultNames)(
      '[T4] [T17] returns 503 in time for guesses that it cannot count: %s',
      async (name) => {
        await during(name, async () => {
          for (const [what, call] of Object.entries(guesses)) {
            const began = performance.now();
            const response = await call();
            expect([what, response.status, response.headers.get('retry-after')]).toEqual([what, 503, '5']);
            expect(response.headers.getSetCookie()).toEqual([]);
            expect(performance.now() - began).toBeLessThan(ANSWERED_WITHIN_MS);
          }
        });
      },
    );

    test.each(faultNames)('[D15] counts all other calls in the process: %s', async (name) => {
      await using throttled = await startServer({ throttled: true, config: config() });
      const start = () => statusOf(throttled.anonymous.post('/device-links', LINK));
      const one = await throttled.signUp();
      const reporter = await throttled.linkDevice(one);
      const shell = await createShell(reporter);
      await during(name, async () => {
        const statuses = [];
        for (let index = 0; index <= 30; index += 1) statuses.push(await start());
        expect(statuses).toEqual([...Array.from({ length: 30 }, () => 201), 429]);
        const events = progressEvents(systemClock, shell.reportId, 25);
        expect(await statusOf(reporter.post(`/reports/${shell.reportId}/progress`, { events }))).toBe(200);
      });
      // Redis has counted one link.
      await expect.poll(start, { timeout: RECOVERED_WITHIN_MS }).toBe(201);
    });

    test.each(faultNames)('[D15] allows everything else, and is not ready: %s', async (name) => {
      await during(name, async () => {
        const { api } = server.withCookie(cookie);
        expect(codeOf(await api.getSession())).toBe('ok');
        expect(codeOf(await api.listReports({ query: {} }))).toBe('ok');
        expect(await statusOf(readShare(without))).toBe(200);
        expect(codeOf(await server.anonymous.api.getHealth())).toBe('ok');
        // Dependencies are checked once a second.
        await expect.poll(ready, { timeout: RECOVERED_WITHIN_MS }).toEqual([503, 'failing']);
        expect(server.logLines.filter((line) => line.includes('connection to Redis lost'))).not.toEqual([]);
      });
    });
  });

  describe('as a process', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'svc-redis-start-'));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    async function rejection(environment: Record<string, string>): Promise<string[]> {
      const launched = await launchService({ dataDir: join(folder, 'data'), environment });
      expect(await launched.ended).toEqual({ code: 1, signal: null });
      return launched.output().trimEnd().split('\n');
    }

    test('[D15] starts from the bundle, signs up, and ends with 0', async () => {
      const service = await startServiceProcess({ environment: { REDIS_URL: redis.url } });
      await service.signUp();
      expect(await service.stop()).toBe(0);
    });

    test('[D15] ends with 0 while Redis is gone', async () => {
      const service = await startServiceProcess({ environment: { REDIS_URL: redis.url } });
      await redis.kill();
      try {
        expect((await service.anonymous.api.getReady()).status).toBe(503);
        expect(await service.stop()).toBe(0);
      } finally {
        await redis.start();
      }
    });

    test('[D15] does not start with a wrong password, and says so in one line', async () => {
      const url = redis.url.replace('//', '//someone:hunter2@');
      expect(await rejection({ REDIS_URL: url })).toEqual([
        expect.stringMatching(
          /^svc cannot start\. REDIS_URL: redis:\/\/127\.0\.0\.1:\d+\/0 cannot be used \(it rejects the user or the password, WRONGPASS\)\. Name /,
        ),
      ]);
    });

    test('[T23] speaks TLS to rediss://, and only to a server whose certificate it trusts', async () => {
      const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
      const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost`;
      await promisify(execFile)('openssl', [...request.split(' '), '-keyout', key, '-out', certificate]);
      await using secure = await startRedisServer((port) => [
        '--port',
        '0',
        '--tls-port',
        String(port),
        '--tls-auth-clients',
        'no',
        '--tls-cert-file',
        certificate,
        '--tls-key-file',
        key,
      ]);
      const trusting = { NODE_EXTRA_CA_CERTS: certificate };
      const url = `rediss://localhost:${secure.port}`;
      await using service = await startServiceProcess({ environment: { REDIS_URL: url, ...trusting } });
      await service.signUp();
      expect(await rejection({ REDIS_URL: url })).toEqual([
        expect.stringContaining(`REDIS_URL: ${url}/0 cannot be used (DEPTH_ZERO_SELF_SIGNED_CERT)`),
      ]);
      const wrongName = url.replace('localhost', '127.0.0.1');
      expect(await rejection({ REDIS_URL: wrongName, ...trusting })).toEqual([
        expect.stringContaining(`REDIS_URL: ${wrongName}/0 cannot be used (ERR_TLS_CERT_ALTNAME_INVALID)`),
      ]);
    });
  });
});
