/** Compiles queries to statements of SQLite, and runs them on the only connection in order. */
import type { DatabaseSync } from 'node:sqlite';
import {
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SelectModifierNode,
} from 'kysely';
import type { CommitGroups } from './commit-groups.ts';
import { databaseName } from './naming.ts';
import { SqliteStatements } from './sqlite-statements.ts';

export class NodeSqliteDialect extends SqliteDialect {
  readonly #connection: DatabaseSync;
  readonly #groups: CommitGroups;
  constructor(connection: DatabaseSync, groups: CommitGroups) {
    super({ database: () => Promise.reject(new Error('the driver has its connection')) });
    this.#connection = connection;
    this.#groups = groups;
  }
  override createDriver(): Driver {
    return new GroupCommitDriver(this.#connection, this.#groups);
  }
  override createQueryCompiler() {
    return new NamingCompiler();
  }
  override createAdapter() {
    return new TurnTakingAdapter();
  }
}

class TurnTakingAdapter extends SqliteAdapter {
  /** SQLite changes schemas within transactions, so that an interrupted migration leaves nothing behind. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
  /** The commit groups, not the query builder, decide who uses the connection. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class NamingCompiler extends SqliteQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(databaseName(name));
  }
  /** Row locks are omitted: the only connection belongs to one transaction at a time. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate') super.visitSelectModifier(node);
  }
}

class GroupCommitDriver implements Driver {
  readonly #connection: DatabaseSync;
  readonly #groups: CommitGroups;
  readonly #statements: SqliteStatements;

  constructor(connection: DatabaseSync, groups: CommitGroups) {
    this.#connection = connection;
    this.#groups = groups;
    this.#statements = new SqliteStatements(connection);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Caller> {
    return new Caller(this.#groups, this.#statements);
  }

  async beginTransaction(caller: Caller): Promise<void> {
    await this.#groups.begin();
    caller.inTransaction = true;
  }

  async commitTransaction(caller: Caller): Promise<void> {
    caller.inTransaction = false;
    await this.#groups.end();
  }

  async rollbackTransaction(caller: Caller): Promise<void> {
    // When the commit failed, there is nothing to roll back.
    if (!caller.inTransaction) return;
    caller.inTransaction = false;
    await this.#groups.undo();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#groups.read(() => {
      // Empties the log, so that no file still contains what was deleted.
      this.#connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      this.#connection.close();
    });
  }
}

const WRITING = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);

/** A connection as the query builder expects it, which runs each statement or transaction when its turn comes. */
class Caller implements DatabaseConnection {
  inTransaction = false;
  readonly #groups: CommitGroups;
  readonly #statements: SqliteStatements;

  constructor(groups: CommitGroups, statements: SqliteStatements) {
    this.#groups = groups;
    this.#statements = statements;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const run = () => this.#statements.run<Row>(query);
    if (this.inTransaction) return this.#groups.within(run);
    return WRITING.has(query.query.kind) ? this.#groups.write(run) : this.#groups.read(run);
  }

  // oxlint-disable-next-line require-yield -- it only throws
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error(
      'rows are not streamed, because that would hold the connection for as long as the reader takes',
    );
  }
}
