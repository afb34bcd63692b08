import * as fs from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import type { TestUserConfig } from 'vitest/node';
import { onlyOnSqlite } from './scripts/only-on-sqlite.ts';
import { folderOfCompiledModules, makeTemporaryFolder } from './scripts/test-folders.ts';

const root = import.meta.dirname;
/** `distributed`: on PostgreSQL, a bucket and Redis. */
const stores = process.env['SVC_TEST_STORES'] ?? 'embedded';
const database = stores === 'distributed' ? 'postgres' : (process.env['SVC_TEST_DATABASE'] ?? 'sqlite');
const isThorough = process.env['SVC_TEST_LANE'] === 'thorough';

/** The thorough run without what only repeats the everyday run more often: both run in CI, side by side. */
const isShort = process.env['SVC_TEST_SHORT'] === '1';

const EVERYDAY_PROPERTY_RUNS = 200;

/** How often a property is tested, unless its test sets its own number. */
const propertyRuns = Number(
  process.env['SVC_TEST_RUNS'] ?? (isThorough && !isShort ? 1000 : EVERYDAY_PROPERTY_RUNS),
);

const everything = ['packages/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'];
const thorough = ['{packages,scripts}/**/*.thorough.test.ts'];
/** Minutes of waiting until alerts fire. The rules themselves are checked in every run. */
const leftOutOfShort = ['packages/server/test/observability/*-alerts.thorough.test.ts'];
/** A test that changes what its whole process shares says so in its first line, and gets a process to itself. */
const isolated = filesThat((text) => text.startsWith('// Isolated: '));

/** A file belongs to the first lane that names it. */
const lanes: Readonly<Record<string, readonly string[]>> = {
  isolated,
  pages: ['packages/web/test/**/*.test.ts', 'packages/**/*-in-browser.test.ts'],
  commands: ['packages/cli/test/**/*.test.ts'],
  contract: ['packages/server/test/contract/**/*.test.ts'],
  http: ['packages/**/*.http.test.ts', 'packages/server/test/**/*.test.ts'],
  unit: everything,
};

/**
 * What the pages and the commands ask of the database, the service's own tests prove on both databases. Of theirs, only
 * these run on PostgreSQL too: each goes the whole way, from what a person does to what is stored.
 */
const wholeWays = [
  'packages/cli/test/sync-{journey,lost}.http.test.ts',
  'packages/web/test/whole-journey.test.ts',
];

/** Every test that uses a database imports this module, directly or through others. */
const databaseModule = path.join(root, 'packages/testkit/src/database.ts');

/** The same on every machine: no personal settings, language, time zone or git configuration. */
const environment = {
  SVC_TEST_DATABASE: database,
  SVC_TEST_STORES: stores,
  SVC_TEST_RUNS: String(propertyRuns),
  HOME: emptyHome(),
  // For worker threads too, each of which would otherwise compile its modules again.
  NODE_COMPILE_CACHE: folderOfCompiledModules(root),
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/**
 * Memory in large pages. The tests of commands start git more than a thousand times, and each time Linux copies the page tables
 * of a process of several hundred megabytes.
 */
const largePages = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };

const shared: TestUserConfig = {
  tags: [
    { name: 'thorough', description: 'left out of the everyday run' },
    { name: 'repeated', description: 'with more repetitions or cases in the thorough run' },
  ],
  setupFiles: ['scripts/test-setup.ts'],
  // Processes, not threads: a native package that crashes, or a test that stops a server by signal, ends its own
  // process and not its neighbours.
  pool: 'forks',
  // Node loads the sources itself. Vite's loader takes almost a second longer for one file of a feature, and a few per cent
  // longer for the whole run.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // Only what never ends meets these: on a busy machine everything takes many times as long.
  testTimeout: isThorough ? 600_000 : 180_000,
  hookTimeout: isThorough ? 600_000 : 180_000,
  // An expected event comes late on a busy machine; an event that never comes still fails.
  expect: { poll: { timeout: 120_000 } },
};

// For this process too: it starts the database server of the distributed run.
process.env['TMPDIR'] = makeTemporaryFolder();

const excluded = ['**/node_modules/**', '**/dist/**', ...(database === 'postgres' ? notOnPostgres() : [])];

const test: TestUserConfig = {
  projects: isThorough ? thoroughLanes() : everydayLanes(),
  globalSetup: database === 'postgres' ? ['packages/testkit/src/global-setup.ts'] : [],
  ...(database === 'postgres' ? { related: [databaseModule] } : {}),
  maxWorkers: workers(),
  teardownTimeout: 30_000,
  // A test that passes the second time has failed.
  retry: 0,
  reporters: ['default', './scripts/summary-reporter.ts'],
};

export default defineConfig({ test });

/**
 * A worker waits now and then, for a browser above all, so a small machine has one more of them than cores. The thorough
 * run hashes passwords at their full cost, which needs whole cores and much memory.
 */
function workers(): number {
  return isThorough ? 2 : Math.max(3, Math.floor(availableParallelism() * 0.75));
}

function everydayLanes(): TestProjectInlineConfiguration[] {
  const before: string[] = [];
  return Object.entries(lanes).map(([name, include]) => {
    const exclude = [...excluded, ...thorough, ...before];
    before.push(...include);
    return lane(name, include, exclude, ['!thorough']);
  });
}

/** The long tests, every property if it is tested more often than in the everyday run, and single tagged tests. */
function thoroughLanes(): TestProjectInlineConfiguration[] {
  const properties =
    propertyRuns > EVERYDAY_PROPERTY_RUNS ? filesThat((text) => text.includes("from 'fast-check'")) : [];
  const tags = isShort ? ['thorough'] : ['thorough', 'repeated'];
  const tagged = filesThat((text) => tags.some((tag) => text.includes(`tags: '${tag}'`)));
  return [
    lane('thorough', thorough, isShort ? [...excluded, ...leftOutOfShort] : excluded),
    lane('properties', properties, [...excluded, ...thorough]),
    lane('tagged', tagged, [...excluded, ...thorough, ...properties], [tags.join(' or ')]),
  ];
}

function lane(
  name: string,
  include: readonly string[],
  exclude: readonly string[],
  tagsFilter?: string[],
): TestProjectInlineConfiguration {
  const isShared = name !== 'isolated' && name !== 'thorough';
  return {
    test: {
      ...shared,
      name,
      include: [...include],
      exclude: [...exclude],
      globalSetup: ['scripts/build-for-tests.ts'],
      isolate: !isShared,
      env: name === 'commands' ? { ...environment, ...largePages } : environment,
      // Holds for a project too, although its type has it for whole runs alone.
      ...(tagsFilter ? { tagsFilter } : {}),
    },
  };
}

function notOnPostgres(): string[] {
  const chosen = ['packages/{client,server}/**', ...wholeWays];
  const isChosen = (file: string) => chosen.some((pattern) => path.matchesGlob(file, pattern));
  return [...filesThat(() => true).filter((file) => !isChosen(file)), ...onlyOnSqlite];
}

function filesThat(holds: (text: string) => boolean): string[] {
  const files = fs.globSync(everything, { cwd: root });
  return files.filter((file) => holds(fs.readFileSync(path.join(root, file), 'utf8')));
}

function emptyHome(): string {
  const home = path.join(root, '.cache/test-home');
  fs.mkdirSync(home, { recursive: true });
  return home;
}
