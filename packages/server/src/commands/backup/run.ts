/** `backup`: creates a backup of the database, the report bodies and, if it is in a file, the master key. */
import path from 'node:path';
import { makeBackup } from '../../backup.ts';
import { readConfig } from '../../config.ts';
import { isoTime, systemClock } from '#platform/clock';
import { LAST_BACKUP, noteBackup } from '#platform/last-backup';
import type { CommandResult, Invocation } from '../frame/command.ts';
import { resultOf } from './result.ts';

export async function run({
  arguments: [folder = ''],
  options,
  environment,
  signal,
  report,
}: Invocation): Promise<CommandResult> {
  const config = readConfig(environment);
  const place = path.resolve(folder);
  const evenWithFaults = options['evenWithFaults'] === true;
  const contents = await makeBackup(config, place, { evenWithFaults, signal, report });
  if (contents.faults.length === 0)
    await noteBackup(path.join(config.dataDir, LAST_BACKUP), isoTime(systemClock.now()));
  return resultOf(contents, place, evenWithFaults);
}
