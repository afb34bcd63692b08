/** Inserts very many rows into PostgreSQL directly. */
import type pg from 'pg';

/**
 * Runs the work without triggers, foreign keys, and the indexes that no constraint needs. Builds those indexes
 * afterwards, which takes a fraction of the time. Then collects statistics.
 */
export async function withManyRows(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query(`SET session_replication_role = replica; SET maintenance_work_mem = '512MB'`);
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index JOIN pg_class ON pg_class.oid = indrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = 'public' AND indexrelid NOT IN (SELECT conindid FROM pg_constraint)`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  await work();
  for (const { definition } of rows) await client.query(definition);
  await client.query('SET session_replication_role = DEFAULT');
  await client.query('VACUUM ANALYZE');
}
