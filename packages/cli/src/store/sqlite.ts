import type { DatabaseSync } from 'node:sqlite';
import { requireOwn } from '../files/own-file.ts';

export type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** The files that SQLite keeps beside a database. */
const COMPANIONS = ['', '-wal', '-shm', '-journal'];

/**
 * SQLite follows links, and Node has no option to prevent that, so the file is checked before it is opened.
 * @throws CliError
 */
export function openDatabase(file: string): DatabaseSync {
  for (const suffix of COMPANIONS) requireOwn(`${file}${suffix}`);
  const { DatabaseSync: Database } = loadSqlite();
  return new Database(file);
}

/** Node's own SQLite, loaded when it is first needed and without the warning that some versions of Node print about it. */
function loadSqlite() {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    const said = warning instanceof Error ? warning.message : warning;
    if (!said.startsWith('SQLite is an experimental feature'))
      (emitWarning as (...given: unknown[]) => void)(warning, ...rest);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
