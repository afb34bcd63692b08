/** Prepared statements by their text, and their results in the shape that the query builder expects. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';

const STATEMENTS_KEPT_MAX = 500;

interface Prepared {
  readonly statement: StatementSync;
  readonly givesRows: boolean;
}

export class SqliteStatements {
  readonly #connection: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const { statement, givesRows } = this.#prepare(sql);
    const values = parameters as SQLInputValue[];
    if (givesRows) return { rows: statement.all(...values) as Row[] };
    const { changes } = statement.run(...values);
    return { numAffectedRows: BigInt(changes), rows: [] };
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      if (this.#prepared.size >= STATEMENTS_KEPT_MAX) this.#prepared.clear();
      const statement = this.#connection.prepare(sql);
      prepared = { statement, givesRows: statement.columns().length > 0 };
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}
