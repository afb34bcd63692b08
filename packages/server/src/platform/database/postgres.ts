/**
 * PostgreSQL through `pg`, for several replicas. Transactions run at READ COMMITTED with explicit row locks, and are
 * run again when the database aborted them because of a deadlock or another conflict. Every wait is limited, so that an
 * unreachable database leads to a 503.
 */
import { MINUTE_MS } from '@svc/contract/durations';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { reasonInWords, usedAddressInWords } from '#platform/shown-address';
import { StartError } from '#start-error';
import { createCommitEffects, transactionWithEffects } from './commit-effects.ts';
import type { Database } from './database.ts';
import { migrateSchema, type PrepareSchema } from './migrate.ts';
import { namingPlugin } from './naming.ts';
import { observedDialect, type ObserveStatement } from './observed-dialect.ts';
import { isStalePlan, NodePostgresDialect } from './postgres-dialect.ts';
import { probeWrites } from './probe.ts';
import type { Tables } from './schema.ts';

const CONNECTIONS_MAX = 20;
/**
 * How long an unused connection stays open: longer than a quiet minute, because a new connection needs a process whose
 * caches are empty; and less than the four minutes after which load balancers drop unused connections.
 */
const IDLE_MS = 3 * MINUTE_MS;
const TRIES_MAX = 5;

/** How long the service waits for the database. */
export interface DatabasePatience {
  /** How long to wait for a connection, since others may be using all of them. */
  readonly connectMs: number;
  readonly statementMs: number;
}

const defaultPatience: DatabasePatience = { connectMs: 5000, statementMs: 10_000 };

/**
 * Serialization failure, deadlock, and a reference to a row that another transaction deleted after it was read. The
 * transaction was rolled back and is run again with the current data.
 */
const AGAIN = new Set(['40001', '40P01', '23503']);

/** Counts and times fit a JavaScript number; the driver would return them as text. */
const INT8 = 20;

export interface PostgresSettings {
  /** Called when an effect of a commit throws. */
  readonly onEffectError?: ((error: unknown) => void) | undefined;
  readonly patience?: DatabasePatience | undefined;
  /** What is done about the schema; by default it is migrated. */
  readonly prepareSchema?: PrepareSchema | undefined;
  /** Called around each statement. */
  readonly observe?: ObserveStatement | undefined;
}

/** @param onIdleError called for a connection that broke while it was unused. */
export async function openPostgres(
  url: string,
  onIdleError: (error: Error) => void,
  {
    onEffectError = () => undefined,
    patience: { connectMs, statementMs } = defaultPatience,
    prepareSchema = migrateSchema,
    observe,
  }: PostgresSettings = {},
): Promise<Database> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + 1000,
    application_name: 'svc',
    types,
  });
  pool.on('error', onIdleError);
  // Called when a connection breaks between two statements of a transaction: the next statement fails and reports it.
  // Without a listener the event would end the process.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const db = new Kysely<Tables>({
    dialect: observedDialect(new NodePostgresDialect(pool), observe),
    plugins: [namingPlugin],
  });
  try {
    await prepareSchema(db, 'postgres', `The database ${usedAddressInWords(url)}`);
  } catch (error) {
    await db.destroy();
    if (error instanceof StartError) throw error;
    throw new StartError(
      `DATABASE_URL: ${usedAddressInWords(url)} cannot be used (${reasonInWords(error)}). Name a running PostgreSQL database in which this user may create tables.`,
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
      // Sorted, so that two transactions with the same names do not deadlock.
      const ordered = [...new Set(names)].toSorted();
      await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${ordered}::text[]) as name`.execute(
        tx,
      );
    },
    async shareName(tx, name) {
      await sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(tx);
    },
    runAlone: (name, work) =>
      db.transaction().execute(async (tx) => {
        const lock = await sql<{ isFree: boolean }>`
          select pg_try_advisory_xact_lock(hashtextextended(${`job: ${name}`}, 0)) as "isFree"`.execute(tx);
        const isFree = lock.rows[0]?.isFree === true;
        if (isFree) await work();
        return isFree;
      }),
    // PostgreSQL recycles dead rows and the log itself, and report bodies are never among them.
    scrub: () => Promise.resolve(),
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      max: CONNECTIONS_MAX,
      waiting: pool.waitingCount,
    }),
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
