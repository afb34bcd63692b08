/** A SQLite file that is only read: the one of a running service, or a copy. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Kysely } from 'kysely';
import { CommitGroups } from './commit-groups.ts';
import type { ReadingDatabase } from './database.ts';
import { namingPlugin } from './naming.ts';
import type { Tables } from './schema.ts';
import { NodeSqliteDialect } from './sqlite-dialect.ts';

/**
 * Leaves no file beside the database.
 * @throws the driver's error when the file cannot be read.
 */
export function openSqliteToRead(file: string): ReadingDatabase {
  const address = pathToFileURL(file);
  // A process that uses the file has a log beside it. Without a log no process writes, and the folder need not be
  // writable.
  if (!existsSync(`${file}-wal`)) address.searchParams.set('immutable', '1');
  const connection = new DatabaseSync(address, { readOnly: true });
  const dialect = new NodeSqliteDialect(connection, new CommitGroups(connection));
  const read = new Kysely<Tables>({ dialect, plugins: [namingPlugin] });
  // Closes only the connection, since the dialect would empty the log first.
  return { read, close: async () => connection.close() };
}
