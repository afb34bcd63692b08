/** The administrator's first sign-up: once, with the setup token or from the machine itself. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  atOnce,
  bodyOf,
  createTeam,
  createTestStorage,
  exchangeRaw,
  invitationTo,
  PASSWORD,
  postgresUrl,
  readSetupToken,
  startServer,
  type TestServer,
  type TestServerOptions,
  type TestStorage,
  wholeAnswer,
} from '@svc/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ADMIN = 'boss@example.test';
const CONFIGURED = 'a token of twenty characters';

let storage: TestStorage;
let dataDir: string;
let masterKey: Uint8Array;

beforeEach(async () => {
  storage = await createTestStorage();
  ({ dataDir } = storage);
  masterKey = randomBytes(32);
});
afterEach(() => storage[Symbol.asyncDispose]());

type Config = NonNullable<TestServerOptions['config']>;

/** Uses this test's data folder, so that a second start is a restart. */
const start = (config: Config = {}, options: TestServerOptions = {}) =>
  startServer({
    ...options,
    config: {
      dataDir,
      database: storage.database,
      masterKeys: [masterKey],
      platformAdminEmail: ADMIN,
      ...config,
    },
  });

interface Attempt {
  readonly status: number;
  /** The whole response, except for the request id and the time. */
  readonly bytes: string;
}

async function attempt({ anonymous }: TestServer, body: Record<string, unknown>): Promise<Attempt> {
  const answer = await anonymous.post('/auth/signup', { email: ADMIN, password: PASSWORD, ...body });
  return { status: answer.status, bytes: await wholeAnswer(answer) };
}

const statusesOf = (attempts: readonly Attempt[]) =>
  attempts.map(({ status }) => status).toSorted((one, other) => one - other);

const accountsIn = ({ service }: TestServer) =>
  service.database.read.selectFrom('users').select(['email', 'adminFlag']).execute();
const storedIn = ({ service }: TestServer) =>
  service.database.read.selectFrom('deployment').select('value').where('name', '=', 'setup-token').execute();
const fileToken = () => readSetupToken(dataDir);

