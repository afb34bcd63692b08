/** What an operator wants to know about a database before relying on it. Whatever is written here is rolled back. */
import { sql } from 'kysely';
import type { Database, Db } from './database.ts';
import { putFact } from './deployment.ts';

export interface PostgresExamination {
  readonly version: number;
  /** The time of the database's clock. */
  readonly nowMs: number;
  readonly isStandby: boolean;
  readonly mayCreateTables: boolean;
  readonly connectionsMax: number;
  readonly connectionsUsed: number;
}

export async function examinePostgres(db: Db): Promise<PostgresExamination> {
  const { rows } = await sql<PostgresExamination>`
    select current_setting('server_version_num')::int / 10000 as "version",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
      pg_is_in_recovery() as "isStandby",
      has_schema_privilege(current_schema(), 'create') as "mayCreateTables",
      current_setting('max_connections')::int as "connectionsMax",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "connectionsUsed"`.execute(
    db,
  );
  const [examination] = rows;
  if (examination === undefined) throw new Error('the database returned nothing');
  return examination;
}

class Undo extends Error {}

/** Writes and rolls back. Throws when the database cannot be written to. */
export async function probeWritesUndone(database: Pick<Database, 'transaction'>): Promise<void> {
  await database
    .transaction(async (tx) => {
      await putFact(tx, 'examined', '');
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
}
