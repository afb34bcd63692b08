/**
 * `rotate-master-key` killed at many points, on both databases: no key of a report is lost, and the next run finishes.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compose } from '../../compose.ts';
import { readConfig } from '../../config.ts';
import {
  bodyOf,
  createShell,
  reportRow,
  startPostgresServer,
  startServer,
  syncReport,
  type PostgresServer,
} from '@svc/testkit';
import { unlessShort } from '@svc/testkit/lane';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixedKeys } from '#platform/master-key';
import { systemRandom } from '#platform/random';
import { createUnwrapping, wrappingKeyOf, wrapReportKey } from '#platform/report-keys';
import { openDatabase } from '../../adapters.ts';
import { createLog } from '#platform/log';
import { killPoints, runProcess } from '../../../test/killed-command.ts';

const REPORTS = unlessShort(1000, 2500);
/** The fastest of these runs decides when the later ones are killed. */
const MEASURED_RUNS = 3;
const KILLS = unlessShort(2, 20);
const [OLD, NEW] = [randomBytes(32), randomBytes(32)];

interface Deployment {
  readonly environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

let folder: string;
let postgres: PostgresServer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-rotations-'));
  postgres = await startPostgresServer({ durable: false });
}, 180_000);
afterAll(async () => {
  await postgres?.remove();
  await rm(folder, { recursive: true });
});

async function onPostgres(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
const addressOf = (name: string) => Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;

/** A stopped service with one report, and many more keys of reports, all wrapped by one master key. */
async function fill(config: Partial<ReturnType<typeof readConfig>>, dataDir: string) {
  const service = await startServer({ generousPlans: true, config: { ...config, dataDir } });
  const owner = await service.signUp();
  const device = await service.linkDevice(owner);
  const { reportId } = await syncReport(device);
  const shell = await createShell(device);
  const row = await reportRow(service, shell.reportId);
  const [text] = config.masterKeys?.length
    ? [OLD.toString('base64')]
    : [await readFile(path.join(dataDir, 'master.key'), 'utf8')];
  const wrapping = wrappingKeyOf(Buffer.from(text, 'base64'));
  const key = randomBytes(32);
  await service.service.database.transaction(async (tx) => {
    for (let from = 0; from < REPORTS; from += 500) {
      const rows = Array.from({ length: 500 }, (_, at) => {
        const id = `rep_filler${String(from + at).padStart(18, '0')}`;
        return { ...row, id, localReportId: id, wrappedKey: wrapReportKey(wrapping, id, key, systemRandom) };
      });
      await tx.insertInto('reports').values(rows).execute();
    }
  });
  await service.close();
  return { cookie: owner.cookie, reportId, key };
}

type Filled = Awaited<ReturnType<typeof fill>>;

async function unwrappedBy(
  environment: Deployment['environment'],
  keys: readonly Uint8Array[],
  key: Uint8Array,
) {
  const config = readConfig(environment);
  const database = await openDatabase(config, path.join(config.dataDir, 'svc.db'), createLog('silent'));
  const rows = await database.read
    .selectFrom('reports')
    .select(['id', 'wrappedKey'])
    .where('wrappedKey', 'is not', null)
    .execute();
  await database.close();
  const { unwrap } = createUnwrapping(fixedKeys(keys));
  return rows.filter(({ id, wrappedKey }) => {
    try {
      const found = Buffer.from(unwrap(id, wrappedKey ?? new Uint8Array()));
      return !id.startsWith('rep_filler') || found.equals(key);
    } catch {
      return false;
    }
  }).length;
}

async function keysOf({ SVC_MASTER_KEY, DATA_DIR = '' }: Deployment['environment']): Promise<Buffer[]> {
  const text = SVC_MASTER_KEY ?? (await readFile(path.join(DATA_DIR, 'master.key'), 'utf8')).trim();
  return text.split(/[\n,]/).map((each) => Buffer.from(each, 'base64'));
}

/** Returns how many runs were killed before they finished. */
async function killsWithoutLoss(create: () => Promise<Deployment>, { cookie, reportId, key }: Filled) {
  const rotate = ({ environment }: Deployment, killedAfterMs?: number) =>
    runProcess(['rotate-master-key'], environment, killedAfterMs);
  const wholeMs: number[] = [];
  for (let run = 0; run < MEASURED_RUNS; run += 1) {
    const measured = await create();
    const { tookMs, exitCode, output } = await rotate(measured);
    expect([exitCode, output]).toEqual([0, expect.any(String)]);
    wholeMs.push(tookMs);
    await measured.remove();
  }
  const { tookMs: loadingMs } = await runProcess(['--version'], {});
  let killed = 0;
  for (const delayMs of killPoints(Math.min(...wholeMs), loadingMs, KILLS)) {
    const deployment = await create();
    const { environment } = deployment;
    if ((await rotate(deployment, delayMs)).exitCode === null) killed += 1;
    expect(await unwrappedBy(environment, await keysOf(environment), key)).toBe(REPORTS + 1);
    const again = await rotate(deployment);
    expect([delayMs, again.exitCode, again.output]).toEqual([delayMs, 0, expect.any(String)]);
    const [newest = Buffer.of()] = await keysOf(environment);
    expect(await unwrappedBy(environment, [newest], key)).toBe(REPORTS + 1);
    const afterwards = environment['SVC_MASTER_KEY'] ? { SVC_MASTER_KEY: newest.toString('base64') } : {};
    const { masterKeys, database, dataDir } = readConfig({ ...environment, ...afterwards });
    {
      await using server = await startServer({ config: { masterKeys, database, dataDir } });
      const { report } = bodyOf(await server.withCookie(cookie).api.getReport({ params: { id: reportId } }));
      expect(report).not.toBeNull();
    }
    await deployment.remove();
  }
  return killed;
}

describe('killed at many points', () => {
  test('[D6] with the key in the file of the data folder', async () => {
    const stopped = path.join(folder, 'stopped');
    await compose({ ...readConfig({ DATA_DIR: stopped }), port: 0 }, { sweeps: false }).then((service) =>
      service.close(0),
    );
    const filled = await fill({ database: { kind: 'sqlite' } }, stopped);
    const kills = await killsWithoutLoss(async () => {
      const dataDir = path.join(folder, randomUUID());
      await cp(stopped, dataDir, { recursive: true });
      return { environment: { DATA_DIR: dataDir }, remove: () => rm(dataDir, { recursive: true }) };
    }, filled);
    expect(kills).toBeGreaterThanOrEqual(KILLS / 4);
  });

  test('[D6] with both keys in SVC_MASTER_KEY, over PostgreSQL', async () => {
    const dataDir = path.join(folder, 'replica');
    await onPostgres('CREATE DATABASE stopped');
    const database = { kind: 'postgres', url: addressOf('stopped') } as const;
    const filled = await fill({ database, masterKeys: [OLD] }, dataDir);
    const kills = await killsWithoutLoss(async () => {
      const name = `svc_${randomUUID().replaceAll('-', '')}`;
      await onPostgres(`CREATE DATABASE ${name} TEMPLATE stopped`);
      return {
        environment: {
          DATA_DIR: dataDir,
          DATABASE_URL: addressOf(name),
          SVC_MASTER_KEY: [NEW, OLD].map((key) => key.toString('base64')).join(','),
        },
        remove: () => onPostgres(`DROP DATABASE ${name}`),
      };
    }, filled);
    expect(kills).toBeGreaterThanOrEqual(KILLS / 4);
  });
});
