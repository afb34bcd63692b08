/** `end-sessions` beside a running service: what ends, what stays, and that it takes effect with the next request. */
import {
  approveLink,
  bodyOf,
  codeOf,
  createTestDatabase,
  exchangeLink,
  postgresUrl,
  startServer,
} from '@svc/testkit';
import type { DeviceActor, SessionActor, TestDatabase, TestServer } from '@svc/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand, valueOfCommand } from '../../../test/run-command.ts';
import type { Around } from '../frame/run-command.ts';

let place: TestDatabase;
let server: TestServer;
let ada: SessionActor;
let bob: SessionActor;
let devices: readonly [DeviceActor, DeviceActor];
let environment: Record<string, string>;

beforeEach(async () => {
  place = await createTestDatabase();
  server = await startServer({ config: { database: place.config } });
  [ada, bob] = [await server.signUp(), await server.signUp()];
  devices = [await server.linkDevice(ada), await server.linkDevice(bob)];
  environment = {
    DATA_DIR: server.dataDir,
    ...(place.config.kind === 'postgres' ? { DATABASE_URL: place.config.url } : {}),
  };
});
afterEach(async () => {
  await server.close();
  await place.drop();
});

const end = (...options: string[]) => runCommand(['end-sessions', ...options], environment);
const endWith = (around: Partial<Around>, ...options: string[]) =>
  runCommand(['end-sessions', ...options], environment, around);

/** The state of both sessions and both devices; each request may fill the caches. */
async function states(): Promise<string[]> {
  const found = [];
  for (const { api } of [ada, bob, ...devices]) found.push(codeOf(await api.listWorkspaces()));
  return found;
}

const revocations = async () => {
  const [workspace] = bodyOf(await bob.api.listWorkspaces()).workspaces;
  const { entries } = bodyOf(
    await bob.api.listWorkspaceAudit({ params: { id: workspace?.workspaceId ?? '' } }),
  );
  return entries.filter(({ action }) => action === 'device_revoked');
};

describe('end-sessions for one account', () => {
  test.each([
    ['email address in any letter case', () => ['--email', ada.email.toUpperCase()]],
    ['id', () => ['--user-id', ada.user.userId]],
  ])('named by its %s: its sessions end with the next request, and nothing else does', async (_, named) => {
    expect(await states()).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(await end(...named())).toEqual({ exitCode: 0, lines: ['Ended 1 session of 1 account.'] });
    expect(await states()).toEqual(['UNAUTHENTICATED', 'ok', 'ok', 'ok']);
    expect(await end(...named())).toEqual({ exitCode: 0, lines: ['Ended 0 sessions of 1 account.'] });
  });

  test('with --devices also revokes its devices and approvals, and records this without an actor', async () => {
    const link = await server.beginLink();
    bodyOf(await approveLink(bob, link));
    expect(await states()).toEqual(['ok', 'ok', 'ok', 'ok']);
    const value = await valueOfCommand(['end-sessions', '--email', bob.email, '--devices'], environment);
    expect(value).toEqual({
      command: 'end-sessions',
      exitCode: 0,
      sessions: 1,
      devices: 1,
      accounts: 1,
      left: 0,
    });
    expect(await states()).toEqual(['ok', 'UNAUTHENTICATED', 'ok', 'DEVICE_REVOKED']);
    expect(codeOf(await exchangeLink(server, link))).toBe('FORBIDDEN');
    bob = { ...bob, ...server.withCookie(await server.logIn(bob)) };
    expect(await revocations()).toMatchObject([{ actorId: null }]);
    expect(await runCommand(['audit', 'verify'], environment)).toMatchObject({ exitCode: 0 });
  });
});

describe('end-sessions for all accounts', () => {
  test('ends every session and revokes every device after --yes', async () => {
    expect(await states()).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(await end('--all', '--devices', '--yes')).toEqual({
      exitCode: 0,
      lines: ['Ended 2 sessions and revoked 2 devices of 2 accounts.'],
    });
    expect(await states()).toEqual([
      'UNAUTHENTICATED',
      'UNAUTHENTICATED',
      'DEVICE_REVOKED',
      'DEVICE_REVOKED',
    ]);
    expect(await end('--all', '--devices', '--yes')).toEqual({
      exitCode: 0,
      lines: ['Ended 0 sessions and revoked 0 devices of 0 accounts.'],
    });
  });

  test('asks first, and ends nothing without a yes', async () => {
    const questions: string[] = [];
    const confirm = (question: string) => {
      questions.push(question);
      return Promise.resolve(false);
    };
    expect(await endWith({ confirm }, '--all')).toMatchObject({ exitCode: 1 });
    expect(questions).toEqual(['End all sessions of 2 accounts?']);
    expect(await states()).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  test('stops between two accounts when it is interrupted, and says what is left', async () => {
    const interruption = new AbortController();
    const report = () => interruption.abort();
    expect(await endWith({ signal: interruption.signal, report }, '--all', '--yes')).toEqual({
      exitCode: 1,
      lines: ['Ended 1 session of 1 account.', '1 account left: run the command again.'],
    });
    expect((await states()).filter((state) => state === 'ok')).toHaveLength(3);
  });
});

test.each<[string, string[]]>([
  ['Name one account', []],
  ['Name one account', ['--all', '--email', 'ada@example.com']],
  ['not both', ['--user-id', 'usr_1', '--email', 'ada@example.com']],
  ['--user-id must be', ['--user-id', 'ada']],
  ['There is no account with this address', ['--email', 'unknown@example.com']],
  ['Too many arguments', ['ada@example.com']],
])('fails with "%s" when called with %j', async (said, options) => {
  const { exitCode, lines } = await end(...options);
  expect([exitCode, lines[0]]).toEqual([2, expect.stringContaining(said)]);
  expect(await states()).toEqual(['ok', 'ok', 'ok', 'ok']);
});

test.skipIf(postgresUrl !== undefined)('creates no database if none exists', async () => {
  expect(await runCommand(['end-sessions', '--all', '--yes'], { DATA_DIR: '/nowhere' })).toEqual({
    exitCode: 2,
    lines: ['DATA_DIR: there is no file /nowhere/svc.db. Name the folder of the service.'],
  });
});
