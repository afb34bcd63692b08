/**
 * Queries that run often. Building and compiling a statement takes several times as long as running it, so each is
 * compiled once for each database, with placeholders for its values. A call replaces the placeholders with its own
 * values.
 */
import { createQueryId, type Compilable, type CompiledQuery } from 'kysely';
import type { Db } from './database.ts';

/** A placeholder for the value at that path. */
class ValuePlaceholder {
  readonly #path: readonly (string | number)[];
  constructor(path: readonly (string | number)[]) {
    this.#path = path;
  }
  in(values: unknown): unknown {
    let value = values;
    for (const step of this.#path) value = (value as Readonly<Record<string | number, unknown>>)[step];
    return value;
  }
}

/**
 * A call runs the query with its own values and resolves to the rows that it returns.
 *
 * Values may contain rows and lists, such as the columns of an insert. A query is compiled once for each set of names
 * and each length of a list, so lists should have few different lengths. The rows of a list have the same columns in
 * one order.
 * @param make builds the query. It gets placeholders instead of values, and must pass them on unchanged.
 */
export function compiledOnce<Values extends object, Row>(
  make: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  // A database and its transactions have one adapter.
  const byDatabase = new WeakMap<object, Map<string, CompiledQuery<Row>>>();

  function compiledFor(db: Db, values: Values): CompiledQuery<Row> {
    const { adapter } = db.getExecutor();
    let byShape = byDatabase.get(adapter);
    if (!byShape) byDatabase.set(adapter, (byShape = new Map<string, CompiledQuery<Row>>()));
    const shape = shapeOf(values);
    let compiled = byShape.get(shape);
    if (!compiled) byShape.set(shape, (compiled = make(db, placeholdersFor(values, []) as Values).compile()));
    return compiled;
  }

  return async (db, values) => {
    const compiled = compiledFor(db, values);
    const parameters = compiled.parameters.map((value) =>
      value instanceof ValuePlaceholder ? value.in(values) : value,
    );
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters, queryId: createQueryId() });
    return rows;
  };
}

/** The names of fields and the lengths of arrays in the value. */
function shapeOf(value: object): string {
  if (Array.isArray(value)) return `[${value.length}${isNested(value[0]) ? shapeOf(value[0]) : ''}]`;
  let shape = '';
  for (const name of Object.keys(value)) {
    const inner: unknown = (value as Readonly<Record<string, unknown>>)[name];
    shape += isNested(inner) ? `${name}:{${shapeOf(inner)}}` : `${name},`;
  }
  return shape;
}

function placeholdersFor(value: unknown, path: readonly (string | number)[]): unknown {
  if (!isNested(value)) return new ValuePlaceholder(path);
  if (Array.isArray(value)) return value.map((item, index) => placeholdersFor(item, [...path, index]));
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    placeholdersFor(inner, [...path, name]),
  ]);
  return Object.fromEntries(entries);
}

/** A list or a row, and not bytes. */
function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}
