/**
 * `audit verify`: checks the audit log of the configured database, or of a copy of its file. It only reads, and may run
 * beside the service.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { verifyAuditLog, type Head, type Verdict } from '#features/audit';
import type { ReadingDatabase } from '#platform/database/database';
import type { DialectName } from '#platform/database/dialect-name';
import { requireReadable } from '#platform/database/migrate';
import { openSqliteToRead } from '#platform/database/sqlite-reading';
import { StartError } from '#start-error';
import { readConfig, type Environment } from '../../config.ts';
import { describedOf, fileOf } from '../databases.ts';
import type { CommandResult, Invocation } from '../frame/command.ts';

export async function run({ options, environment, report }: Invocation): Promise<CommandResult> {
  const { file, expect } = options;
  const expected = typeof expect === 'string' ? readHead(expect) : null;
  const source = typeof file === 'string' ? openCopy(file) : await openConfigured(environment);
  const { database, dialect, described, isCopy } = source;
  try {
    await requireReadable(database.read, dialect, described, isCopy);
    report('Reading the audit log');
    return resultOf(await verifyAuditLog(database.read, expected));
  } finally {
    await database.close();
  }
}

function readHead(text: string): Head {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (sequence === undefined || hash === undefined || Number(sequence) < 1)
    throw new StartError(
      '--expect must be what an earlier check printed as the end of the log: its number, a colon and 64 hex digits.',
    );
  return { sequence: Number(sequence), hash: Buffer.from(hash, 'hex') };
}

interface Source {
  readonly database: ReadingDatabase;
  readonly dialect: DialectName;
  readonly described: string;
  readonly isCopy: boolean;
}

function openCopy(file: string): Source {
  const described = `The file ${path.resolve(file)}`;
  return { database: openFile(file, '--file'), dialect: 'sqlite', described, isCopy: true };
}

async function openConfigured(environment: Environment): Promise<Source> {
  const config = readConfig(environment);
  const about = { described: describedOf(config), isCopy: false };
  if (config.database.kind === 'sqlite')
    return { database: openFile(fileOf(config), 'DATA_DIR'), dialect: 'sqlite', ...about };
  const { openPostgresToRead } = await import('#platform/database/postgres-reading');
  return { database: openPostgresToRead(config.database.url), dialect: 'postgres', ...about };
}

function openFile(file: string, named: string): ReadingDatabase {
  if (!existsSync(file)) throw new StartError(`${named}: there is no file ${path.resolve(file)}.`);
  return openSqliteToRead(file);
}

function resultOf(verdict: Verdict): CommandResult {
  if (!verdict.intact)
    return {
      exitCode: 1,
      lines: [`The audit log was tampered with: ${verdict.fault}.`],
      value: { intact: false, fault: verdict.fault },
    };
  const { sequence, hash } = verdict.head;
  if (sequence === 0)
    return { exitCode: 0, lines: ['The audit log is empty.'], value: { intact: true, head: null } };
  const head = `${sequence}:${Buffer.from(hash).toString('hex')}`;
  return {
    exitCode: 0,
    lines: [
      `The audit log is intact: ${sequence} ${sequence === 1 ? 'entry' : 'entries'}.`,
      `It ends with ${head}`,
    ],
    value: { intact: true, entries: sequence, head },
  };
}
