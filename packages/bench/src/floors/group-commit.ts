/** SQLite with the durability of the service, and one commit for all writes of a tick. */
import { DatabaseSync } from 'node:sqlite';

export interface GroupedDatabase {
  readonly connection: DatabaseSync;
  /** Resolves once the work is durable. */
  write<Result>(work: () => Result): Promise<Result>;
}

export function openGrouped(file: string, schema: string): GroupedDatabase {
  const connection = new DatabaseSync(file);
  connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${schema}`);
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  let waiting: (() => () => void)[] = [];

  function commitAll(): void {
    const works = waiting;
    waiting = [];
    begin.run();
    const settled = works.map((work) => work());
    commit.run();
    for (const settle of settled) settle();
  }

  return {
    connection,
    write: (work) =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(commitAll);
        waiting.push(() => {
          const result = work();
          return () => resolve(result);
        });
      }),
  };
}