describe('from outside', () => {
  test('[T25] without the token or with a wrong one, a sign-up fails like a sign-up with a taken address', async () => {
    await using server = await start();
    const token = fileToken() ?? '';
    const taken = await server.signUp();
    const expected = await attempt(server, { email: taken.email });
    expect(expected.status).toBe(409);
    const wrong = [token.slice(1), `${token}x`, token.toUpperCase(), 'x', 'x'.repeat(256), ' ', 'ä€😀'];
    for (const setupToken of [undefined, ...wrong])
      expect(await attempt(server, { setupToken })).toEqual(expected);
    expect(await attempt(server, { email: ` ${ADMIN.toUpperCase()} ` })).toEqual(expected);
    expect(await attempt(server, { email: taken.email, setupToken: token })).toEqual(expected);
    expect((await accountsIn(server)).map(({ email }) => email)).toEqual([taken.email]);
    expect(fileToken()).toBe(token);
  });

  test('[T25] the token works once, even in 20 parallel sign-ups; then file and hash are deleted', async () => {
    await using server = await start();
    const setupToken = fileToken();
    const attempts = await atOnce(20, () => attempt(server, { setupToken }));
    expect(statusesOf(attempts)).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect(await accountsIn(server)).toEqual([{ email: ADMIN, adminFlag: 1 }]);
    expect(await storedIn(server)).toEqual([]);
    expect(fileToken()).toBeUndefined();
    expect(await attempt(server, { setupToken })).toMatchObject({ status: 409 });
  });

  test('[T25] a sign-up with the token and another address creates an ordinary account, and does not spend the token', async () => {
    await using server = await start();
    const setupToken = fileToken();
    expect((await attempt(server, { email: 'other@example.test', setupToken })).status).toBe(201);
    expect(await accountsIn(server)).toEqual([{ email: 'other@example.test', adminFlag: 0 }]);
    expect((await attempt(server, { setupToken })).status).toBe(201);
  });

  test('[T25] a wrong token counts against the rate limit of sign-ups', async () => {
    await using server = await start({}, { throttled: true });
    const statuses: number[] = [];
    for (let tries = 0; tries < 21; tries += 1)
      statuses.push((await attempt(server, { setupToken: `guess ${tries}` })).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 409), 429]);
  });

  test.each(['open', 'invited'] as const)(
    '[T25] in the mode %s, no invitation replaces the token',
    async (signUp) => {
      let invitation: string;
      {
        await using server = await start();
        const member = await server.signUp();
        invitation = await invitationTo(member, await createTeam(member));
      }
      await using server = await start({ signUp });
      expect((await attempt(server, { invitation })).status).toBe(409);
      expect(await accountsIn(server)).toMatchObject([{ adminFlag: 0 }]);
      expect((await attempt(server, { invitation, setupToken: fileToken() })).status).toBe(201);
    },
  );

  test('[T25] no Host header, forwarding header or hop setting replaces the token', async () => {
    const allowedHosts = ['svc.test', 'localhost.evil.test'];
    const local = { appBaseUrl: 'http://localhost:8787', allowedHosts };
    const denied: [Config, Record<string, string>][] = [
      [{ appBaseUrl: 'http://svc.test' }, { host: 'localhost' }],
      [local, { host: 'svc.test' }],
      [local, { host: 'localhost.evil.test' }],
      [local, { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }],
      [local, { host: 'localhost', forwarded: 'for=127.0.0.1' }],
      [local, { host: 'localhost', via: '1.1 proxy' }],
      [local, { host: 'localhost', 'x-real-ip': '127.0.0.1' }],
      [{ ...local, trustedProxyHops: 1 }, { host: 'localhost' }],
    ];
    for (const [config, headers] of denied) {
      await using server = await start(config);
      expect([config, headers, await rawSignUp(server, headers)]).toEqual([config, headers, 409]);
      expect(await accountsIn(server)).toEqual([]);
    }
  });
});

