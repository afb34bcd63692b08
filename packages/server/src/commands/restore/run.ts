/** `restore`: checks a backup, and copies it to where the configuration says. */
import { existsSync, readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { verifyAuditLog } from '#features/audit';
import { copyBlobs } from '#features/uploads';
import { BLOB_STORE } from '#platform/blobs/blob-owner';
import { openDataFolder, type DataFolder } from '#platform/data-folder';
import type { ReadingDatabase } from '#platform/database/database';
import { findFact } from '#platform/database/deployment';
import { openSqliteToRead } from '#platform/database/sqlite-reading';
import { createLog } from '#platform/log';
import { readMasterKeys } from '#platform/master-key';
import { systemRandom } from '#platform/random';
import { StartError } from '#start-error';
import { addressInWords, openBlobs, openDatabase } from '../../adapters.ts';
import { BLOBS, copyKey, DATABASE, KEY, syncFolder, verifyBackup } from '../../backup.ts';
import { readConfig, type Config } from '../../config.ts';
import { resultOf as resultOfBackup } from '../backup/result.ts';
import type { CommandResult, Invocation } from '../frame/command.ts';
import { beginFilling, fillDatabase, type Watch } from '../move/fill-database.ts';
import { requireEmptyOrBegun } from '../move/move.ts';
import { digestOfBackup, removeDatabase, stageDatabase, stagingFile, wasRestored } from './staging.ts';

/** A table of a million rows is read in one statement. */
const PATIENCE = { connectMs: 10_000, statementMs: 600_000 };

export async function run(invocation: Invocation): Promise<CommandResult> {
  const {
    arguments: [given = ''],
    options,
    environment,
    signal,
    report,
  } = invocation;
  const config = readConfig(environment);
  const backup = path.resolve(given);
  const contents = await verifyBackup(backup, config.masterKeys, { signal, report });
  const hasFaults = contents.faults.length > 0;
  if (hasFaults && options['evenWithFaults'] !== true) {
    const { lines, value } = resultOfBackup(contents, backup, true);
    return {
      exitCode: 1,
      lines: [...lines, 'Nothing was restored. Use --even-with-faults to restore it anyway.'],
      value: { ...value, isRestored: false },
    };
  }
  const folder = openDataFolder(config.dataDir);
  try {
    const keepsSessions = options['keepSessions'] === true;
    const { wasBefore, auditEnd } = await restoreInto(
      folder,
      { config, backup, keepsSessions },
      { signal, report },
    );
    return {
      exitCode: hasFaults ? 1 : 0,
      lines: [
        ...contents.faults.map((fault) => `- ${fault}`),
        ...(wasBefore
          ? ['This backup was already restored here.']
          : linesOfDone(config, folder, keepsSessions, auditEnd)),
      ],
      value: { isRestored: true, wasBefore, faults: contents.faults, auditEnd },
    };
  } finally {
    folder.release();
  }
}

interface Restoring {
  readonly config: Config;
  readonly backup: string;
  readonly keepsSessions: boolean;
}

interface Restored {
  readonly wasBefore: boolean;
  /** The end of the audit log as restored; null when it is empty. */
  readonly auditEnd: string | null;
}

async function restoreInto(
  folder: DataFolder,
  { config, backup, keepsSessions }: Restoring,
  watch: Watch,
): Promise<Restored> {
  const digest = await digestOfBackup(backup);
  if (await isRestoredAlready(config, folder, digest)) {
    // A run that was killed at the beginning of its last step left this file, beside which no service starts.
    await removeDatabase(stagingFile(folder));
    return { wasBefore: true, auditEnd: null };
  }
  rejectOtherKey(config, folder, backup);
  const staged = await stageDatabase({ backup, digest, keepsSessions }, config, folder, systemRandom, watch);
  await placeKey(config, folder, backup);
  let auditEnd: string | null;
  try {
    await readMasterKeys({ database: staged, configured: config.masterKeys, file: folder.file(KEY) });
    await fillPlaces(staged, config, folder, backup, watch);
    auditEnd = await endOfAuditLog(staged);
  } finally {
    await staged.close();
  }
  if (config.database.kind === 'sqlite') {
    await rename(stagingFile(folder), folder.file(DATABASE));
    await syncFolder(folder.path);
  } else await removeDatabase(stagingFile(folder));
  return { wasBefore: false, auditEnd };
}

/** @throws StartError when there already is another database. */
async function isRestoredAlready(config: Config, folder: DataFolder, digest: string): Promise<boolean> {
  const file = folder.file(DATABASE);
  if (config.database.kind === 'postgres') {
    const database = await openTarget(config);
    try {
      return await wasRestored(database, digest);
    } finally {
      await database.close();
    }
  }
  if (!existsSync(file)) return false;
  const present = openSqliteToRead(file);
  try {
    if (await wasRestored(present, digest)) return true;
  } finally {
    await present.close();
  }
  throw new StartError(`DATA_DIR: ${folder.path} already has a database. Name an empty folder.`);
}

const usesKeyOf = (config: Config, backup: string) =>
  config.masterKeys.length === 0 && existsSync(path.join(backup, KEY));

function rejectOtherKey(config: Config, folder: DataFolder, backup: string): void {
  const to = folder.file(KEY);
  if (!usesKeyOf(config, backup) || !existsSync(to)) return;
  if (!readFileSync(path.join(backup, KEY)).equals(readFileSync(to)))
    throw new StartError(`DATA_DIR: ${to} is not the master key of the backup. Name an empty folder.`);
}

/** Copies the key file of the backup into the folder, unless the key is configured. */
async function placeKey(config: Config, folder: DataFolder, backup: string): Promise<void> {
  const to = folder.file(KEY);
  if (!usesKeyOf(config, backup) || existsSync(to)) return;
  const part = `${to}.new`;
  await copyKey(path.join(backup, KEY), part);
  await rename(part, to);
  await syncFolder(folder.path);
}

/** Copies the blobs before the rows, so that a usable database has every blob that it names. */
async function fillPlaces(
  staged: ReadingDatabase,
  config: Config,
  folder: DataFolder,
  backup: string,
  watch: Watch,
): Promise<void> {
  const id = (await findFact(staged.read, BLOB_STORE)) ?? '';
  if (config.database.kind === 'sqlite') return restoreBodies(staged, id, config, folder, backup, watch);
  const to = await openTarget(config);
  try {
    const filling = { from: staged.read, to, described: addressInWords(config), id };
    const isMissing = await beginFilling(filling);
    await restoreBodies(staged, id, config, folder, backup, watch);
    if (isMissing) await fillDatabase({ ...filling, facts: {} }, watch);
  } finally {
    await to.close();
  }
}

async function restoreBodies(
  staged: ReadingDatabase,
  id: string,
  config: Config,
  folder: DataFolder,
  backup: string,
  { signal, report }: Watch,
): Promise<void> {
  const target = await openBlobs(config, folder.file(BLOBS), systemRandom);
  try {
    await requireEmptyOrBegun(target, id);
    const { blobs } = await openBlobs({ ...config, bucket: null }, path.join(backup, BLOBS), systemRandom);
    await copyBlobs(staged.read, blobs, target.blobs, (count) => {
      signal.throwIfAborted();
      report('Copying report bodies', count);
    });
  } finally {
    target.close();
  }
}

const openTarget = (config: Config) =>
  openDatabase(config, '', createLog('error'), { isTransfer: true, databasePatience: PATIENCE });

async function endOfAuditLog({ read }: ReadingDatabase): Promise<string | null> {
  const verdict = await verifyAuditLog(read, null);
  if (!verdict.intact || verdict.head.sequence === 0) return null;
  return `${verdict.head.sequence}:${Buffer.from(verdict.head.hash).toString('hex')}`;
}

function linesOfDone(
  config: Config,
  folder: DataFolder,
  keepsSessions: boolean,
  auditEnd: string | null,
): string[] {
  return [
    `Restored into ${addressInWords(config, folder.file(DATABASE))}. Start the service with the same settings.`,
    keepsSessions
      ? 'Sessions and devices that were revoked after the backup work again.'
      : 'All sessions have ended and all devices are revoked: people sign in and link their devices again.',
    'Shares, invitations and memberships that were revoked after the backup work again, reports that were deleted exist again, and passwords are the old ones.',
    ...(auditEnd === null ? [] : [`The audit log ends with ${auditEnd}`]),
  ];
}
