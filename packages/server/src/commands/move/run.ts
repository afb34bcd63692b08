/** `move`: opens the source and the destination, and prints the result. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { openDataFolder, type DataFolder } from '#platform/data-folder';
import type { Database } from '#platform/database/database';
import { deleteMovedAway, findMovedAway } from '#platform/database/transfer-marks';
import { createLog } from '#platform/log';
import { readMasterKeys } from '#platform/master-key';
import { systemRandom } from '#platform/random';
import { StartError } from '#start-error';
import { addressInWords, openBlobs, openDatabase } from '../../adapters.ts';
import { readConfig, type Config } from '../../config.ts';
import type { CommandResult, Invocation } from '../frame/command.ts';
import { moveBodies, moveDatabase, type Moved, type MoveRun } from './move.ts';

const FAULTS_SHOWN = 20;
/** A table of a million rows is counted in one statement. */
const PATIENCE = { connectMs: 10_000, statementMs: 600_000 };
const embedded = (config: Config): Config => ({ ...config, database: { kind: 'sqlite' }, bucket: null });

export async function run({ options, environment, signal, report }: Invocation): Promise<CommandResult> {
  const config = readConfig(environment);
  if (!existsSync(config.dataDir))
    throw new StartError(
      `DATA_DIR: there is no folder ${path.resolve(config.dataDir)}. Name the folder of the service.`,
    );
  const folder = openDataFolder(config.dataDir);
  try {
    if (options['undo'] === true) return await undo(config, folder);
    const evenWithFaults = options['evenWithFaults'] === true;
    return await moveAll(config, folder, { evenWithFaults, signal, report, random: systemRandom });
  } finally {
    folder.release();
  }
}

async function moveAll(config: Config, folder: DataFolder, how: MoveRun): Promise<CommandResult> {
  const log = createLog(config.logLevel);
  const settings = { isTransfer: true, databasePatience: PATIENCE };
  const opened: (() => Promise<void> | void)[] = [];
  const open = async (chosen: Config): Promise<Database> => {
    const database = await openDatabase(chosen, folder.file('svc.db'), log, settings);
    opened.push(() => database.close());
    return database;
  };
  try {
    const isEmbedded = config.database.kind === 'sqlite';
    if (isEmbedded && config.bucket === null)
      throw new StartError(
        'Nowhere to move to. Set DATABASE_URL to an empty PostgreSQL database, BLOB_URL to an empty prefix of a bucket, or both.',
      );
    const hasFile = existsSync(folder.file('svc.db'));
    if (isEmbedded && !hasFile)
      throw new StartError(
        `DATA_DIR: there is no file ${folder.file('svc.db')}. Name the folder of the service.`,
      );
    const source = hasFile ? await open(embedded(config)) : null;
    const target = isEmbedded ? null : await open(config);
    await requireKey(config, folder, source ?? target);
    const files = await openBlobs(embedded(config), folder.file('blobs'), systemRandom);
    const bucket = config.bucket === null ? null : await openBlobs(config, '', systemRandom);
    if (bucket !== null) opened.push(() => bucket.close());

    let moved: Moved | null = null;
    if (source !== null && target !== null) {
      const described = addressInWords(config);
      moved = await moveDatabase(source, { database: target, described }, files, bucket, how);
    }
    const staying = target ?? source;
    const isMoved = moved === null || (moved.rows === null && moved.isComplete);
    if (isMoved && bucket !== null && staying !== null) moved = await moveBodies(staying, files, bucket, how);
    return resultOf(moved, config, folder);
  } finally {
    for (const close of opened.toReversed()) await close();
  }
}

/** Without this check, a missing master key would be noticed only after the move, when no report can be read. */
async function requireKey(config: Config, folder: DataFolder, database: Database | null): Promise<void> {
  if (database === null) return;
  await readMasterKeys({ database, configured: config.masterKeys, file: folder.file('master.key') });
}

async function undo(config: Config, folder: DataFolder): Promise<CommandResult> {
  const file = folder.file('svc.db');
  if (!existsSync(file))
    throw new StartError(`DATA_DIR: there is no file ${file}. Name the folder of the service.`);
  const database = await openDatabase(embedded(config), file, createLog(config.logLevel), {
    isTransfer: true,
  });
  try {
    const moved = await findMovedAway(database.read);
    await deleteMovedAway(database.read);
    const line =
      moved === null
        ? `The database ${file} was not moved.`
        : `The database ${file} can be used again. What was written to ${moved.to} since the move is not in it.`;
    return { exitCode: 0, lines: [line], value: { movedTo: moved?.to ?? null } };
  } finally {
    await database.close();
  }
}

function resultOf(moved: Moved | null, config: Config, folder: DataFolder): CommandResult {
  const { rows, bodies, isComplete } = moved ?? { rows: null, bodies: null, isComplete: true };
  const lost = bodies?.lost ?? [];
  const faults = lost.slice(0, FAULTS_SHOWN).map((name) => `- the blob ${name} is missing or damaged`);
  const more = lost.length - faults.length;
  return {
    exitCode: lost.length > 0 ? 1 : 0,
    lines: [
      ...(lost.length > 0
        ? [
            isComplete
              ? 'Moved, but without some report bodies:'
              : 'Not moved, because report bodies are lost:',
          ]
        : []),
      ...faults,
      ...(more > 0 ? [`and ${more} more.`] : []),
      ...(isComplete
        ? linesOfDone(rows, bodies, config, folder)
        : ['Use --even-with-faults to move anyway.']),
    ],
    value: { isComplete, rows, bodies },
  };
}

function linesOfDone(
  rows: Moved['rows'],
  bodies: Moved['bodies'],
  config: Config,
  folder: DataFolder,
): string[] {
  if (rows === null && bodies === null) return ['Everything was already moved.'];
  const count = Object.values(rows ?? {}).reduce((sum, each) => sum + each, 0);
  const what = [
    ...(rows === null ? [] : [`${count} rows of ${Object.keys(rows).length} tables`]),
    ...(bodies === null ? [] : [`${bodies.count} blobs`]),
  ];
  return [
    `Moved and compared: ${what.join(' and ')}. Start the service with the same settings.`,
    ...(bodies === null && config.database.kind === 'postgres'
      ? [`The report bodies are still in ${folder.file('blobs')}.`]
      : []),
    config.masterKeys.length > 0
      ? 'The master key is the same: SVC_MASTER_KEY.'
      : `The master key is the same: ${folder.file('master.key')}. Another replica needs it in SVC_MASTER_KEY, on one line.`,
    `Check that reports can be read. Then delete what is no longer used in ${folder.path}${rows === null ? '' : ': svc.db'}${bodies === null ? '' : `${rows === null ? ':' : ','} blobs`}.`,
  ];
}
