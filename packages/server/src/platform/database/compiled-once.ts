/**
 * Queries that are asked again and again. Making the text of a statement takes several times as long as answering it, so
 * that is done once for each database, with places where the values belong; a call puts its values into the places.
 */
import { CompiledQuery, type Compilable } from 'kysely';
import type { Db } from './database.ts';

/** Where a value of that name belongs. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

interface Compiled<Row> {
  readonly text: string;
  /** Places, and what is the same in each call. */
  readonly parameters: readonly unknown[];
  /** Only tells what kind of rows there are. */
  readonly row?: Row;
}

const places = new Proxy({}, { get: (_, name) => new Place(String(name)) });

/** @param make builds a query that reads, or is only run within transactions, and hands the values on as they are: it gets places instead of them. */
export function compiledOnce<Values extends object, Row>(
  make: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  // A database and its transactions have one adapter.
  const byDatabase = new WeakMap<object, Compiled<Row>>();

  function compiledFor(db: Db): Compiled<Row> {
    const { adapter } = db.getExecutor();
    let compiled = byDatabase.get(adapter);
    if (!compiled) {
      const { sql: text, parameters } = make(db, places as Values).compile();
      compiled = { text, parameters };
      byDatabase.set(adapter, compiled);
    }
    return compiled;
  }

  return async (db, values) => {
    const { text, parameters } = compiledFor(db);
    const given = parameters.map((value) =>
      value instanceof Place ? (values as Readonly<Record<string, unknown>>)[value.name] : value,
    );
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, given));
    return rows;
  };
}
