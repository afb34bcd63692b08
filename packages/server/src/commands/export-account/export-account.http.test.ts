/** `export-account`: that the export is complete, private and without secrets. */
import { mkdtemp, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  bodyOf,
  createTestDatabase,
  filesIn,
  shareOf,
  startServer,
  syncReport,
  type DeviceActor,
  type SessionActor,
  type TestDatabase,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand, valueOfCommand } from '../../../test/run-command.ts';

const CANARY = 'a sentence that only the report body has';
let place: TestDatabase;
let server: TestServer;
let ada: SessionActor;
let bob: SessionActor;
let device: DeviceActor;
let slug: string;
let reportId: string;
let environment: Record<string, string>;
let folder: string;
let target: string;
let targets = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-exports-'));
  place = await createTestDatabase();
  server = await startServer({ config: { database: place.config, bucket: null } });
  environment = {
    DATA_DIR: server.dataDir,
    ...(place.config.kind === 'postgres' ? { DATABASE_URL: place.config.url } : {}),
  };
  [ada, bob] = [await server.signUp({ displayName: 'Ada' }), await server.signUp({ displayName: 'Bob' })];
  device = await server.linkDevice(ada, { deviceName: 'ada’s laptop' });
  ({ reportId } = await syncReport(device, { body: { limitations: [CANARY] } }));
  await syncReport(await server.linkDevice(bob));
  ({ slug } = await shareOf(ada, reportId, {
    label: 'for Bob',
    mode: 'private',
    principals: [{ principalValue: bob.email, policy: { version: 1 } }],
  }));
});
afterAll(async () => {
  await server.close();
  await place.drop();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  targets += 1;
  target = path.join(folder, `export-${targets}`);
});

const exported = (...options: string[]) => runCommand(['export-account', target, ...options], environment);
const accountIn = async (at: string) =>
  JSON.parse(await readFile(path.join(at, 'account.json'), 'utf8')) as Record<
    string,
    Record<string, unknown>[]
  > & {
    account: Record<string, unknown>;
  };

