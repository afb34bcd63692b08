/** `export-account`: writes everything about one account into a new folder. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#app-error';
import { exportAccount, type ExportedReport, type MessageOpener } from '#features/accounts';
import { openNote } from '#features/findings';
import { openShareMessage } from '#features/shares';
import { createBodyReader } from '#features/uploads';
import { isoTime, systemClock } from '#platform/clock';
import type { ReadingDatabase } from '#platform/database/database';
import { readMasterKeys } from '#platform/master-key';
import { systemRandom } from '#platform/random';
import { createUnwrapping } from '#platform/report-keys';
import { StartError } from '#start-error';
import { openBlobs } from '../../adapters.ts';
import { readConfig, type Config } from '../../config.ts';
import { accountNameIn, requireAccountId } from '../accounts.ts';
import { openCurrentToRead } from '../databases.ts';
import type { CommandResult, Invocation } from '../frame/command.ts';
import { createFolder, writePrivateFile } from '../new-folder.ts';

const FAULTS_SHOWN = 20;

export async function run(invocation: Invocation): Promise<CommandResult> {
  const { options, environment } = invocation;
  const [folder = ''] = invocation.arguments;
  const name = accountNameIn(options);
  if (name === null) throw new StartError('Name the account with --email or --user-id.');
  const config = readConfig(environment);
  const database = await openCurrentToRead(config);
  try {
    const userId = await requireAccountId(database.read, name);
    return await createFolder(folder, (work) =>
      fill(work, { folder: path.resolve(folder), config, database, userId }, invocation),
    );
  } finally {
    await database.close();
  }
}

interface Asked {
  readonly folder: string;
  readonly config: Config;
  readonly database: ReadingDatabase;
  readonly userId: string;
}

async function fill(work: string, asked: Asked, invocation: Invocation): Promise<CommandResult> {
  const { folder, database, userId } = asked;
  const { signal, report, options } = invocation;
  const onReport = (count: number) => {
    signal.throwIfAborted();
    report('Reading reports', count);
  };
  const exported = await exportAccount(database.read, userId, onReport, {
    message: messageOpener(asked),
    async noteOpener() {
      const keys = await readKeys(asked);
      return ({ notesKey, ...decision }) => openNote(keys, notesKey, decision);
    },
  });
  if (exported === null) throw new StartError('The account was deleted meanwhile.');
  const { content, bodies } = exported;
  const exportedAt = isoTime(systemClock.now());
  await writePrivateFile(
    path.join(work, 'account.json'),
    `${JSON.stringify({ format: 'svc-account-export', version: 1, exportedAt, ...content }, null, 2)}\n`,
  );
  const withBodies = options['reports'] === true;
  const written = withBodies ? await writeBodies(work, bodies, asked, invocation) : { count: 0, faults: [] };
  return resultOf(folder, withBodies, written);
}

/** Reads the master key when the first message is opened. */
function messageOpener(asked: Asked): MessageOpener {
  let reading: ReturnType<typeof readKeys> | undefined;
  return async (report, { shareId, message }) => {
    reading ??= readKeys(asked);
    return openShareMessage(await reading, report, shareId, message);
  };
}

async function readKeys({ config, database }: Asked) {
  const masterKeys = await readMasterKeys({
    database,
    configured: config.masterKeys,
    file: path.resolve(config.dataDir, 'master.key'),
  });
  return createUnwrapping(masterKeys);
}

interface Written {
  readonly count: number;
  readonly faults: readonly string[];
}

/** Expired reports have no body. */
async function writeBodies(
  work: string,
  bodies: readonly ExportedReport[],
  asked: Asked,
  { signal, report }: Invocation,
): Promise<Written> {
  const { config, database } = asked;
  const stored = await openBlobs(config, path.resolve(config.dataDir, 'blobs'), systemRandom);
  const readBody = createBodyReader(database.read, stored.blobs, await readKeys(asked));
  const present = bodies.filter(({ wrappedKey, uploadId }) => wrappedKey !== null && uploadId !== null);
  const faults: string[] = [];
  let count = 0;
  try {
    await mkdir(path.join(work, 'reports'), { mode: 0o700 });
    for (const body of present) {
      signal.throwIfAborted();
      report('Writing report bodies', count, present.length);
      const bytes = await readBody(body).catch((error: unknown) => {
        if (!(error instanceof AppError)) faults.push(faultOf(error));
        return null;
      });
      if (bytes === null) continue;
      await writePrivateFile(path.join(work, 'reports', `${body.id}.json`), bytes);
      count += 1;
    }
  } finally {
    stored.close();
  }
  return { count, faults };
}

/** @throws the error itself unless it is about a single report body. */
function faultOf(error: unknown): string {
  const { message } = error as Error;
  if (!message.startsWith('the body of report ')) throw error;
  return message;
}

function resultOf(folder: string, withBodies: boolean, { count, faults }: Written): CommandResult {
  const done = `Exported the account to ${path.join(folder, 'account.json')}${withBodies ? `, with ${count} report ${count === 1 ? 'body' : 'bodies'} in ${path.join(folder, 'reports')}` : ''}.`;
  const more = faults.length - FAULTS_SHOWN;
  return {
    exitCode: faults.length === 0 ? 0 : 1,
    lines: [
      done,
      ...faults.slice(0, FAULTS_SHOWN).map((fault) => `- ${fault}`),
      ...(more > 0 ? [`and ${more} more.`] : []),
    ],
    value: { folder, reportBodies: withBodies ? count : null, faults },
  };
}
