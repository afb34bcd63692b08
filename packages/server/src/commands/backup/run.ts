/** `backup`: creates a backup of SQLite with its report bodies and the master key. */
import path from 'node:path';
import { s3PlaceInWords } from '#platform/blobs/s3-place';
import { StartError } from '#start-error';
import { makeBackup } from '../../backup.ts';
import { readConfig, type Config } from '../../config.ts';
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
  if (config.database.kind === 'postgres') throw notHere(config);
  const place = path.resolve(folder);
  const evenWithFaults = options['evenWithFaults'] === true;
  return resultOf(await makeBackup(config, place, { evenWithFaults, signal, report }), place, evenWithFaults);
}

function notHere({ dataDir, masterKey, bucket }: Config): StartError {
  return new StartError([
    'DATABASE_URL: the database is PostgreSQL, whose own tools copy it. In this order:',
    '1. pg_dump --format=custom --file=svc.dump "$DATABASE_URL"',
    `2. copy ${bucket === null ? `the folder ${path.resolve(dataDir, 'blobs')}` : s3PlaceInWords(bucket)}: after the database, so that what it names is there`,
    masterKey !== null
      ? '3. keep SVC_MASTER_KEY as well, elsewhere: without it no report can be read'
      : `3. copy ${path.resolve(dataDir, 'master.key')} as well: without it no report can be read`,
  ]);
}
