/** `rotate-master-key`: while services run, after interruptions, and with a key missing. */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  bindProject,
  bodyOf,
  createTestStorage,
  postgresUrl,
  reportRow,
  shareOf,
  startServer,
  syncReport,
  type SessionActor,
  type TestServer,
  type TestStorage,
} from '@svc/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fixedKeys } from '#platform/master-key';
import { beginRotation, findRotation } from '#platform/master-key-rotation';
import { systemRandom } from '#platform/random';
import { createUnwrapping } from '#platform/report-keys';
import { SealBrokenError } from '#platform/sealing';
import { runCommand, valueOfCommand } from '../../../test/run-command.ts';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];

let storage: TestStorage;
beforeEach(async () => {
  storage = await createTestStorage();
});
afterEach(() => storage[Symbol.asyncDispose]());

const start = (masterKeys: readonly Uint8Array[]) =>
  startServer({
    generousPlans: true,
    config: { dataDir: storage.dataDir, database: storage.database, masterKeys },
  });
/** Another replica: on SQLite only one process may use a data folder. */
const startReplica = (masterKeys: readonly Uint8Array[]) =>
  startServer({ generousPlans: true, config: { database: storage.database, masterKeys } });

function environmentOf(masterKeys: readonly Uint8Array[]) {
  const { database, dataDir } = storage;
  return {
    DATA_DIR: dataDir,
    ...(database.kind === 'postgres' ? { DATABASE_URL: database.url } : {}),
    SVC_MASTER_KEY: masterKeys.map((key) => Buffer.from(key).toString('base64')).join(','),
  };
}
const rotate = (masterKeys: readonly Uint8Array[], ...options: string[]) =>
  runCommand(['rotate-master-key', ...options], environmentOf(masterKeys));

/** Whether this key alone unwraps the key of the report. */
async function isWrappedBy(server: TestServer, reportId: string, key: Uint8Array): Promise<boolean> {
  const { wrappedKey } = await reportRow(server, reportId);
  try {
    createUnwrapping(fixedKeys([key])).unwrap(reportId, wrappedKey ?? new Uint8Array());
    return true;
  } catch {
    return false;
  }
}

async function isReadable(reader: Pick<SessionActor, 'api'>, reportId: string): Promise<boolean> {
  return bodyOf(await reader.api.getReport({ params: { id: reportId } })).report !== null;
}

const rejectionOf = (starting: Promise<TestServer>) =>
  starting.then(
    (server) => server.close().then(() => 'started'),
    (error: unknown) => (error as { lines?: readonly string[] }).lines,
  );

