/**
 * The database of a backup, as it will be in the restored service: with the schema of this version, without sessions
 * and devices, and with the id of another store of blobs. It is a file of the data folder until the restore has
 * finished.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createAudit } from '#features/audit';
import { createSessionEnding } from '#features/auth';
import { createDeviceService } from '#features/devices';
import { BLOB_STORE } from '#platform/blobs/blob-owner';
import { newBlobName } from '#platform/blobs/blobs';
import { systemClock } from '#platform/clock';
import type { DataFolder } from '#platform/data-folder';
import type { Database, ReadingDatabase } from '#platform/database/database';
import { findFact, putFact } from '#platform/database/deployment';
import { copySqlite } from '#platform/database/sqlite-copy';
import { openSqliteToRead } from '#platform/database/sqlite-reading';
import { deleteMovedAway } from '#platform/database/transfer-marks';
import { createIds } from '#platform/ids';
import { createLog } from '#platform/log';
import type { Random } from '#platform/random';
import { StartError } from '#start-error';
import { DATABASE, syncFolder } from '../../backup.ts';
import { openBus, openDatabase } from '../../adapters.ts';
import type { Config } from '../../config.ts';
import type { Watch } from '../move/fill-database.ts';

/**
 * The name of a fact in the restored database. Its value is the digest of the backup's database, with a suffix if
 * sessions were kept.
 */
const RESTORED_FROM = 'restored-from';
const WITH_SESSIONS = ' with-sessions';

export const stagingFile = (folder: DataFolder) => folder.file(`${DATABASE}.restoring`);

export async function digestOfBackup(backup: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path.join(backup, DATABASE))) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

export async function wasRestored({ read }: ReadingDatabase, digest: string): Promise<boolean> {
  const from = await findFact(read, RESTORED_FROM);
  return from === digest || from === digest + WITH_SESSIONS;
}

/**
 * Opens the staged database; creates it unless an interrupted restore of the same backup did.
 * @throws StartError when that restore treated sessions differently.
 */
export async function stageDatabase(
  {
    backup,
    digest,
    keepsSessions,
  }: { readonly backup: string; readonly digest: string; readonly keepsSessions: boolean },
  config: Config,
  folder: DataFolder,
  random: Random,
  watch: Watch,
): Promise<ReadingDatabase> {
  const file = stagingFile(folder);
  const wanted = keepsSessions ? digest + WITH_SESSIONS : digest;
  const embedded: Config = { ...config, database: { kind: 'sqlite' } };
  const open = (staged: string) => openDatabase(embedded, staged, createLog('error'), { isTransfer: true });
  if (existsSync(file)) {
    const staged = await open(file);
    const from = await findFact(staged.read, RESTORED_FROM);
    await staged.close();
    if (from === wanted) return openSqliteToRead(file);
    if (from === digest || from === digest + WITH_SESSIONS)
      throw new StartError(
        `A restore ${keepsSessions ? 'without' : 'with'} --keep-sessions has not finished. Run the same command again, or restore into another empty data folder.`,
      );
  }
  const part = `${file}.part`;
  await removeDatabase(part);
  watch.report('Copying the database');
  await copySqlite(path.join(backup, DATABASE), part);
  const database = await open(part);
  try {
    await deleteMovedAway(database.read);
    if (!keepsSessions) await endSessions(database, embedded, random, watch);
    await putFact(database.read, BLOB_STORE, newBlobName(random));
    await putFact(database.read, RESTORED_FROM, wanted);
  } finally {
    await database.close();
  }
  await rename(part, file);
  await syncFolder(folder.path);
  return openSqliteToRead(file);
}

export async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${file}${suffix}`, { force: true });
}

/**
 * Ends all sessions and revokes all devices. Those that were revoked after the backup would work again, and the backup
 * cannot say which.
 */
async function endSessions(
  database: Database,
  config: Config,
  random: Random,
  { signal, report }: Watch,
): Promise<void> {
  const clock = systemClock;
  const bus = await openBus(config, database, createLog('error'));
  const audit = createAudit({ database, clock, ids: createIds(clock, random) });
  const devices = createDeviceService({ database, bus, clock, audit });
  const ending = createSessionEnding({
    database,
    bus,
    revokeDevices: (tx, userId) => devices.revokeAll(tx, userId, null),
  });
  try {
    const accounts = await ending.listAccounts(true);
    for (const [done, userId] of accounts.entries()) {
      signal.throwIfAborted();
      report('Ending sessions of accounts', done, accounts.length);
      await ending.endAll(userId, true);
    }
  } finally {
    await bus.close();
  }
}
