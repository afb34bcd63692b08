/** Changes the database of a service as another program can. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

export interface ChangedPlace {
  readonly dataDir: string;
  readonly database: { readonly kind: 'sqlite' } | { readonly kind: 'postgres'; readonly url: string };
}

export async function changeDatabase({ dataDir, database }: ChangedPlace, statement: string): Promise<void> {
  if (database.kind === 'postgres') {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
    return;
  }
  const connection = new DatabaseSync(path.join(dataDir, 'svc.db'));
  connection.exec(statement);
  connection.close();
}
