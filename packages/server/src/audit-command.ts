/**
 * `audit verify`: checks the audit log of the configured database, or of a copy of its file. It only reads, and may run
 * beside the service.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { verifyAuditLog, type Head, type Verdict } from '#features/audit';
import type { ReadingDatabase } from '#platform/database/database';
import { reasonInWords } from '#platform/shown-address';
import { openSqliteToRead } from '#platform/database/sqlite-reading';
import { unknownCommand, usage, type CommandResult } from './command.ts';
import { readConfig, type Environment } from './config.ts';
import { StartError } from './start-error.ts';

export async function runCommand(given: readonly string[], environment: Environment): Promise<CommandResult> {
  try {
    const { file, expected } = readArguments(given);
    const database = await open(file, environment);
    try {
      return resultOf(await verifyAuditLog(database.read, expected));
    } finally {
      await database.close();
    }
  } catch (error) {
    if (error instanceof StartError) return { exitCode: 2, lines: error.lines };
    return { exitCode: 2, lines: [`The audit log cannot be read (${reasonOf(error, environment)}).`] };
  }
}

function reasonOf(error: unknown, { DATABASE_URL: address }: Environment): string {
  const { errstr, message } = error as { errstr?: string; message: string };
  return errstr ?? (address?.trim() ? reasonInWords(error) : message);
}

function readArguments(given: readonly string[]): { file: string | undefined; expected: Head | null } {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...given],
      options: { file: { type: 'string' }, expect: { type: 'string' } },
      allowPositionals: true,
    });
  } catch (cause) {
    throw new StartError([`${(cause as Error).message}.`, ...usage], { cause });
  }
  const { positionals, values } = parsed;
  if (positionals.join(' ') !== 'audit verify') throw unknownCommand(positionals);
  return { file: values.file, expected: values.expect === undefined ? null : readHead(values.expect) };
}

function readHead(text: string): Head {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (sequence === undefined || hash === undefined || Number(sequence) < 1)
    throw new StartError([
      '--expect must be what an earlier check printed as the end of the log: its number, a colon and 64 hex digits.',
      ...usage,
    ]);
  return { sequence: Number(sequence), hash: Buffer.from(hash, 'hex') };
}

async function open(file: string | undefined, environment: Environment): Promise<ReadingDatabase> {
  if (file !== undefined) return openFile(file, '--file');
  const config = readConfig(environment);
  if (config.database.kind === 'sqlite') return openFile(path.join(config.dataDir, 'svc.db'), 'DATA_DIR');
  const { openPostgresToRead } = await import('#platform/database/postgres-reading');
  return openPostgresToRead(config.database.url);
}

function openFile(file: string, named: string): ReadingDatabase {
  if (!existsSync(file)) throw new StartError(`${named}: there is no file ${path.resolve(file)}.`);
  return openSqliteToRead(file);
}

function resultOf(verdict: Verdict): CommandResult {
  if (!verdict.intact) return { exitCode: 1, lines: [`The audit log was tampered with: ${verdict.fault}.`] };
  const { sequence, hash } = verdict.head;
  if (sequence === 0) return { exitCode: 0, lines: ['The audit log is empty.'] };
  return {
    exitCode: 0,
    lines: [
      `The audit log is intact: ${sequence} ${sequence === 1 ? 'entry' : 'entries'}.`,
      `It ends with ${sequence}:${Buffer.from(hash).toString('hex')}`,
    ],
  };
}
