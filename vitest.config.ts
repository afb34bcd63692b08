import path from 'node:path';
import { defineConfig } from 'vitest/config';
import type { TestUserConfig } from 'vitest/node';

const database = process.env['SVC_TEST_DATABASE'] ?? 'sqlite';

/** Whoever wants a database has it from here. */
const databaseDoor = path.join(import.meta.dirname, 'packages/testkit/src/database.ts');

const test: TestUserConfig = {
  include: ['packages/**/*.test.ts', 'scripts/**/*.test.ts'],
  exclude: ['**/node_modules/**', '**/dist/**'],
  // Over PostgreSQL only the files run that can come to a database, through however many imports; the others would show
  // nothing that they have not shown over SQLite. scripts/database-tests.test.ts checks that none is missing.
  ...(database === 'postgres' && { related: [databaseDoor] }),
  globalSetup: database === 'postgres' ? ['packages/testkit/src/global-setup.ts'] : [],
  env: { SVC_TEST_DATABASE: database },
  // Processes, not threads: a native package that crashes, or a test that stops a server by signal, ends its own
  // process and not its neighbours. Two, because password hashing is bound by cores and memory.
  pool: 'forks',
  maxWorkers: 2,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  teardownTimeout: 30_000,
  // A test that passes the second time has failed.
  retry: 0,
  reporters: ['default', './scripts/summary-reporter.ts'],
};

export default defineConfig({ test });
