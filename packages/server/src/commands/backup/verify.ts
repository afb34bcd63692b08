/** `backup verify`: checks a backup. */
import path from 'node:path';
import { readConfig } from '../../config.ts';
import { verifyBackup } from '../../backup.ts';
import type { CommandResult, Invocation } from '../frame/command.ts';
import { resultOf } from './result.ts';

export async function run({
  arguments: [folder = ''],
  environment,
  signal,
  report,
}: Invocation): Promise<CommandResult> {
  const config = readConfig(environment);
  const place = path.resolve(folder);
  return resultOf(await verifyBackup(place, config.masterKey, { signal, report }), place, true);
}
