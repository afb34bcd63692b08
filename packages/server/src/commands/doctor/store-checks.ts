/** The stores beside the database: blobs and Redis. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { newBlobName, type Blobs } from '#platform/blobs/blobs';
import { systemClock } from '#platform/clock';
import { derivingFrom } from '#platform/kept-keys';
import { createLog } from '#platform/log';
import { systemRandom } from '#platform/random';
import { openBlobs, openRedis } from '../../adapters.ts';
import type { Config } from '../../config.ts';
import { clockFound, fault, ok, warning, type CheckResult } from './check.ts';

const CLOCK_WARNING_MS = 60_000;
const LISTING_MS_MAX = 5000;
const REDIS_VERSION_MIN = 7;

/** Writes one blob, and deletes it. A bucket is also probed when it is opened, as at the start of the service. */
export async function blobsFound(config: Config): Promise<CheckResult[]> {
  const folder = path.resolve(config.dataDir, 'blobs');
  if (config.bucket === null && !existsSync(folder))
    return [warning(`${folder} does not exist yet. The first start creates it.`)];
  const { blobs, place, close } = await openBlobs(config, folder, systemRandom);
  try {
    const name = newBlobName(systemRandom);
    const content = systemRandom.bytes(64);
    try {
      await blobs.put(name, [content]);
      const read = await blobs.get(name);
      if (read === null || !Buffer.from(read).equals(content))
        return [fault(`A blob in ${place} could not be read after it was written.`)];
      return [
        ok(`A blob can be written and read in ${place}.`),
        ...(config.bucket === null ? [] : [ok('The store rejects a second write of an object.')]),
        ...(await ageFound(blobs, name)),
        ...(await deletionFound(blobs, name)),
      ];
    } finally {
      await blobs.delete(name);
    }
  } finally {
    close();
  }
}

/** Orphans are deleted by the age that the store reports. */
async function ageFound(blobs: Blobs, name: string): Promise<CheckResult[]> {
  const now = systemClock.now();
  const [isOld, isThere] = [
    await isListed(blobs, name, now - CLOCK_WARNING_MS),
    await isListed(blobs, name, now + CLOCK_WARNING_MS),
  ];
  if (isThere === null || isOld === null) return [ok('There are too many blobs to list them all here.')];
  if (isOld)
    return [warning('New blobs are listed as older than a minute. Synchronize the clocks with NTP.')];
  if (!isThere)
    return [
      warning('A new blob is not listed, or its time is in the future. Synchronize the clocks with NTP.'),
    ];
  return [ok('New blobs are listed with their time.')];
}

/** Null when the listing took too long. */
async function isListed(blobs: Blobs, name: string, writtenBefore: number): Promise<boolean | null> {
  const until = Date.now() + LISTING_MS_MAX;
  for await (const each of blobs.list(writtenBefore)) {
    if (each === name) return true;
    if (Date.now() > until) return null;
  }
  return false;
}

async function deletionFound(blobs: Blobs, name: string): Promise<CheckResult[]> {
  await blobs.delete(name);
  return (await blobs.get(name)) === null
    ? [ok('A blob can be deleted.')]
    : [fault('A deleted blob can still be read. Reports would stay in the store: turn its versioning off.')];
}

export async function redisFound({ redis }: Config): Promise<CheckResult[]> {
  if (redis === null)
    return [ok('REDIS_URL is not set: rate limits are counted in the database or in memory.')];
  const { examineRedis } = await import('#platform/counters/redis-examination');
  // Counts under a key of this process, so that no counter of the service changes.
  const counters = await openRedis(
    redis,
    derivingFrom(systemRandom.bytes(32)),
    systemClock,
    createLog('silent'),
  );
  counters.close();
  const before = Date.now();
  const { version, nowMs, evictionPolicy } = await examineRedis(redis);
  const after = Date.now();
  const major = version === null ? null : Number.parseInt(version, 10);
  return [
    ok('Rate limits can be counted in Redis.'),
    major === null
      ? ok('This user may not read the version and settings of Redis. The service does not need them.')
      : major >= REDIS_VERSION_MIN
        ? ok(`Redis ${version} answers.`)
        : fault(`Redis ${version} is too old. Upgrade it to ${REDIS_VERSION_MIN} or later.`),
    ...(nowMs === null ? [] : [clockFound(before, nowMs, after)]),
    ...(evictionPolicy === null || evictionPolicy === 'noeviction'
      ? []
      : [
          warning(
            `maxmemory-policy is ${evictionPolicy}, so Redis may evict rate-limit counters. Set it to noeviction.`,
          ),
        ]),
  ];
}
