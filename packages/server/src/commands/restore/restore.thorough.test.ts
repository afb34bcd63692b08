/** Backups of a service under load, on PostgreSQL and a bucket, restored into both kinds of deployment. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newBlobName, type Blobs } from '#platform/blobs/blobs';
import { systemRandom } from '#platform/random';
import { readConfig } from '../../config.ts';
import {
  bodyOf,
  codeOf,
  createFakeClock,
  startServer,
  syncReport,
  type DeviceActor,
  type SessionActor,
  type TestServer,
  type TestServerOptions,
} from '@svc/testkit';
import { cephMissing } from '@svc/testkit/ceph-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDistributedServers, type DistributedServers } from '../../../test/distributed-servers.ts';
import { runCommand, valueOfCommand } from '../../../test/run-command.ts';

const REPORTS_BEFORE = 60;
const WRITERS = 4;
/** This long after a restore, no blob is too new for the sweep of orphans. */
const SWEPT_AFTER_MS = 2 * 3_600_000;

describe.skipIf(cephMissing)('a backup under load (install radosgw, ceph-mon, ceph-osd, ceph-common)', () => {
  let servers: DistributedServers;
  let folder: string;
  beforeAll(async () => {
    servers = await startDistributedServers();
    folder = await mkdtemp(path.join(tmpdir(), 'svc-load-'));
  }, 300_000);
  afterAll(async () => {
    await servers?.remove();
    await rm(folder, { recursive: true });
  });

  const start = (environment: Readonly<Record<string, string>>, more: TestServerOptions = {}) => {
    const { dataDir, database, bucket } = readConfig(environment);
    return startServer({ generousPlans: true, config: { dataDir, database, bucket }, ...more });
  };

  test('[T24] has every report that was acknowledged before it, in either kind of deployment, also after the sweeps', async () => {
    const environment = { DATA_DIR: path.join(folder, 'original'), ...(await servers.newPlaces()) };
    const backup = path.join(folder, 'backup');
    let owner: SessionActor;
    const kept: string[] = [];
    const deleted: string[] = [];
    {
      await using server = await start(environment);
      owner = await server.signUp();
      const device = await server.linkDevice(owner);
      const doomed: string[] = [];
      for (let made = 0; made < REPORTS_BEFORE; made += 1) {
        const { reportId } = await syncReport(device);
        (made % 3 === 0 ? doomed : kept).push(reportId);
      }
      const load = { isOver: false };
      const writers = Array.from({ length: WRITERS }, async () => {
        while (!load.isOver) await writeAndDelete(owner, device, doomed, deleted);
      });
      const outcome = await valueOfCommand(['backup', backup], environment);
      load.isOver = true;
      await Promise.all(writers);
      expect(outcome).toMatchObject({ exitCode: 0, faults: [] });
      expect(deleted.length).toBeGreaterThan(0);
    }
    expect(await runCommand(['backup', 'verify', backup], {})).toMatchObject({ exitCode: 0 });

    const targets = [
      { DATA_DIR: path.join(folder, 'embedded') },
      { DATA_DIR: path.join(folder, 'distributed'), ...(await servers.newPlaces()) },
    ];
    for (const target of targets) {
      const restored = await runCommand(['restore', backup], target);
      expect([restored.exitCode, restored.lines]).toEqual([0, expect.any(Array)]);
      const stored: Blobs[] = [];
      await using server = await start(target, {
        clock: createFakeClock(Date.now() + SWEPT_AFTER_MS),
        wrapBlobs: (blobs) => {
          stored.push(blobs);
          return blobs;
        },
      });
      await sweep(server, stored[0]!);
      const session = server.withCookie(await server.logIn(owner));
      for (const id of kept)
        expect(bodyOf(await session.api.getReport({ params: { id } })).report).not.toBeNull();
      for (const id of deleted)
        expect(['ok', 'REPORT_EXPIRED']).toContain(codeOf(await session.api.getReport({ params: { id } })));
      await syncReport(await server.linkDevice({ ...owner, ...session }));
    }
    const again = path.join(folder, 'again');
    expect(await runCommand(['backup', again], targets[1] ?? {})).toMatchObject({ exitCode: 0 });
  });

  test('two services cannot use the same bucket and prefix', async () => {
    const [one, other] = [await servers.newPlaces(), await servers.newPlaces()];
    const { BLOB_URL } = one;
    {
      await using server = await start({ DATA_DIR: path.join(folder, 'one'), ...one });
      expect(server.dataDir).not.toBe('');
    }
    await expect(start({ DATA_DIR: path.join(folder, 'other'), ...other, BLOB_URL })).rejects.toMatchObject({
      lines: [expect.stringMatching(/^s3:.* holds the report bodies of another database\. /)],
    });
    await (await start({ DATA_DIR: path.join(folder, 'one'), ...one })).close();
  });
});

/** Runs all jobs. Then exactly the blobs that the database names are left, and no deletion is pending. */
async function sweep({ service, runJob }: TestServer, blobs: Blobs): Promise<void> {
  const orphan = newBlobName(systemRandom);
  await blobs.put(orphan, [Buffer.from('of no report')]);
  for (const { name } of service.app.jobs) await runJob(name);
  const { read } = service.database;
  const named = [
    ...(await read.selectFrom('uploads').select('blobName').execute()),
    ...(await read.selectFrom('preparedProjections').select('blobName').execute()),
  ].flatMap(({ blobName }) => blobName ?? []);
  expect(named.length).toBeGreaterThan(0);
  const left: string[] = [];
  for await (const name of blobs.list(Number.MAX_SAFE_INTEGER)) left.push(name);
  expect(left.toSorted()).toEqual(named.toSorted());
  expect(await read.selectFrom('pendingDeletions').selectAll().execute()).toEqual([]);
}

async function writeAndDelete(
  owner: SessionActor,
  device: DeviceActor,
  doomed: string[],
  deleted: string[],
): Promise<void> {
  await syncReport(device);
  const id = doomed.pop();
  if (id === undefined) return;
  bodyOf(await owner.api.deleteReport({ params: { id } }));
  deleted.push(id);
}
