/** What replicas share: one PostgreSQL, one Redis, and one bucket of an object store. */
import { cephMissing, startCephServer, type CephServer } from './ceph-server.ts';
import { startPostgresServer, type PostgresServer } from './postgres-server.ts';
import { redisMissing, startRedisServer, type RedisServer } from './redis-server.ts';

export const BUCKET = 'reports';

/** Without Ceph or Redis, tests are skipped on developer machines and fail in CI. */
export const storesMissing = (): boolean => cephMissing || redisMissing();

export interface SharedStores extends AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly ceph: CephServer;
  readonly redis: RedisServer;
  remove(): Promise<void>;
}

/** @param durable whether commits of PostgreSQL reach the disk. */
export async function startSharedStores({ durable = false } = {}): Promise<SharedStores> {
  const starting = [startPostgresServer({ durable }), startRedisServer(), startCephServer()] as const;
  try {
    const [postgres, redis, ceph] = await Promise.all(starting);
    await ceph.makeBucket(BUCKET);
    const remove = async () => void (await Promise.all([postgres.remove(), redis.remove(), ceph.remove()]));
    return { postgres, redis, ceph, remove, [Symbol.asyncDispose]: remove };
  } catch (error) {
    for (const one of await Promise.allSettled(starting))
      if (one.status === 'fulfilled') await one.value.remove();
    throw error;
  }
}
