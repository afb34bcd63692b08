/**
 * Queries that run often. Compiling a statement takes several times as long as running it, so each is compiled once for
 * each database, with placeholders for its values. A call replaces the placeholders with its own values.
 */
import { CompiledQuery, type Compilable } from 'kysely';
import type { Db } from './database.ts';

/** A placeholder for the value of that name. */
class ValuePlaceholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

interface Compiled<Row> {
  readonly text: string;
  /** Placeholders, and values that are the same in each call. */
  readonly parameters: readonly unknown[];
  /** Carries the type of a row. */
  readonly row?: Row;
}

const placeholders = new Proxy({}, { get: (_, name) => new ValuePlaceholder(String(name)) });

/**
 * @param make builds a query that either reads or only runs within transactions. It gets placeholders instead of values, and
 * must pass them on unchanged.
 */
export function compiledOnce<Values extends object, Row>(
  make: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  // A database and its transactions have one adapter.
  const byDatabase = new WeakMap<object, Compiled<Row>>();

  function compiledFor(db: Db): Compiled<Row> {
    const { adapter } = db.getExecutor();
    let compiled = byDatabase.get(adapter);
    if (!compiled) {
      const { sql: text, parameters } = make(db, placeholders as Values).compile();
      compiled = { text, parameters };
      byDatabase.set(adapter, compiled);
    }
    return compiled;
  }

  return async (db, values) => {
    const { text, parameters } = compiledFor(db);
    const given = parameters.map((value) =>
      value instanceof ValuePlaceholder ? (values as Readonly<Record<string, unknown>>)[value.name] : value,
    );
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, given));
    return rows;
  };
}
