/**
 * Starts the stores that a test run asks for, and stops them after the run: either PostgreSQL alone, or PostgreSQL, a
 * bucket and Redis.
 */
import { startPostgresServer } from './postgres-server.ts';

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const isDistributed = process.env['SVC_TEST_STORES'] === 'distributed';
  if (isDistributed && !(await areMissing())) return startAll();
  return isDistributed || process.env['SVC_TEST_DATABASE'] === 'postgres' ? startPostgres() : undefined;
}

async function areMissing(): Promise<boolean> {
  // Loaded only here and below, because most runs need no client of a bucket.
  const { storesMissing } = await import('./shared-stores.ts');
  if (!storesMissing()) return false;
  process.stderr.write('Ceph or Redis is not installed: the tests run on PostgreSQL alone.\n');
  return true;
}

async function startPostgres(): Promise<() => Promise<void>> {
  const server = await startPostgresServer({ durable: false });
  process.env['SVC_TEST_POSTGRES_URL'] = server.url;
  return () => server.remove();
}

async function startAll(): Promise<() => Promise<void>> {
  const { startSharedStores, BUCKET } = await import('./shared-stores.ts');
  const stores = await startSharedStores();
  const { postgres, redis, ceph } = stores;
  process.env['SVC_TEST_POSTGRES_URL'] = postgres.url;
  process.env['SVC_TEST_REDIS_URL'] = redis.url;
  const bucket = { bucket: BUCKET, endpoint: ceph.url, region: 'us-east-1', credentials: ceph.credentials };
  process.env['SVC_TEST_BUCKET'] = JSON.stringify(bucket);
  return stores.remove;
}
