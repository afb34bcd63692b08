/** `rotate-master-key`: opens the stores, and prints the result. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { holdFile, isHeld } from '#platform/data-folder';
import { systemRandom } from '#platform/random';
import { StartError } from '#start-error';
import { readConfig } from '../../config.ts';
import { fileOf, openToChange } from '../databases.ts';
import type { CommandResult, Invocation } from '../frame/command.ts';
import { rotateMasterKey, type Rotated } from './rotate.ts';

const FAULTS_SHOWN = 20;

export async function run({ options, environment, signal, report }: Invocation): Promise<CommandResult> {
  const config = readConfig(environment);
  const dataDir = path.resolve(config.dataDir);
  const isEmbedded = config.database.kind === 'sqlite';
  // Without a database there is nothing to lock, and opening it fails with the reason.
  const isHere = isEmbedded && existsSync(fileOf(config));
  const release = isHere ? holdRotation(path.join(dataDir, 'rotation.lock')) : () => undefined;
  try {
    const database = await openToChange(config);
    try {
      const rotated = await rotateMasterKey(
        {
          database,
          configured: config.masterKeys,
          file: path.join(dataDir, 'master.key'),
          isEmbedded,
          random: systemRandom,
        },
        { evenWithFaults: options['evenWithFaults'] === true, signal, report },
      );
      return resultOf(rotated, config.masterKeys.length > 0);
    } finally {
      await database.close();
    }
  } finally {
    release();
  }
}

function holdRotation(lockFile: string): () => void {
  try {
    return holdFile(lockFile);
  } catch (cause) {
    if (!isHeld(cause)) throw cause;
    throw new StartError('Another rotate-master-key is running. Wait until it has finished.', { cause });
  }
}

function resultOf(rotated: Rotated, isConfigured: boolean): CommandResult {
  const { count, rewrapped, broken, isFinished, leavesOldKey } = rotated;
  const done = `Keys wrapped by the new master key: ${count}, of which this run wrapped ${rewrapped}.`;
  const lines = isFinished
    ? [
        done,
        leavesOldKey
          ? `Now remove the old key from ${isConfigured ? 'SVC_MASTER_KEY' : 'the key file'} of every replica, and restart them.`
          : 'The new key is in use. The service need not be restarted.',
        isConfigured
          ? 'Keep the old key as long as you keep backups that were made before: they cannot be read without it.'
          : 'Backups that were made before contain the old key.',
      ]
    : [done, 'The old key is still needed. Use --even-with-faults to finish anyway.'];
  const faults = broken.slice(0, FAULTS_SHOWN).map((id) => `- no known master key unwraps the key of ${id}`);
  const more = broken.length - faults.length;
  return {
    exitCode: broken.length > 0 ? 1 : 0,
    lines: [...faults, ...(more > 0 ? [`and ${more} more.`] : []), ...lines],
    value: { count, rewrapped, broken, isFinished, leavesOldKey },
  };
}
