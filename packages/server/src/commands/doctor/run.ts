/** `doctor`: runs the checks one after the other. Each line of the result except the last names its check. */
import type { Database } from '#platform/database/database';
import { reasonInWords } from '#platform/shown-address';
import { readConfig, type Config } from '../../config.ts';
import { startAdvice } from '../../start-advice.ts';
import type { CommandResult, Invocation } from '../frame/command.ts';
import { examine, ok, warning, type Finding, type CheckResult } from './check.ts';
import {
  isEmpty,
  masterKeyFound,
  noFile,
  openExamined,
  schemaFound,
  serverFound,
} from './database-checks.ts';
import { diskFound, fileSystemFound, modesFound } from './folder-checks.ts';
import { addressesFound, nodeFound, operatorFilesFound } from './setting-checks.ts';
import { blobsFound, redisFound } from './store-checks.ts';

export async function run({ environment, signal, report }: Invocation): Promise<CommandResult> {
  const config = readConfig(environment);
  const findings: Finding[] = [{ check: 'configuration', ...ok('Every variable is valid.') }];
  const check = async (
    name: string,
    work: () => Promise<readonly CheckResult[]> | readonly CheckResult[],
  ) => {
    signal.throwIfAborted();
    report(`Checking ${name}`);
    findings.push(...(await examine(name, work, reasonOf(config))));
  };
  await check('node', nodeFound);
  await check('modes', () => modesFound(config));
  await check('file system', () => fileSystemFound(config));
  await check('disk', () => diskFound(config));
  await check('addresses', () => addressesFound(config));
  await check('files', () => operatorFilesFound(config));
  await checkDatabase(config, check);
  await check('blobs', () => blobsFound(config));
  await check('redis', () => redisFound(config));
  return resultOf(findings);
}

type Check = (
  name: string,
  work: () => Promise<readonly CheckResult[]> | readonly CheckResult[],
) => Promise<void>;

async function checkDatabase(config: Config, check: Check): Promise<void> {
  const place: { database: Database | null; isUsable: boolean } = { database: null, isUsable: false };
  try {
    await check('database', async () => {
      place.database = await openExamined(config);
      return place.database === null ? noFile() : serverFound(config, place.database);
    });
    const { database: opened } = place;
    if (opened === null) return;
    await check('database', async () => {
      const found = await schemaFound(config, opened);
      place.isUsable = true;
      return found;
    });
    if (!place.isUsable) return;
    await check('master key', () => masterKeyFound(config, opened));
    await check('settings', async () => {
      if (await isEmpty(config, opened)) return [ok('There are no accounts yet.')];
      const advice = await startAdvice(config, opened.read);
      return advice.length > 0
        ? advice.map((line) => warning(line))
        : [ok('The service would start without a warning.')];
    });
  } finally {
    await place.database?.close();
  }
}

/** Messages of drivers can contain a password. */
const reasonOf =
  ({ database, redis, bucket }: Config) =>
  (error: unknown): string => {
    const { errstr, message } = error as { errstr?: string; message: string };
    const isLocal = database.kind === 'sqlite' && redis === null && bucket === null;
    return errstr ?? (isLocal ? message : reasonInWords(error));
  };

function resultOf(findings: readonly Finding[]): CommandResult {
  const count = (status: Finding['status']) => findings.filter((each) => each.status === status).length;
  const [faults, warnings] = [count('fault'), count('warning')];
  return {
    exitCode: faults > 0 ? 1 : 0,
    lines: [
      ...findings.map(({ check, status, text }) => `${status.padEnd(7)}  ${check}: ${text}`),
      `${findings.length} results: ${faults} ${faults === 1 ? 'fault' : 'faults'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`,
    ],
    value: { faults, warnings, findings },
  };
}