describe('an export', () => {
  test('contains everything that is stored about the account, and nothing about another account', async () => {
    expect(await exported('--email', ada.email)).toEqual({
      exitCode: 0,
      lines: [`Exported the account to ${path.join(target, 'account.json')}.`],
    });
    const held = await accountIn(target);
    expect(held.account).toMatchObject({ userId: ada.user.userId, email: ada.email, displayName: 'Ada' });
    expect(held['sessions']).toHaveLength(1);
    expect(held['devices']).toMatchObject([{ id: device.deviceId, name: 'ada’s laptop', revokedAt: null }]);
    expect(held['workspaces']).toMatchObject([{ kind: 'personal', role: 'owner' }]);
    expect(held['projects']).toHaveLength(1);
    expect(held['reports']).toMatchObject([
      {
        id: reportId,
        ownerId: ada.user.userId,
        state: 'finalized',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        openFindings: expect.any(Object),
      },
    ]);
    expect(held['shares']).toMatchObject([
      { reportId, label: 'for Bob', hasPassword: false, principals: [{ type: 'email', value: bob.email }] },
    ]);
    const actions = held['audit']?.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['device_linked', 'share_created']));
    const text = JSON.stringify(held);
    expect([text.includes(bob.user.userId), text.includes(CANARY)]).toEqual([false, false]);
  });

  test('[D19] contains the decisions of the account with their notes, and no decision of another account', async () => {
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const decide = async (by: SessionActor, id: string, note: string) =>
      bodyOf(
        await by.api.changeFindingStatus({
          params: { id, findingId: 'F-1' },
          body: { status: 'accepted_risk', reason: 'mitigated', note, until },
        }),
      );
    await decide(ada, reportId, 'Ada wrote this.');
    const [ofBob] = bodyOf(await bob.api.listReports({})).reports;
    await decide(bob, ofBob?.reportId ?? '', 'Bob wrote this.');
    await exported('--email', ada.email);
    const held = await accountIn(target);
    expect(held['decisionTexts']).toMatchObject([
      { reportId, status: 'accepted_risk', reason: 'mitigated', note: 'Ada wrote this.', until },
    ]);
    expect(JSON.stringify(held)).not.toContain('Bob wrote this.');
  });

  test('names the shares of others that name the account', async () => {
    await exported('--user-id', bob.user.userId);
    expect((await accountIn(target))['namedInSharesOfOthers']).toMatchObject([
      { reportId, type: 'email', value: bob.email, label: null },
    ]);
  });

  test('with --reports has the report bodies as they were uploaded', async () => {
    const value = await valueOfCommand(
      ['export-account', target, '--email', ada.email, '--reports'],
      environment,
    );
    expect(value).toEqual({
      command: 'export-account',
      exitCode: 0,
      folder: target,
      reportBodies: 1,
      faults: [],
    });
    const body = await readFile(path.join(target, 'reports', `${reportId}.json`), 'utf8');
    expect((JSON.parse(body) as { limitations: string[] }).limitations).toEqual([CANARY]);
  });

  test('contains no secret, neither in plain form nor as stored', async () => {
    await exported('--email', ada.email, '--reports');
    const { read } = server.service.database;
    const rows = [
      ...(await read.selectFrom('users').select(['passwordHash', 'recoveryCodeHash']).execute()),
      ...(await read.selectFrom('sessions').select('tokenHash').execute()),
      ...(await read.selectFrom('devices').select('tokenHash').execute()),
      ...(await read.selectFrom('shares').select('slugHash').execute()),
      ...(await read.selectFrom('reports').select('wrappedKey').execute()),
    ];
    const stored = rows.flatMap((row) => Object.values(row) as (string | Uint8Array)[]);
    const secrets = [
      ada.cookie.split('=')[1] ?? '',
      device.deviceToken,
      slug,
      ada.password,
      ada.recoveryCode,
    ];
    const forms = [...stored, ...secrets].flatMap((secret) =>
      typeof secret === 'string'
        ? [secret]
        : (['hex', 'base64', 'base64url'] as const).map((form) => Buffer.from(secret).toString(form)),
    );
    expect(forms.length).toBeGreaterThan(20);
    for (const file of filesIn(target)) {
      const text = await readFile(file, 'utf8');
      expect(forms.filter((form) => form.length > 5 && text.includes(form))).toEqual([]);
    }
  });

  test('can be read by its owner only, and no other file is created beside it', async () => {
    await exported('--email', ada.email, '--reports');
    const all = [target, path.join(target, 'reports'), ...filesIn(target)];
    const modes = await Promise.all(all.map(async (file) => (await stat(file)).mode & 0o077));
    expect([all.length, new Set(modes)]).toEqual([4, new Set([0])]);
    expect((await readdir(folder)).filter((name) => name.includes('.new'))).toEqual([]);
  });

  test('names a report body that is missing, and contains the rest', async () => {
    const { reportId: lost } = await syncReport(device);
    const { blobName } = await server.service.database.read
      .selectFrom('uploads')
      .select('blobName')
      .where('reportId', '=', lost)
      .executeTakeFirstOrThrow();
    const blob = filesIn(path.join(server.dataDir, 'blobs')).find((file) => file.endsWith(blobName ?? ''));
    await unlink(blob ?? '');
    expect(await exported('--email', ada.email, '--reports')).toEqual({
      exitCode: 1,
      lines: [
        expect.stringContaining('with 1 report body'),
        expect.stringMatching(new RegExp(`^- the body of report ${lost} is missing`)),
      ],
    });
    expect(await readdir(path.join(target, 'reports'))).toEqual([`${reportId}.json`]);
    bodyOf(await ada.api.deleteReport({ params: { id: lost } }));
  });
});

test.each<[string, string[]]>([
  ['Name the account', []],
  ['There is no account with this address', ['--email', 'unknown@example.com']],
  ['not both', ['--email', 'ada@example.com', '--user-id', 'usr_1']],
])('fails with "%s" when called with %j, and creates nothing', async (said, options) => {
  expect(await exported(...options)).toEqual({ exitCode: 2, lines: [expect.stringContaining(said)] });
  expect(await readdir(folder)).not.toContain(path.basename(target));
});

test('rejects a folder that exists, and a folder whose parent does not exist', async () => {
  const at = (given: string) => runCommand(['export-account', given, '--email', ada.email], environment);
  expect(await at(folder)).toEqual({ exitCode: 2, lines: [expect.stringContaining('already')] });
  expect(await at(path.join(target, 'deeper'))).toMatchObject({ exitCode: 2 });
});

test('leaves no files when it is interrupted', async () => {
  const interruption = new AbortController();
  interruption.abort();
  const outcome = await runCommand(['export-account', target, '--email', ada.email], environment, {
    signal: interruption.signal,
  });
  expect(outcome).toEqual({ exitCode: 2, lines: ['Interrupted.'] });
  expect((await readdir(folder)).filter((name) => name.startsWith(path.basename(target)))).toEqual([]);
});

test('[D16] bodies of deleted reports are not in an export', async () => {
  const { reportId: deleted } = await syncReport(device);
  bodyOf(await ada.api.deleteReport({ params: { id: deleted } }));
  await exported('--email', ada.email, '--reports');
  expect(await readdir(path.join(target, 'reports'))).toEqual([`${reportId}.json`]);
});
