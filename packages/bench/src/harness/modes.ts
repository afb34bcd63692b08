/** The two modes, each with one service process, and the processor time of everything that works for it. */
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { filesIn, startServiceProcess, type ServiceProcess } from '@svc/testkit';
import { BUCKET, startReplicas, startSharedStores } from '@svc/testkit/replicas';
import pg from 'pg';
import { parentOf, processorTimeMs, processorTimeOfFamilyMs } from './process-usage.ts';

/** Processor time in milliseconds. In embedded mode the time of the engines is 0. */
export interface ProcessorTimes {
  readonly service: number;
  readonly postgres: number;
  readonly storage: number;
  readonly redis: number;
}

export interface Stored {
  readonly databaseBytes: number;
  readonly blobBytes: number;
}

export interface Mode extends AsyncDisposable {
  readonly name: 'embedded' | 'distributed';
  readonly service: ServiceProcess;
  processorTimes(): ProcessorTimes;
  /** What the database and the blobs occupy. */
  stored(): Promise<Stored>;
}

/** @param environment of the service. */
export async function startEmbedded(environment: Readonly<Record<string, string>>): Promise<Mode> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'svc-bench-embedded-'));
  const service = await startServiceProcess({
    program: 'bundle',
    dataDir,
    generousPlans: true,
    generousThrottles: true,
    environment,
  });
  return {
    name: 'embedded',
    service,
    processorTimes: () => ({
      service: processorTimeMs(service.pid),
      postgres: 0,
      storage: 0,
      redis: 0,
    }),
    stored: () =>
      Promise.resolve({
        databaseBytes: sizeOfSqlite(path.join(dataDir, 'svc.db')),
        blobBytes: sizesOf(path.join(dataDir, 'blobs')),
      }),
    async [Symbol.asyncDispose]() {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** One replica on a PostgreSQL whose commits reach the disk, a Ceph whose store is in memory, and Redis. */
export async function startDistributed(environment: Readonly<Record<string, string>>): Promise<Mode> {
  const stores = await startSharedStores({ durable: true });
  const { ceph, redis } = stores;
  const replicas = await startReplicas(stores, { count: 1, program: 'bundle', environment });
  const { DATABASE_URL = '', BLOB_URL = '' } = replicas.environment;
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  const ask = async (text: string) => Number((await client.query<{ value: string }>(text)).rows[0]?.value);
  const postmaster = parentOf(await ask('SELECT pg_backend_pid() AS value'));
  const service = replicas.at(0);
  return {
    name: 'distributed',
    service,
    processorTimes: () => ({
      service: processorTimeMs(service.pid),
      postgres: processorTimeOfFamilyMs(postmaster),
      storage: ceph.pids().reduce((sum, pid) => sum + processorTimeMs(pid), 0),
      redis: processorTimeMs(redis.pid()),
    }),
    async stored() {
      await client.query('CHECKPOINT');
      return {
        databaseBytes: await ask('SELECT pg_database_size(current_database()) AS value'),
        blobBytes: await ceph.bytesOf(BUCKET, new URL(BLOB_URL).pathname.slice(1)),
      };
    },
    async [Symbol.asyncDispose]() {
      await client.end();
      await replicas.close();
      await stores.remove();
    },
  };
}

/** The size of all pages, including those that are still in the write-ahead log. */
function sizeOfSqlite(file: string): number {
  const connection = new DatabaseSync(file, { readOnly: true });
  try {
    const valueOf = (pragma: string) =>
      Number(Object.values(connection.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
    return valueOf('page_count') * valueOf('page_size');
  } finally {
    connection.close();
  }
}

const sizesOf = (folder: string) => filesIn(folder).reduce((sum, file) => sum + statSync(file).size, 0);
