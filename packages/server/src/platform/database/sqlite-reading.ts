/** A file of SQLite that is only looked at: one that a service uses at the moment, or a copy of one. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Kysely } from 'kysely';
import { CommitGroups } from './commit-groups.ts';
import type { ReadingDatabase } from './database.ts';
import { namingPlugin } from './naming.ts';
import type { Tables } from './schema.ts';
import { NodeSqliteDialect } from './sqlite-dialect.ts';

/** Leaves nothing beside the file. @throws what the driver throws when it can not be read. */
export function openSqliteToRead(file: string): ReadingDatabase {
  const address = pathToFileURL(file);
  // Whoever uses the file has a log beside it. Without one nobody writes, and the folder need not be writable either.
  if (!existsSync(`${file}-wal`)) address.searchParams.set('immutable', '1');
  const connection = new DatabaseSync(address, { readOnly: true });
  const dialect = new NodeSqliteDialect(connection, new CommitGroups(connection));
  const read = new Kysely<Tables>({ dialect, plugins: [namingPlugin] });
  // Not by the dialect's own way, which empties the log first.
  return { read, close: async () => connection.close() };
}
