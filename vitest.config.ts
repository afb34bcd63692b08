import { defineConfig } from 'vitest/config';

// The same files run over both databases: `npm run test:distributed` only sets the variable.
const database = process.env['SVC_TEST_DATABASE'] ?? 'sqlite';

export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
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
  },
});
