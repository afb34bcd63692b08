/** `move` to a real PostgreSQL and a real Ceph: complete, after kills, and into places that are in use. */
import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MARK_FILE } from '#platform/blobs/blobs';
import { beginIncoming } from '#platform/database/transfer-marks';
import { createLog } from '#platform/log';
import { openDatabase } from '../../adapters.ts';
import { readConfig } from '../../config.ts';
import {
  bodyOf,
  filesIn,
  shareOf,
  startServer,
  storeEvents,
  syncReport,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { unlessShort } from '@svc/testkit/lane';
import { cephMissing } from '@svc/testkit/ceph-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDistributedServers, type DistributedServers } from '../../../test/distributed-servers.ts';
import { killPoints, runProcess } from '../../../test/killed-command.ts';
import { runCommand, valueOfCommand } from '../../../test/run-command.ts';

const REPORTS = 30;
const EVENTS = unlessShort(5000, 20_000);
const KILLS = unlessShort(2, 20);

describe.skipIf(cephMissing)('move (install radosgw, ceph-mon, ceph-osd, ceph-common)', () => {
  let servers: DistributedServers;
  let folder: string;
  /** The folder of a stopped service. */
  let stopped: string;
  let owner: Pick<SessionActor, 'cookie'>;
  let reportIds: string[];
  let slug: string;

  beforeAll(async () => {
    servers = await startDistributedServers();
    folder = await mkdtemp(path.join(tmpdir(), 'svc-move-'));
    stopped = path.join(folder, 'stopped');
    const server = await startServer({ generousPlans: true });
    owner = await server.signUp();
    const device = await server.linkDevice(owner as SessionActor);
    reportIds = [];
    for (let made = 0; made < REPORTS; made += 1) reportIds.push((await syncReport(device)).reportId);
    slug = (await shareOf(owner as SessionActor, reportIds[0] ?? '')).url.split('/').at(-1) ?? '';
    await storeEvents(server, reportIds[0] ?? '', EVENTS);
    await server.service.close(0);
    await cp(server.dataDir, stopped, { recursive: true });
    await server.close();
  }, 300_000);
  afterAll(async () => {
    await servers?.remove();
    await rm(folder, { recursive: true });
  });

  interface Target {
    readonly environment: Readonly<Record<string, string>>;
    readonly dataDir: string;
  }

  /** A copy of the stopped service, an empty database and an empty prefix. */
  async function newTarget(): Promise<Target> {
    const dataDir = path.join(folder, randomUUID());
    await cp(stopped, dataDir, { recursive: true });
    return { dataDir, environment: { DATA_DIR: dataDir, ...(await servers.newPlaces()) } };
  }

  function start({ environment, dataDir }: Target): Promise<TestServer> {
    const { database, bucket } = readConfig(environment);
    return startServer({ generousPlans: true, config: { dataDir, database, bucket } });
  }

  const rejectionOf = (starting: Promise<TestServer>) =>
    starting.then(
      (server) => server.close().then(() => ['started']),
      (error: unknown) => (error as { lines?: readonly string[] }).lines,
    );

  async function expectEverythingReadable(target: Target): Promise<void> {
    await using server = await start(target);
    const session = server.withCookie(owner.cookie);
    for (const id of reportIds) {
      const { report } = bodyOf(await session.api.getReport({ params: { id } }));
      expect(report).not.toBeNull();
    }
    const events = await server.service.database.read
      .selectFrom('progressEvents')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(events.count).toBeGreaterThanOrEqual(EVENTS);
  }

  async function digestsIn(dataDir: string): Promise<Record<string, string>> {
    const files = filesIn(path.join(dataDir, 'blobs')).toSorted();
    const entries = files.map(async (file) => [
      path.basename(file),
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ]);
    return Object.fromEntries((await Promise.all(entries)) as [string, string][]);
  }

  test('moves every row and every report body, and leaves a folder on which no service starts', async () => {
    const target = await newTarget();
    const before = await digestsIn(target.dataDir);
    const outcome = await runCommand(['move'], target.environment);
    expect(outcome).toEqual({
      exitCode: 0,
      lines: [
        expect.stringMatching(/^Moved and compared: \d+ rows of \d+ tables and \d+ blobs\./),
        expect.stringMatching(/^The master key is the same: .*master\.key\./),
        expect.stringMatching(
          /^Check that reports can be read\. Then delete what is no longer used in .*: svc\.db, blobs\.$/,
        ),
      ],
    });
    await expectEverythingReadable(target);
    expect(await digestsIn(target.dataDir)).toEqual(before);
    {
      await using server = await start(target);
      const share = await fetch(`${server.url}/api/v1/shares/slug/${slug}/report`);
      expect(share.status).toBe(200);
    }
    expect(await runCommand(['audit', 'verify'], target.environment)).toMatchObject({ exitCode: 0 });
    expect(
      await rejectionOf(startServer({ config: { dataDir: target.dataDir, database: { kind: 'sqlite' } } })),
    ).toEqual([expect.stringMatching(/^The database .*svc\.db was moved to postgres:\/\//)]);
    expect(await runCommand(['move'], target.environment)).toEqual({
      exitCode: 0,
      lines: ['Everything was already moved.'],
    });
  });

  test('leaves the report bodies in the folder without BLOB_URL, and moves them later', async () => {
    const { environment, dataDir } = await newTarget();
    const { BLOB_URL: _, ...withoutBucket } = environment;
    expect(await runCommand(['move'], withoutBucket)).toMatchObject({ exitCode: 0 });
    await expectEverythingReadable({ environment: withoutBucket, dataDir });
    expect(await rejectionOf(start({ environment, dataDir }))).toEqual([
      expect.stringMatching(/^s3:.* does not hold the report bodies of this database\. .*"svc-server move"/),
    ]);
    expect(await runCommand(['move'], environment)).toMatchObject({ exitCode: 0 });
    await expectEverythingReadable({ environment, dataDir });
    expect(await rejectionOf(start({ environment: withoutBucket, dataDir }))).toEqual([
      expect.stringMatching(/^.*blobs does not hold the report bodies of this database, but/),
    ]);
  });

  test.each([
    ['that a service used', true],
    // A backup that is used as a data folder has no mark before its first start.
    ['without a mark', false],
  ])('without DATABASE_URL only the report bodies of a folder %s are moved', async (_title, isMarked) => {
    const { environment, dataDir } = await newTarget();
    const { DATABASE_URL: _, BLOB_URL: __, ...before } = environment;
    const embedded = { ...before, BLOB_URL: environment['BLOB_URL'] ?? '' };
    if (!isMarked) await rm(path.join(dataDir, 'blobs', MARK_FILE));
    expect(await valueOfCommand(['move'], embedded)).toMatchObject({
      exitCode: 0,
      isComplete: true,
      rows: null,
    });
    await expectEverythingReadable({ environment: embedded, dataDir });
    // With the old settings, reports would be stored where the service with the new ones does not find them.
    expect(await rejectionOf(start({ environment: before, dataDir }))).toEqual([
      expect.stringMatching(/^.*blobs does not hold the report bodies of this database, but/),
    ]);
  });

  test('rejects places that are in use, a running service and a wrong key, and loses nothing', async () => {
    const target = await newTarget();
    const used = await newTarget();
    expect(await runCommand(['move'], used.environment)).toMatchObject({ exitCode: 0 });
    const { DATABASE_URL = '', BLOB_URL = '' } = used.environment;
    const attempts: [Record<string, string>, RegExp][] = [
      [{ DATABASE_URL }, /is not empty/],
      [{ SVC_MASTER_KEY: Buffer.alloc(32, 5).toString('base64') }, /is not the key of this deployment/],
    ];
    for (const [changed, said] of attempts)
      expect(await runCommand(['move'], { ...target.environment, ...changed })).toEqual({
        exitCode: 2,
        lines: [expect.stringMatching(said)],
      });
    const { database } = readConfig({});
    {
      await using running = await startServer({ config: { dataDir: target.dataDir, database } });
      expect(await runCommand(['move'], target.environment)).toEqual({
        exitCode: 2,
        lines: [expect.stringMatching(/is in use by another running svc/)],
      });
      expect(running.dataDir).not.toBe('');
    }
    expect(await runCommand(['move'], { ...target.environment, BLOB_URL })).toEqual({
      exitCode: 2,
      lines: [expect.stringMatching(/belongs to another database/)],
    });
    // The last attempt had already marked the database, so the move has to be undone.
    expect(await rejectionOf(start(target))).toEqual([expect.stringMatching(/has only a part of its data/)]);
    expect(await runCommand(['move', '--undo'], target.environment)).toMatchObject({ exitCode: 0 });
    const { DATABASE_URL: _, BLOB_URL: __, ...embedded } = target.environment;
    await expectEverythingReadable({ environment: embedded, dataDir: target.dataDir });
  });

  test('takes over a database in which a killed run left only its mark', async () => {
    const target = await newTarget();
    const config = readConfig(target.environment);
    const database = await openDatabase(config, '', createLog('silent'));
    await beginIncoming(database.read, 'the id of a run that was killed');
    await database.close();
    expect(await runCommand(['move'], target.environment)).toMatchObject({ exitCode: 0 });
    await expectEverythingReadable(target);
  });

  test('loses nothing when it is killed at many points', async () => {
    const measured = await newTarget();
    const { tookMs, exitCode } = await runProcess(['move'], measured.environment);
    expect(exitCode).toBe(0);
    const { tookMs: loadingMs } = await runProcess(['--version'], {});
    let killed = 0;
    for (const delayMs of killPoints(tookMs, loadingMs, KILLS)) {
      const target = await newTarget();
      const first = await runProcess(['move'], target.environment, delayMs);
      if (first.exitCode === null) killed += 1;
      const second = await runProcess(['move'], target.environment);
      expect([delayMs, second.exitCode, second.output]).toEqual([delayMs, 0, expect.any(String)]);
      await expectEverythingReadable(target);
      await rm(target.dataDir, { recursive: true });
    }
    expect(killed).toBeGreaterThanOrEqual(KILLS / 2);
  });
});
