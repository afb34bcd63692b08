/** A PostgreSQL database that is only read. */
import { Kysely } from 'kysely';
import pg from 'pg';
import type { ReadingDatabase } from './database.ts';
import { namingPlugin } from './naming.ts';
import { NodePostgresDialect } from './postgres-dialect.ts';
import type { Tables } from './schema.ts';

const CONNECT_TIMEOUT_MS = 5000;
const STATEMENT_TIMEOUT_MS = 60_000;
/** Counts and times fit a JavaScript number; the driver would return them as text. */
const INT8 = 20;

export function openPostgresToRead(url: string, statementMs = STATEMENT_TIMEOUT_MS): ReadingDatabase {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementMs,
    options: '-c default_transaction_read_only=on',
    application_name: 'svc audit',
    types,
  });
  const read = new Kysely<Tables>({ dialect: new NodePostgresDialect(pool), plugins: [namingPlugin] });
  return { read, close: () => read.destroy() };
}
