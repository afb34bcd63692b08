/** Starts one PostgreSQL server for a test run that asks for it (`SVC_TEST_DATABASE=postgres`), and stops it after. */
import { startPostgresServer } from './postgres-server.ts';

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['SVC_TEST_DATABASE'] !== 'postgres') return undefined;
  const server = await startPostgresServer({ durable: false });
  process.env['SVC_TEST_POSTGRES_URL'] = server.url;
  return () => server.remove();
}
