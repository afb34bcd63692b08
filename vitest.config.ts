import path from 'node:path';
import { defineConfig } from 'vitest/config';
import type { TestUserConfig } from 'vitest/node';

const database = process.env['SVC_TEST_DATABASE'] ?? 'sqlite';

/** Whoever wants a database has it from here. */
const databaseDoor = path.join(import.meta.dirname, 'packages/testkit/src/database.ts');

/**
 * Pages and commands know a database by what the service answers, which the service's own tests show over both. Of
 * theirs these run over PostgreSQL too: each goes the whole way, from what a person does to what is kept.
 */
const wholeWays = [
  'packages/cli/test/sync-{journey,lost,refused}.http.test.ts',
  'packages/web/test/{admin,live,share-page,whole-journey}.test.ts',
];

const all: TestUserConfig = {
  include: ['packages/**/*.test.ts', 'scripts/**/*.test.ts'],
  exclude: ['**/node_modules/**', '**/dist/**'],
};

// Of these only the files run that can come to a database, through however many imports; the others would show nothing
// that they have not shown over SQLite. scripts/database-tests.test.ts checks that none is missing.
const overPostgres: TestUserConfig = {
  include: ['packages/{client,server}/**/*.test.ts', ...wholeWays],
  exclude: [
    '**/node_modules/**',
    '**/dist/**',
    // Of the start on a bare machine, and of what a browser makes of an export: over SQLite whatever the run.
    'packages/server/test/failures/start.test.ts',
    'packages/server/test/journeys/polyglots-in-browser.test.ts',
  ],
  related: [databaseDoor],
};

const test: TestUserConfig = {
  ...(database === 'postgres' ? overPostgres : all),
  globalSetup: database === 'postgres' ? ['packages/testkit/src/global-setup.ts'] : [],
  env: { SVC_TEST_DATABASE: database },
  // Processes, not threads: a native package that crashes, or a test that stops a server by signal, ends its own
  // process and not its neighbours. Two, because password hashing is bound by cores and memory.
  pool: 'forks',
  maxWorkers: 2,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  teardownTimeout: 30_000,
  // What is waited for comes late on a machine that has other things to do; what never comes fails all the same.
  expect: { poll: { timeout: 30_000 } },
  // A test that passes the second time has failed.
  retry: 0,
  reporters: ['default', './scripts/summary-reporter.ts'],
};

export default defineConfig({ test });
