/**
 * PostgreSQL through `pg`, for several replicas. Transactions run at READ COMMITTED with explicit row locks, and again
 * when the database broke a deadlock. Every wait is bounded, so that a database that went away is an answer of 503.
 */
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { reasonInWords, usedAddressInWords } from '#platform/shown-address';
import { StartError } from '#start-error';
import { createCommitEffects, transactionWithEffects } from './commit-effects.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { namingPlugin } from './naming.ts';
import { isStalePlan, NodePostgresDialect } from './postgres-dialect.ts';
import { probeWrites } from './probe.ts';
import type { Tables } from './schema.ts';

const CONNECTIONS_MAX = 20;
const TRIES_MAX = 5;

/** How long is waited for the database. */
export interface DatabasePatience {
  /** For a connection, which may be one that others use. */
  readonly connectMs: number;
  readonly statementMs: number;
}

const defaultPatience: DatabasePatience = { connectMs: 5000, statementMs: 10_000 };

/**
 * Serialization failure, deadlock, and a reference to a row that another transaction removed after it was looked at: the
 * transaction left nothing and is run again, when it finds what is there now.
 */
const AGAIN = new Set(['40001', '40P01', '23503']);

/** Counts and times fit a JavaScript number; the driver would give them as text. */
const INT8 = 20;

/**
 * @param onIdleError told of a connection that broke while nobody used it.
 * @param onEffectError told of an effect of a commit that threw.
 */
export async function openPostgres(
  url: string,
  onIdleError: (error: Error) => void,
  onEffectError: (error: unknown) => void = () => undefined,
  { connectMs, statementMs } = defaultPatience,
): Promise<Database> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + 1000,
    application_name: 'svc',
    types,
  });
  pool.on('error', onIdleError);
  // One that breaks between two statements of a transaction: the next statement fails, and tells of it. Without a listener
  // the event would end the process.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const db = new Kysely<Tables>({ dialect: new NodePostgresDialect(pool), plugins: [namingPlugin] });
  try {
    await migrate(db, 'postgres', `The database ${usedAddressInWords(url)}`);
  } catch (error) {
    await db.destroy();
    if (error instanceof StartError) throw error;
    throw new StartError(
      `DATABASE_URL: ${usedAddressInWords(url)} can not be used (${reasonInWords(error)}). Name a PostgreSQL database that is running and that this user may make tables in.`,
      { cause: error },
    );
  }
  const effects = createCommitEffects(onEffectError);
  return {
    exclusive: false,
    read: db,
    transaction: (work) => withRetries(() => transactionWithEffects(db, effects, work)),
    afterCommit: effects.add,
    beforeCommit: effects.addLast,
    async lockNames(tx, names) {
      // In one order, so that two who ask for the same names do not wait for each other.
      const ordered = [...new Set(names)].toSorted();
      await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${ordered}::text[]) as name`.execute(
        tx,
      );
    },
    // Dead rows and the log are the database server's own to recycle; no report text is ever among them.
    scrub: () => Promise.resolve(),
    check: () => probeWrites(db),
    close: () => db.destroy(),
  };
}

async function withRetries<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      const again = isStalePlan(error) || (typeof code === 'string' && AGAIN.has(code));
      if (tries >= TRIES_MAX || !again) throw error;
    }
  }
}