describe('with the keys in SVC_MASTER_KEY', () => {
  test('[D6] wraps every key again, and the old key is not needed afterwards', async () => {
    let reportId: string;
    let cookie: string;
    {
      await using server = await start([OLD]);
      const owner = await server.signUp();
      ({ cookie } = owner);
      ({ reportId } = await syncReport(await server.linkDevice(owner)));
    }
    {
      await using server = await start([NEW, OLD]);
      const owner = server.withCookie(cookie);
      expect(await isWrappedBy(server, reportId, OLD)).toBe(true);
      const { exitCode, lines } = await rotate([NEW, OLD]);
      expect([exitCode, lines]).toEqual([
        0,
        [
          'Keys wrapped by the new master key: 1, of which this run wrapped 1.',
          'Now remove the old key from SVC_MASTER_KEY of every replica, and restart them.',
          expect.stringMatching(/^Keep the old key as long as you keep backups/),
        ],
      ]);
      expect(await isWrappedBy(server, reportId, NEW)).toBe(true);
      expect(await isReadable(owner, reportId)).toBe(true);
    }
    await using server = await start([NEW]);
    expect(await isReadable(server.withCookie(cookie), reportId)).toBe(true);
    expect(await rejectionOf(startReplicaOrSame([OLD], server))).toEqual([
      expect.stringMatching(/is not the key of this deployment/),
    ]);
  });

  test('[D6] a service that knows both keys wraps with the old one before the rotation, and with the new one after it', async () => {
    await using server = await start([NEW, OLD].toReversed());
    const owner = await server.signUp();
    const device = await server.linkDevice(owner);
    const before = await syncReport(device);
    expect(await isWrappedBy(server, before.reportId, OLD)).toBe(true);
    expect((await rotate([NEW, OLD])).exitCode).toBe(0);
    const after = await syncReport(device);
    expect(await isWrappedBy(server, after.reportId, NEW)).toBe(true);
    for (const { reportId } of [before, after]) expect(await isReadable(owner, reportId)).toBe(true);
  });

  test('[D6] a service that knows only the old key stores no report with it afterwards', async () => {
    await using server = await start([OLD]);
    const owner = await server.signUp();
    const device = await server.linkDevice(owner);
    const before = await syncReport(device);
    expect((await rotate([NEW, OLD])).exitCode).toBe(0);
    await expect(syncReport(device)).rejects.toThrow(/INTERNAL/);
    expect(server.logLines.join('')).toContain('replaced by one that this process does not know');
    expect(await isWrappedBy(server, before.reportId, NEW)).toBe(true);
  });

  test('[D12] findings are followed and shares show the same digests under the new key', async () => {
    let shown: string;
    let cookie: string;
    let url: string;
    let project: Awaited<ReturnType<typeof bindProject>>;
    let deviceToken: string;
    const identities = async (server: TestServer) =>
      server.service.database.read.selectFrom('projectFindings').select('identity').execute();
    {
      await using server = await start([OLD]);
      const owner = await server.signUp();
      const device = await server.linkDevice(owner);
      ({ cookie } = owner);
      ({ deviceToken } = device);
      project = await bindProject(device);
      const { reportId } = await syncReport(device, { project });
      ({ url } = await shareOf(owner, reportId));
      shown = await sharedSarif(server, url);
      expect(await identities(server)).not.toEqual([]);
    }
    expect((await rotate([NEW, OLD])).exitCode).toBe(0);
    await using server = await start([NEW]);
    expect(await sharedSarif(server, url)).toBe(shown);
    const before = await identities(server);
    await syncReport(server.withDeviceToken(deviceToken), { project });
    expect(await identities(server)).toEqual(before);
    expect(cookie).not.toBe('');
  });

  test('[D19] notes of decisions are readable under the new key alone', async () => {
    const note = 'Behind the proxy.';
    let [cookie, reportId] = ['', ''];
    const noteIn = async (server: TestServer) => {
      const params = { id: reportId, findingId: 'F-1' };
      return bodyOf(await server.withCookie(cookie).api.listDecisions({ params })).decisions[0]?.note;
    };
    const notesKeysIn = async (server: TestServer) => {
      const { read } = server.service.database;
      const rows = await read.selectFrom('projects').select(['id', 'notesKey']).execute();
      return rows.flatMap(({ id, notesKey }) => (notesKey === null ? [] : [{ id, notesKey }]));
    };
    {
      await using server = await start([OLD]);
      const owner = await server.signUp();
      ({ cookie } = owner);
      ({ reportId } = await syncReport(await server.linkDevice(owner)));
      const body = { status: 'accepted_risk', note } as const;
      bodyOf(await owner.api.changeFindingStatus({ params: { id: reportId, findingId: 'F-1' }, body }));
    }
    const { exitCode, lines } = await rotate([NEW, OLD]);
    expect([exitCode, lines[0]]).toEqual([
      0,
      'Keys wrapped by the new master key: 2, of which this run wrapped 2.',
    ]);
    await using server = await start([NEW]);
    expect(await noteIn(server)).toBe(note);
    const [wrapped] = await notesKeysIn(server);
    const unwrap = (key: Uint8Array) => () =>
      createUnwrapping(fixedKeys([key])).unwrap(wrapped?.id ?? '', wrapped?.notesKey ?? new Uint8Array());
    expect(unwrap(NEW)).not.toThrow();
    expect(unwrap(OLD)).toThrow(SealBrokenError);
  });

  test('[D6] can run again, and then reports that it wrapped nothing', async () => {
    await using server = await start([OLD]);
    await syncReport(await server.linkDevice(await server.signUp()));
    const outcomes = [await rotate([NEW, OLD]), await rotate([NEW, OLD])];
    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(outcomes[1]?.lines[0]).toContain('of which this run wrapped 0');
  });

  test('[D6] a second rotation wraps with the third key, and no master key is stored in the database', async () => {
    const third = randomBytes(32);
    await using server = await start([OLD]);
    const { reportId } = await syncReport(await server.linkDevice(await server.signUp()));
    const kept = async () => server.service.database.read.selectFrom('deployment').selectAll().execute();
    expect((await rotate([NEW, OLD])).exitCode).toBe(0);
    expect((await rotate([third, NEW])).exitCode).toBe(0);
    expect(await isWrappedBy(server, reportId, third)).toBe(true);
    const text = JSON.stringify(await kept());
    for (const key of [OLD, NEW, third]) expect(text).not.toContain(key.toString('base64'));
  });

  test('says what to do when there is only one key, or a wrong one', async () => {
    await (await start([OLD])).close();
    const alone = await rotate([OLD]);
    expect([alone.exitCode, alone.lines.length]).toEqual([2, 4]);
    expect(alone.lines[1]).toContain('openssl rand -base64 32');
    expect(await rotate([NEW])).toEqual({
      exitCode: 2,
      lines: [expect.stringMatching(/^The master key of SVC_MASTER_KEY is not the key of this deployment/)],
    });
  });

  test('[D6] of two simultaneous rotations to different keys, only one begins', async () => {
    await using server = await start([OLD]);
    const { database } = server.service;
    const outcomes = await Promise.allSettled(
      [NEW, randomBytes(32)].map((to) => beginRotation(database, { from: OLD, to }, systemRandom)),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const begun = await findRotation(database, [NEW]);
    expect(begun.isUnderWay).toBe(true);
  });

  test('[D6] reports a key that no known master key unwraps, and finishes only with --even-with-faults', async () => {
    await using server = await start([OLD]);
    const { reportId } = await syncReport(await server.linkDevice(await server.signUp()));
    await server.service.database.read
      .updateTable('reports')
      .set({ wrappedKey: randomBytes(61) })
      .where('id', '=', reportId)
      .execute();
    const outcome = await rotate([NEW, OLD]);
    expect([outcome.exitCode, outcome.lines[0]]).toEqual([
      1,
      `- no known master key unwraps the key of ${reportId}`,
    ]);
    expect(await rejectionOf(startReplicaOrSame([NEW], server))).toEqual([
      expect.stringMatching(/^The master key is being replaced, and SVC_MASTER_KEY lacks the old one/),
    ]);
    const value = await valueOfCommand(
      ['rotate-master-key', '--even-with-faults'],
      environmentOf([NEW, OLD]),
    );
    expect(value).toMatchObject({ exitCode: 1, isFinished: true, broken: [reportId] });
  });

  /** On SQLite the data folder is in use, so the running service has to end first. */
  async function startReplicaOrSame(keys: readonly Uint8Array[], running: TestServer): Promise<TestServer> {
    if (postgresUrl !== undefined) return startReplica(keys);
    await running.service.close(0);
    return start(keys);
  }
});

describe.skipIf(postgresUrl !== undefined)('with the key in the file of the data folder', () => {
  const fileOf = () => path.join(storage.dataDir, 'master.key');
  const keysInFile = () =>
    readFileSync(fileOf(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => Buffer.from(line, 'base64'));

  test('[D6] creates the new key, and the running service needs no restart', async () => {
    await using server = await start([]);
    const owner = await server.signUp();
    const device = await server.linkDevice(owner);
    const before = await syncReport(device);
    const [old = Buffer.of()] = keysInFile();
    const { exitCode, lines } = await rotate([]);
    expect([exitCode, lines.slice(1)]).toEqual([
      0,
      [
        'The new key is in use. The service need not be restarted.',
        'Backups that were made before contain the old key.',
      ],
    ]);
    const [current = Buffer.of(), ...others] = keysInFile();
    expect([current.equals(old), others, statSync(fileOf()).mode & 0o777]).toEqual([false, [], 0o600]);
    const after = await syncReport(device);
    for (const { reportId } of [before, after]) {
      expect(await isWrappedBy(server, reportId, current)).toBe(true);
      expect(await isReadable(owner, reportId)).toBe(true);
    }
    await server.service.close(0);
    await using restarted = await start([]);
    expect(await isReadable(restarted.withCookie(owner.cookie), before.reportId)).toBe(true);
  });

  test('[D6] continues with the new key in the file after an interruption before the key was used', async () => {
    await (await start([])).close();
    const [old = Buffer.of()] = keysInFile();
    writeFileSync(fileOf(), `${NEW.toString('base64')}\n${old.toString('base64')}\n`);
    await (await start([])).close();
    expect((await rotate([])).exitCode).toBe(0);
    expect(keysInFile()).toEqual([NEW]);
  });
});

async function sharedSarif(server: TestServer, url: string): Promise<string> {
  const slug = url.split('/').at(-1) ?? '';
  const answer = await fetch(`${server.url}/api/v1/shares/slug/${slug}/export/sarif`);
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  const text = await answer.text();
  expect(text).toMatch(/fingerprint/i);
  return text;
}
