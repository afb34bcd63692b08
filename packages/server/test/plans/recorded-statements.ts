/** Records what the service sends to its database, below the query builder. */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

export interface RecordedStatement {
  readonly text: string;
  /** The values of the first call. Empty for SQLite, which plans a statement without values. */
  readonly values: readonly unknown[];
}

export interface Recording {
  /** The distinct statements so far that read or change rows. */
  statements(): RecordedStatement[];
  stop(): void;
}

const OF_ROWS = /^\s*(?:select|insert|update|delete|with)\b/i;
/** Statements of the migrations and about the catalog. */
const OF_SCHEMA = /kysely_migration|pg_catalog|information_schema|sqlite_master|sqlite_schema|pragma_/i;

/** Everything that this process sends is recorded, so no other test may run in it. */
export function recordStatements(): Recording {
  const recorded = new Map<string, readonly unknown[]>();
  const record = (text: string, values: readonly unknown[]) => {
    if (OF_ROWS.test(text) && !OF_SCHEMA.test(text) && !recorded.has(text)) recorded.set(text, values);
  };
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function recordedPrepare(text, ...more) {
    record(text, []);
    return prepare.call(this, text, ...more);
  };
  const prototype = pg.Client.prototype as { query: (...given: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function recordedQuery(...given) {
    const [config] = given as [{ text?: string; values?: readonly unknown[] } | string];
    if (typeof config === 'string') record(config, []);
    else if (config.text !== undefined) record(config.text, config.values ?? []);
    return query.apply(this, given);
  };
  return {
    statements: () => [...recorded].map(([text, values]) => ({ text, values })),
    stop() {
      DatabaseSync.prototype.prepare = prepare;
      prototype.query = query;
    },
  };
}
