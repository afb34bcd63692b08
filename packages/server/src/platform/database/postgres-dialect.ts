/**
 * Compiles queries to statements of PostgreSQL.
 *
 * A statement with parameters is prepared under a name of its own, once on each connection, so that the server parses
 * and plans it once. After a newer replica has changed a table, a prepared statement can fail. Then all names change,
 * so every statement is prepared again.
 */
import {
  PostgresDialect,
  PostgresQueryCompiler,
  type FunctionNode,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import type pg from 'pg';
import { databaseName } from './naming.ts';

/** Further statements are parsed each time, because each prepared one takes memory on every connection. */
const NAMES_MAX = 500;
const IN_FAILED_TRANSACTION = '25P02';

export class NodePostgresDialect extends PostgresDialect {
  constructor(pool: pg.Pool) {
    super({ pool: new NamedStatementsPool(pool) });
  }
  override createQueryCompiler() {
    return new NamingCompiler();
  }
}

/** The error of a statement that was prepared before a table changed. The transaction must be run again. */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

class NamingCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(databaseName(name));
  }
  /** Of all functions that queries call, only `hex` is missing in PostgreSQL. */
  protected override visitFunction(node: FunctionNode): void {
    if (node.func === 'hex') {
      this.append('encode(');
      this.compileList(node.arguments);
      this.append(", 'hex')");
    } else super.visitFunction(node);
  }
}

class NamedStatementsPool implements PostgresPool {
  readonly #pool: pg.Pool;
  readonly #clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  readonly #names = new Map<string, string>();
  #generation = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  get options(): object {
    return this.#pool.options;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect();
    let named = this.#clients.get(client);
    if (!named) {
      named = {
        query: ((text: string, values: readonly unknown[]) => this.#query(client, text, values)) as never,
        release: (discarded) => client.release(discarded),
      };
      this.#clients.set(client, named);
    }
    return named;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #query(
    client: pg.PoolClient,
    text: string,
    values: readonly unknown[],
  ): Promise<PostgresQueryResult<unknown>> {
    const unnamed = { text, values: [...values] };
    const name = values.length === 0 ? undefined : this.#nameOf(text);
    if (name === undefined) return client.query(unnamed) as never;
    try {
      return (await client.query({ name, ...unnamed })) as never;
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      this.#names.clear();
      this.#generation += 1;
      return client.query(unnamed).catch((second: unknown) => {
        throw (second as { code?: unknown }).code === IN_FAILED_TRANSACTION ? error : second;
      }) as never;
    }
  }

  #nameOf(text: string): string | undefined {
    let name = this.#names.get(text);
    if (name === undefined && this.#names.size < NAMES_MAX) {
      name = `svc_${this.#generation}_${this.#names.size}`;
      this.#names.set(text, name);
    }
    return name;
  }
}
