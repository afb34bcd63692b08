/**
 * Copies a SQLite file that another process may be writing to: a consistent state of everything committed at the
 * beginning. A plain file copy would miss the latest writes, which are in the log beside it.
 */
import { existsSync, rmSync, statSync } from 'node:fs';
import { chmod, open } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** All pages in one step: between two steps, any commit of the other process would restart the copy. */
const PAGES_AT_ONCE = 2 ** 31 - 1;
const TRIES_MAX = 5;

/** @throws the driver's error when either file cannot be used. */
export async function copySqlite(from: string, to: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    rmSync(to, { force: true });
    const before = stateOf(from);
    const address = pathToFileURL(from);
    // An unused file is opened as immutable, so that no log is created: a user with read access only could not create
    // it, and any other user would leave it beside the service's file.
    if (!before.isInUse) address.searchParams.set('immutable', '1');
    const source = new DatabaseSync(address, { readOnly: true });
    try {
      await backup(source, to, { rate: PAGES_AT_ONCE });
    } finally {
      source.close();
    }
    // Without a log no process was writing. If a writer began meanwhile, the copy may be inconsistent.
    if (before.isInUse || before.mark === stateOf(from).mark) break;
    if (tried === TRIES_MAX) throw new Error('the database was opened and closed again while it was copied');
  }
  await chmod(to, 0o600);
  const handle = await open(to, 'r');
  await handle.sync();
  await handle.close();
}

function stateOf(file: string): { readonly isInUse: boolean; readonly mark: string } {
  const { ino, size, mtimeMs } = statSync(file);
  const isInUse = existsSync(`${file}-wal`);
  return { isInUse, mark: JSON.stringify([ino, size, mtimeMs, isInUse]) };
}

/** What SQLite finds wrong with a file that nobody writes to; null when it is intact. */
export function faultOfSqlite(file: string): string | null {
  const address = pathToFileURL(file);
  address.searchParams.set('immutable', '1');
  const connection = new DatabaseSync(address, { readOnly: true });
  try {
    const [first] = connection.prepare('PRAGMA integrity_check(1)').all();
    const said = String(first?.['integrity_check']);
    return said === 'ok' ? null : said;
  } catch (error) {
    return (error as { errstr?: string }).errstr ?? (error as Error).message;
  } finally {
    connection.close();
  }
}