/** `fetch` cannot send another Host header. */
async function rawSignUp(server: TestServer, headers: Record<string, string>): Promise<number | undefined> {
  const body = JSON.stringify({ email: ADMIN, password: PASSWORD });
  const lines = Object.entries({
    'content-type': 'application/json',
    'content-length': String(body.length),
    connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  const { answers } = await exchangeRaw(
    server.port,
    `POST /api/v1/auth/signup HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  );
  return answers[0]?.status;
}

test('[T25] on the machine itself no token is needed, and none remains', async () => {
  await using server = await start({ appBaseUrl: 'http://localhost:8787' });
  expect(fileToken()).toBeDefined();
  expect(await rawSignUp(server, { host: 'localhost:8787' })).toBe(201);
  expect(await accountsIn(server)).toEqual([{ email: ADMIN, adminFlag: 1 }]);
  expect([await storedIn(server), fileToken()]).toEqual([[], undefined]);
});

describe('the file', () => {
  test('[T25] is readable by its owner only, and rewritten when it is lost, changed, readable by others or a symbolic link', async () => {
    const file = path.join(dataDir, 'setup-token');
    await (await start()).close();
    const token = fileToken();
    expect(token).toMatch(/^[\w-]{43}$/);
    const elsewhere = path.join(dataDir, 'elsewhere');
    await writeFile(elsewhere, 'untouched');
    const damage = [
      () => Promise.resolve(),
      () => unlink(file),
      () => writeFile(file, 'something else\n'),
      () => chmod(file, 0o644),
      async () => {
        await unlink(file);
        await symlink(elsewhere, file);
      },
    ];
    for (const spoil of damage) {
      await spoil();
      await using server = await start();
      expect(fileToken()).toBe(token);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(server.service.pendingSetup).toEqual({ file });
    }
    await using server = await start();
    expect((await attempt(server, { setupToken: token })).status).toBe(201);
  });

  test('[T25] neither database nor log contains the token', async () => {
    await using server = await start();
    const token = fileToken() ?? '';
    const [{ value } = { value: '' }] = await storedIn(server);
    await attempt(server, { setupToken: `${token}x` });
    await attempt(server, { setupToken: token });
    for (const text of [value, server.logLines.join('')]) {
      expect(text).not.toBe('');
      expect(text).not.toContain(token);
      expect(text).not.toContain(ADMIN);
    }
  });

  test('[T25] is deleted when no administrator is configured, and does not come back when that address signs up', async () => {
    await (await start()).close();
    await (await start({ platformAdminEmail: null })).close();
    expect(fileToken()).toBeUndefined();
    await using server = await start({ platformAdminEmail: null });
    await server.signUp({ email: ADMIN });
    await server.close();
    expect(await readdir(dataDir)).not.toContain('setup-token');
  });
});

describe('what changes the token', () => {
  test('[T25] another address gets another token', async () => {
    await (await start()).close();
    const before = fileToken();
    await using server = await start({ platformAdminEmail: 'next@example.test' });
    const after = fileToken();
    expect(after).not.toBe(before);
    const email = 'next@example.test';
    expect((await attempt(server, { email, setupToken: before })).status).toBe(409);
    expect((await attempt(server, { email, setupToken: after })).status).toBe(201);
  });

  test('[T25] SVC_SETUP_TOKEN replaces the token and its file, and a new value replaces the old one', async () => {
    await (await start()).close();
    const before = fileToken();
    await using first = await start({ setupToken: CONFIGURED });
    expect(fileToken()).toBeUndefined();
    expect(first.service.pendingSetup).toEqual({ file: null });
    expect((await attempt(first, { setupToken: before })).status).toBe(409);
    await first.close();
    await using second = await start({ setupToken: `${CONFIGURED}, newer` });
    expect((await attempt(second, { setupToken: CONFIGURED })).status).toBe(409);
    expect((await attempt(second, { setupToken: ` ${CONFIGURED}, newer\n` })).status).toBe(201);
    await second.close();
    await using third = await start({ setupToken: CONFIGURED });
    expect(third.service.pendingSetup).toBeNull();
  });

  test('[T25] deleting the account creates a new token, and the old one stays invalid', async () => {
    await using server = await start();
    const before = fileToken();
    const admin = await server.signUp({ email: ADMIN });
    bodyOf(await admin.api.deleteAccount({ body: { password: admin.password } }));
    const after = fileToken();
    expect(after).toBeDefined();
    expect(after).not.toBe(before);
    expect((await attempt(server, { setupToken: before })).status).toBe(409);
    expect((await attempt(server, { setupToken: after })).status).toBe(201);
  });
});

describe.skipIf(postgresUrl === undefined)('two replicas (only on PostgreSQL)', () => {
  test('[T25] that start together share one token, each in its own folder, and it works once', async () => {
    const otherDir = await mkdtemp(path.join(tmpdir(), 'svc-setup-'));
    try {
      const [one, other] = await Promise.all([start(), start({ dataDir: otherDir })]);
      const setupToken = fileToken();
      expect(setupToken).toBeDefined();
      expect(readSetupToken(otherDir)).toBe(setupToken);
      const attempts = await Promise.all([attempt(one, { setupToken }), attempt(other, { setupToken })]);
      expect(statusesOf(attempts)).toEqual([201, 409]);
      expect(await storedIn(one)).toEqual([]);
      for (const replica of [one, other]) await replica.runJob('setup token');
      expect([fileToken(), readSetupToken(otherDir)]).toEqual([undefined, undefined]);
      await Promise.all([one.close(), other.close()]);
    } finally {
      await rm(otherDir, { recursive: true, force: true });
    }
  });
});
