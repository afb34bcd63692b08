/** Where the servers of a run keep report bodies and count rate limits; each database has a prefix of its own. */
import { readConfig, type Config } from '@svc/server/config';

const redisUrl = process.env['SVC_TEST_REDIS_URL'];
const bucket = process.env['SVC_TEST_BUCKET'];

/** Empty in a run that uses files and the counters of the database. */
export function testStores(database: Config['database']): Partial<Pick<Config, 'bucket' | 'redis'>> {
  if (bucket === undefined || redisUrl === undefined || database.kind !== 'postgres') return {};
  // Two servers on one database share the objects as well.
  const prefix = `${new URL(database.url).pathname.slice(1)}/`;
  const place = JSON.parse(bucket) as Omit<NonNullable<Config['bucket']>, 'prefix'>;
  return { bucket: { ...place, prefix }, redis: readConfig({ REDIS_URL: redisUrl }).redis };
}
