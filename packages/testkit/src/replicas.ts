/**
 * Several replicas of the service: real processes on one PostgreSQL, one bucket and, if wanted, one Redis, behind a
 * load balancer without affinity.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createActors, type Actors } from './actors.ts';
import { startBalancer, type Balancer } from './balancer.ts';
import { freePort } from './free-port.ts';
import { startServiceProcess, type Program, type ServiceProcess } from './service-process.ts';
import { setupTokensIn } from './setup-token.ts';
import { BUCKET, type SharedStores } from './shared-stores.ts';

export { BUCKET, startSharedStores, storesMissing, type SharedStores } from './shared-stores.ts';

/** Long enough for several health checks of the balancer. */
const DRAIN_SECONDS = 1;

export interface ReplicasOptions {
  readonly count?: number;
  readonly program?: Program;
  readonly environment?: Readonly<Record<string, string>>;
  /** False to count rate limits in PostgreSQL. */
  readonly countsInRedis?: boolean;
  /** Keeps the real rate limits; by default they are so high that a test never reaches them. */
  readonly throttled?: boolean;
  /** Keeps the service's own plans; by default they limit nothing. */
  readonly ownPlans?: boolean;
  /** Other addresses at which the replicas find the stores, such as those of proxies in front of them. */
  readonly addresses?: { readonly redis?: string; readonly storage?: string };
}

/** The actors of this object call the balancer; the actors of a replica call that replica. */
export interface Replicas extends Actors, AsyncDisposable {
  readonly url: string;
  readonly balancer: Balancer;
  /** The replica of this number, from 0; another process after a restart. */
  at(index: number): ServiceProcess;
  /** The settings of every replica. */
  readonly environment: Readonly<Record<string, string>>;
  /** Starts an ended replica again, on the same port. */
  revive(index: number): Promise<void>;
  /** Stops a replica by SIGTERM and starts it again. Resolves to the exit code of the stop. */
  restart(index: number): Promise<number | null>;
  close(): Promise<void>;
}

export async function startReplicas(stores: SharedStores, options: ReplicasOptions = {}): Promise<Replicas> {
  const { count = 3, countsInRedis = true, throttled = false, ownPlans = false, addresses = {} } = options;
  const { postgres, redis, ceph } = stores;
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-replicas-'));
  const storage = encodeURIComponent(addresses.storage ?? ceph.url);
  const environment: Readonly<Record<string, string>> = {
    DATABASE_URL: await newDatabase(postgres.url),
    BLOB_URL: `s3://${BUCKET}/${randomUUID()}?endpoint=${storage}&region=us-east-1`,
    AWS_ACCESS_KEY_ID: ceph.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: ceph.credentials.secretAccessKey,
    ...(countsInRedis ? { REDIS_URL: addresses.redis ?? redis.url } : {}),
    SVC_MASTER_KEY: randomBytes(32).toString('base64'),
    TRUSTED_PROXY_HOPS: '1',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
    ...options.environment,
  };
  const ports: number[] = [];
  const dataDirOf = (index: number) => path.join(folder, `replica-${index}`);
  for (let index = 0; index < count; index += 1) {
    ports.push(await freePort());
    await mkdir(dataDirOf(index), { mode: 0o700 });
  }
  const running = new Map<number, ServiceProcess>();

  const start = (index: number) =>
    startServiceProcess({
      ...(options.program === undefined ? {} : { program: options.program }),
      dataDir: dataDirOf(index),
      environment: { ...environment, PORT: String(ports[index]) },
      generousThrottles: !throttled,
      generousPlans: !ownPlans,
    });

  async function stopAll(): Promise<void> {
    const all = [...running.values()];
    for (const replica of all) replica.signal('SIGKILL');
    await Promise.all(all.map(({ ended }) => ended));
    await rm(folder, { recursive: true, force: true });
  }

  function at(index: number): ServiceProcess {
    const replica = running.get(index);
    if (!replica) throw new Error(`There is no replica ${index}.`);
    return replica;
  }

  async function revive(index: number): Promise<void> {
    running.set(index, await start(index));
  }

  try {
    // All replicas start together, as after an outage: one of them migrates the database.
    await Promise.all(ports.map((_, index) => revive(index)));
    const balancer = await startBalancer(ports);
    const close = async () => {
      await balancer.close();
      await stopAll();
    };
    return {
      ...createActors(balancer.url, setupTokensIn(dataDirOf(0), environment['PLATFORM_ADMIN_EMAIL'])),
      url: balancer.url,
      balancer,
      at,
      environment,
      revive,
      async restart(index) {
        const code = await at(index).stop();
        await revive(index);
        return code;
      },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function newDatabase(server: string): Promise<string> {
  const name = `svc_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
