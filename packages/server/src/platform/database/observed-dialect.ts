/** A dialect that reports each statement by its kind and its table. No value is in either. */
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';

export interface StatementName {
  /** A keyword of SQL in capitals, or `CONNECT` or `OTHER`. */
  readonly operation: string;
  /** The first table that the statement names. */
  readonly table: string | undefined;
}

export type ObserveStatement = <Result>(
  statement: StatementName,
  work: () => Promise<Result>,
) => Promise<Result>;

/** Returns the dialect itself when nothing observes. */
export function observedDialect(dialect: Dialect, observe: ObserveStatement | undefined): Dialect {
  if (observe === undefined) return dialect;
  return {
    createDriver: () => observedDriver(dialect.createDriver(), observe),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

class ObservedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #observe: ObserveStatement;

  constructor(inner: DatabaseConnection, observe: ObserveStatement) {
    this.inner = inner;
    this.#observe = observe;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#observe(statementNameOf(query.sql), () => this.inner.executeQuery<Row>(query));
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.inner.streamQuery<Row>(query, chunkSize);
  }
}

function observedDriver(driver: Driver, observe: ObserveStatement): Driver {
  const innerOf = (connection: DatabaseConnection) => (connection as ObservedConnection).inner;
  const step = (operation: string, work: () => Promise<void>) =>
    observe({ operation, table: undefined }, work);
  return {
    init: () => driver.init(),
    async acquireConnection() {
      const inner = await observe({ operation: 'CONNECT', table: undefined }, () =>
        driver.acquireConnection(),
      );
      return new ObservedConnection(inner, observe);
    },
    beginTransaction: (connection, settings) =>
      step('BEGIN', () => driver.beginTransaction(innerOf(connection), settings)),
    commitTransaction: (connection) => step('COMMIT', () => driver.commitTransaction(innerOf(connection))),
    rollbackTransaction: (connection) =>
      step('ROLLBACK', () => driver.rollbackTransaction(innerOf(connection))),
    releaseConnection: (connection) => driver.releaseConnection(innerOf(connection)),
    destroy: () => driver.destroy(),
  };
}

const OPERATIONS = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'WITH', 'CREATE', 'ALTER', 'DROP']);
const NAMES_KEPT_MAX = 1000;
const names = new Map<string, StatementName>();

export function statementNameOf(sql: string): StatementName {
  let name = names.get(sql);
  if (name === undefined) {
    const [word = ''] = /\w+/.exec(sql) ?? [];
    const operation = word.toUpperCase();
    const [, table] = /\b(?:from|into|update|join|table) "([a-z_]{1,60})"/i.exec(sql) ?? [];
    name = { operation: OPERATIONS.has(operation) ? operation : 'OTHER', table };
    if (names.size < NAMES_KEPT_MAX) names.set(sql, name);
  }
  return name;
}
