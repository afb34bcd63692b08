/**
 * Replaces the master key while the service runs.
 *
 * The steps are: add a new key to the file of the data folder, take it into use, wrap the key of every report again,
 * record that the old key is no longer needed, remove it from the file. Each can be repeated. After an interruption,
 * the next run finds the step in the database and in the file.
 */
import { rewrapKeys } from '#features/reports';
import type { Database } from '#platform/database/database';
import { replaceKeyFile, MASTER_KEY_BYTES } from '#platform/master-key-file';
import { configuredOrFile, foreign, isSame, lost } from '#platform/master-key';
import { beginRotation, findRotation, finishRotation } from '#platform/master-key-rotation';
import type { Random } from '#platform/random';
import { createRewrapping } from '#platform/report-keys';
import { StartError } from '#start-error';
import type { Report } from '../frame/progress.ts';

export interface RotationSources {
  readonly database: Database;
  /** The keys from the configuration, the newest first. */
  readonly configured: readonly Uint8Array[];
  /** The key file in the data folder, used when no key is configured. */
  readonly file: string;
  /** Whether the database belongs to one process, whose key file this is. */
  readonly isEmbedded: boolean;
  readonly random: Random;
}

export interface RotationRun {
  readonly evenWithFaults: boolean;
  readonly signal: AbortSignal;
  readonly report: Report;
}

export interface Rotated {
  /** How many keys the new master key wraps. */
  readonly count: number;
  readonly rewrapped: number;
  /** The reports, and the projects with notes, whose keys no known master key unwraps. */
  readonly broken: readonly string[];
  readonly isFinished: boolean;
  /** Whether the old key has to be removed from SVC_MASTER_KEY, or from the key files of all replicas. */
  readonly leavesOldKey: boolean;
}

export async function rotateMasterKey(
  sources: RotationSources,
  { evenWithFaults, signal, report }: RotationRun,
): Promise<Rotated> {
  const { database, configured, file, random } = sources;
  const ownsFile = configured.length === 0 && sources.isEmbedded;
  const found = configuredOrFile(configured, file) ?? lost(file);
  const { inUse, isUnderWay, knowsReplaced } = await findRotation(database, found);
  if (!inUse) throw foreign(configured, file);
  if (!knowsReplaced)
    throw new StartError(
      `An earlier rotation is not finished, and its old key is missing. Add it after the new one in ${configured.length > 0 ? 'SVC_MASTER_KEY' : file}.`,
    );
  const isAlone = found.length === 1 && !isUnderWay;
  if (isAlone && !ownsFile) throw needsNewKey(configured.length > 0 ? 'SVC_MASTER_KEY' : file);
  const keys = isAlone ? [random.bytes(MASTER_KEY_BYTES), ...found] : found;
  if (isAlone) replaceKeyFile(file, keys);
  const newest = keys[0] ?? inUse;
  if (isUnderWay && !isSame(newest, inUse))
    throw new StartError(
      'An earlier rotation to another key is not finished. Finish it with that key first.',
    );

  if (!isSame(newest, inUse)) await beginRotation(database, { from: inUse, to: newest }, random);
  const rewrap = createRewrapping(
    keys.filter((key) => key !== newest),
    newest,
    random,
  );
  const result = await rewrapKeys(database, rewrap, ({ done, total }) => {
    signal.throwIfAborted();
    report('Wrapping keys', done, total);
  });
  const isFinished = result.broken.length === 0 || evenWithFaults;
  if (isFinished) {
    await finishRotation(database);
    if (ownsFile) replaceKeyFile(file, [newest]);
  }
  return { ...result, isFinished, leavesOldKey: !ownsFile && keys.length > 1 };
}

function needsNewKey(source: string): StartError {
  return new StartError([
    `${source} has only the key in use. To replace it:`,
    '1. create a new key: openssl rand -base64 32',
    source === 'SVC_MASTER_KEY'
      ? '2. set SVC_MASTER_KEY to the new key, a comma and the old key, for every replica, and restart them'
      : '2. write the new key as the first line of this file, for every replica, and restart them',
    '3. run this command again with both keys',
  ]);
}
