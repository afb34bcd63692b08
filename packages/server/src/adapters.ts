/**
 * Opens the stores that the configuration names: database, blobs, counters and bus. compose.ts and the commands use it,
 * so that both work on the same data.
 */
import { existsSync } from 'node:fs';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';
import type { BlobPlace } from '#platform/blobs/blob-owner';
import { openFilesystemBlobs } from '#platform/blobs/filesystem';
import { s3PlaceInWords } from '#platform/blobs/s3-place';
import type { Bus } from '#platform/bus/bus';
import { createMemoryBus } from '#platform/bus/memory';
import type { Clock } from '#platform/clock';
import { createCounterNames } from '#platform/counter-names';
import type { Counters } from '#platform/counters/counters';
import { createMemoryCounters } from '#platform/counters/memory';
import type { RedisAddress } from '#platform/counters/redis-address';
import type { RedisPatience } from '#platform/counters/redis-connection';
import type { Database } from '#platform/database/database';
import type { DatabasePatience } from '#platform/database/postgres';
import { openSqlite, type SqliteSettings } from '#platform/database/sqlite';
import { rejectTransferred } from '#platform/database/transfer-marks';
import type { DeriveKey } from '#platform/kept-keys';
import { describeError, type Log } from '#platform/log';
import type { Random } from '#platform/random';
import { usedAddressInWords } from '#platform/shown-address';

export interface OpenBlobs extends BlobPlace {
  close(): void;
}

export async function openBlobs(
  { bucket }: Config,
  folder: string,
  random: Random,
  durable = true,
): Promise<OpenBlobs> {
  if (bucket === null)
    return {
      blobs: openFilesystemBlobs(folder, durable),
      place: folder,
      otherPlace: 'set DATA_DIR to another folder',
      howToMove: 'If they are in a bucket, set BLOB_URL to it; if they are lost, restore a backup.',
      close: () => undefined,
    };
  // Loaded only here: the client is larger than the service.
  const { openS3Blobs } = await import('#platform/blobs/s3');
  const blobs = await openS3Blobs(bucket, random);
  return {
    blobs,
    place: s3PlaceInWords(bucket),
    otherPlace: 'set BLOB_URL to another prefix',
    howToMove:
      'If they are files of DATA_DIR, stop the service and run "svc-server move"; if they are lost, restore a backup.',
    close: () => blobs.close(),
  };
}

export interface DatabaseSettings extends Pick<SqliteSettings, 'durable' | 'prepareSchema' | 'observe'> {
  readonly databasePatience?: DatabasePatience | undefined;
  /** True for the commands that move data: they open what a service must not use. */
  readonly isTransfer?: boolean;
}

export async function openDatabase(
  config: Config,
  file: string,
  log: Log,
  settings: DatabaseSettings = {},
): Promise<Database> {
  if (settings.isTransfer) return openAny(config, file, log, settings);
  // Opening would create a new database in the place of the one that an interrupted restore has yet to complete.
  const unfinished = [`${file}.restoring`, `${file}.restoring.part`].find((each) => existsSync(each));
  if (unfinished !== undefined)
    throw new StartError(
      `A restore of ${file} has not finished. Run the same "svc-server restore" again, or delete ${unfinished}.`,
    );
  const database = await openAny(config, file, log, settings);
  try {
    await rejectTransferred(database, `The database ${addressInWords(config, file)}`);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Contains no secret. */
export function addressInWords({ database }: Pick<Config, 'database'>, file = ''): string {
  return database.kind === 'sqlite' ? file : usedAddressInWords(database.url);
}

async function openAny(
  config: Config,
  file: string,
  log: Log,
  { durable, databasePatience, prepareSchema, observe }: DatabaseSettings,
): Promise<Database> {
  const onEffectError = (error: unknown) =>
    log.error('effect of a commit failed', { error: describeError(error) });
  if (config.database.kind === 'sqlite')
    return openSqlite(file, { onEffectError, durable, prepareSchema, observe });
  // Loaded only here, because the embedded mode doesn't need it.
  const { openPostgres } = await import('#platform/database/postgres');
  const onIdleError = (error: Error) =>
    log.warn('idle database connection lost', { error: describeError(error) });
  const settings = { onEffectError, patience: databasePatience, prepareSchema, observe };
  return openPostgres(config.database.url, onIdleError, settings);
}

export async function openCounters(
  config: Config,
  database: Database,
  clock: Clock,
  derive: DeriveKey,
  log: Log,
  patience?: RedisPatience,
): Promise<{ readonly counters: Counters; close(): void }> {
  if (config.redis !== null) return openRedis(config.redis, derive, clock, log, patience);
  const close = () => undefined;
  if (config.database.kind === 'sqlite') return { counters: createMemoryCounters(clock), close };
  const { createPostgresCounters } = await import('#platform/counters/postgres');
  return { counters: createPostgresCounters(database, clock), close };
}

/** @param derive derives the key for the names of counters. */
export async function openRedis(
  address: RedisAddress,
  derive: DeriveKey,
  clock: Clock,
  log: Log,
  patience?: RedisPatience,
): Promise<{ readonly counters: Counters; close(): void }> {
  // Loaded only here, because most deployments don't need it.
  const { openRedisCounters } = await import('#platform/counters/redis');
  const onLost = (error: Error) => log.warn('connection to Redis lost', { error: describeError(error) });
  const counters = await openRedisCounters(address, createCounterNames(derive), clock, onLost, patience);
  return { counters, close: counters.close };
}

export async function openBus(config: Config, database: Database, log: Log): Promise<Bus> {
  if (config.database.kind === 'sqlite') return createMemoryBus(database);
  const { openPostgresBus } = await import('#platform/bus/postgres');
  return openPostgresBus(config.database.url, (error) =>
    log.warn('connection for notifications lost', { error: describeError(error) }),
  );
}
