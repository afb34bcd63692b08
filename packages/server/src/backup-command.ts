/** `backup <new folder>` and `backup verify <folder>`: their arguments and output. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeBackup, verifyBackup, type BackupContents } from './backup.ts';
import { unknownCommand, usage, type CommandResult } from './command.ts';
import { readConfig, type Config, type Environment } from './config.ts';
import { StartError } from './start-error.ts';
import { s3PlaceInWords } from '#platform/blobs/s3-place';

const FAULTS_SHOWN = 20;

interface Asked {
  readonly verifies: boolean;
  readonly folder: string;
  readonly evenWithFaults: boolean;
}

export async function runBackupCommand(
  given: readonly string[],
  environment: Environment,
): Promise<CommandResult> {
  try {
    const { verifies, folder, evenWithFaults } = readArguments(given);
    const config = readConfig(environment);
    const place = path.resolve(folder);
    if (verifies) return resultOf(await verifyBackup(place, config.masterKeys), place, true);
    if (config.database.kind === 'postgres') throw notHere(config);
    return resultOf(await makeBackup(config, place, evenWithFaults), place, evenWithFaults);
  } catch (error) {
    if (error instanceof StartError) return { exitCode: 2, lines: error.lines };
    const { errstr, message } = error as { errstr?: string; message: string };
    return { exitCode: 2, lines: [`The backup failed (${errstr ?? message}).`] };
  }
}

function readArguments(given: readonly string[]): Asked {
  let parsed;
  try {
    const options = { 'even-with-faults': { type: 'boolean', default: false } } as const;
    parsed = parseArgs({ args: [...given], options, allowPositionals: true });
  } catch (cause) {
    throw new StartError([`${(cause as Error).message}.`, ...usage], { cause });
  }
  const [command, ...rest] = parsed.positionals;
  const verifies = rest.length === 2 && rest[0] === 'verify';
  const folder = verifies ? rest[1] : rest.length === 1 && rest[0] !== 'verify' ? rest[0] : undefined;
  if (command !== 'backup' || !folder) throw unknownCommand(parsed.positionals);
  return { verifies, folder, evenWithFaults: parsed.values['even-with-faults'] };
}

function notHere({ dataDir, masterKeys, bucket }: Config): StartError {
  return new StartError([
    'DATABASE_URL: the database is PostgreSQL, whose own tools copy it. In this order:',
    '1. pg_dump --format=custom --file=svc.dump "$DATABASE_URL"',
    `2. copy ${bucket === null ? `the folder ${path.resolve(dataDir, 'blobs')}` : s3PlaceInWords(bucket)}: after the database, so that what it names is there`,
    masterKeys.length > 0
      ? '3. keep SVC_MASTER_KEY as well, elsewhere: without it no report can be read'
      : `3. copy ${path.resolve(dataDir, 'master.key')} as well: without it no report can be read`,
  ]);
}

function resultOf(contents: BackupContents, place: string, isThere: boolean): CommandResult {
  const { bodies, databaseBytes, faults, holdsKey, auditHead } = contents;
  if (faults.length > 0) {
    const shown = faults.slice(0, FAULTS_SHOWN).map((fault) => `- ${fault}`);
    const more = faults.length - shown.length;
    return {
      exitCode: 1,
      lines: [
        isThere
          ? `The backup ${place} has faults:`
          : `No backup was created, because the data of the service has faults:`,
        ...shown,
        ...(more > 0 ? [`and ${more} more.`] : []),
        ...(isThere ? [] : ['Use --even-with-faults to create it anyway.']),
      ],
    };
  }
  return {
    exitCode: 0,
    lines: [
      `The backup ${place} is complete: the database (${inWords(databaseBytes)}), ${bodies.count} report ${bodies.count === 1 ? 'body' : 'bodies'} (${inWords(bodies.sizeBytes)})${holdsKey ? ' and the master key' : ''}.`,
      holdsKey
        ? 'Anyone who has it can read every report in it.'
        : 'The master key is not in it: it is in SVC_MASTER_KEY. Without it no report can be read, so keep it elsewhere.',
      ...(auditHead === null || auditHead.sequence === 0
        ? ['Its audit log is empty.']
        : [`Its audit log ends with ${auditHead.sequence}:${Buffer.from(auditHead.hash).toString('hex')}`]),
    ],
  };
}

function inWords(bytes: number): string {
  const kib = bytes / 1024;
  return kib < 1024 ? `${Math.ceil(kib)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}
