/** The configured database, as commands use it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Database, ReadingDatabase } from '#platform/database/database';
import { requireSchema } from '#platform/database/migrate';
import { openSqliteToRead } from '#platform/database/sqlite-reading';
import { createLog } from '#platform/log';
import { usedAddressInWords } from '#platform/shown-address';
import { StartError } from '#start-error';
import { openDatabase } from '../adapters.ts';
import type { Config } from '../config.ts';

export const fileOf = ({ dataDir }: Config) => path.resolve(dataDir, 'svc.db');

/** The name of the configured database in messages, without a password. */
export function describedOf(config: Config): string {
  const { database } = config;
  return `The database ${database.kind === 'sqlite' ? fileOf(config) : usedAddressInWords(database.url)}`;
}

/** Null when there is no SQLite file. */
export async function openToRead(config: Config): Promise<ReadingDatabase | null> {
  if (config.database.kind === 'sqlite')
    return existsSync(fileOf(config)) ? openSqliteToRead(fileOf(config)) : null;
  const { openPostgresToRead } = await import('#platform/database/postgres-reading');
  return openPostgresToRead(config.database.url);
}

/**
 * Like `openToRead`.
 * @throws StartError when there is no database, or this version cannot work with its schema.
 */
export async function openCurrentToRead(config: Config): Promise<ReadingDatabase> {
  const database = await openToRead(config);
  if (database === null) throw noFile(config);
  try {
    await requireSchema(database.read, config.database.kind, describedOf(config));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * For changes beside a running service.
 * @throws StartError when there is no database, or this version cannot work with its schema.
 */
export async function openToChange(config: Config): Promise<Database> {
  if (config.database.kind === 'sqlite' && !existsSync(fileOf(config))) throw noFile(config);
  return openDatabase(config, fileOf(config), createLog('error'), { prepareSchema: requireSchema });
}

function noFile(config: Config): StartError {
  return new StartError(`DATA_DIR: there is no file ${fileOf(config)}. Name the folder of the service.`);
}
