/**
 * A copy of a SQLite file that another process may be writing to: what was committed when it began and nothing by half.
 * Copying the file itself is not one, since what was written last lies in the log beside it.
 */
import { existsSync, rmSync, statSync } from 'node:fs';
import { chmod, open } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** All at once: between two portions any commit of the other process would begin the copy anew, again and again. */
const PAGES_AT_ONCE = 2 ** 31 - 1;
const TRIES_MAX = 5;

/** @throws what the driver throws when one of the two can not be used. */
export async function copySqlite(from: string, to: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    rmSync(to, { force: true });
    const before = stateOf(from);
    const address = pathToFileURL(from);
    // Who only looks can make no log, and would leave one to somebody else's service.
    if (!before.isInUse) address.searchParams.set('immutable', '1');
    const source = new DatabaseSync(address, { readOnly: true });
    try {
      await backup(source, to, { rate: PAGES_AT_ONCE });
    } finally {
      source.close();
    }
    // Without a log nobody was writing; if somebody began to meanwhile, the copy may be of two halves.
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

/** What SQLite finds wrong with a file that nobody writes to; null when it is whole. */
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
