// The run on PostgreSQL selects the test files that import the database module. This test finds database tests in a
// second way, by their text, and checks that the selection misses none.
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { onlyOnSqlite } from './only-on-sqlite.ts';

const root = path.join(import.meta.dirname, '..');
const door = 'packages/testkit/src/database.ts';

let all: readonly string[];
let chosen: ReadonlySet<string>;

beforeAll(async () => {
  all = await testFiles({});
  chosen = new Set(await testFiles({ SVC_TEST_DATABASE: 'postgres' }));
}, 180_000);

/** The test files that a run with these environment variables includes, by their path in the repository. */
async function testFiles(environment: Readonly<Record<string, string>>): Promise<string[]> {
  const { SVC_TEST_DATABASE: _database, SVC_TEST_LANE: _lane, ...inherited } = process.env;
  const runner = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [runner, 'list', '--filesOnly', '--json', '--reporter=dot'],
    { cwd: root, env: { ...inherited, ...environment }, maxBuffer: 16 * 2 ** 20 },
  );
  const files = JSON.parse(stdout) as { file: string }[];
  return files.map(({ file }) => path.relative(root, file).split(path.sep).join('/'));
}

const textOf = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');

/** Every TypeScript file of the packages and scripts. */
function sources(): string[] {
  return fs
    .globSync(['packages/*/{src,test}/**/*.ts', 'scripts/**/*.ts', '*.ts'], { cwd: root })
    .map((file) => file.split(path.sep).join('/'));
}

// A service in a process of its own always uses SQLite.
test('each test of the service that starts a server or opens a database runs over PostgreSQL, except for those listed', () => {
  const sayings =
    /\b(?:startServer|startTeamServer|sharedServer|sharedTeamServer|createTestDatabase|postgresUrl|openPostgres)\b/;
  const ofService = /^packages\/(?:client|server)\//;
  const due = all.filter((file) => ofService.test(file) && sayings.test(textOf(file)));
  expect(due.length).toBeGreaterThan(60);
  const isListed = (file: string) => onlyOnSqlite.some((pattern) => path.matchesGlob(file, pattern));
  expect(due.filter((file) => !chosen.has(file) && !isListed(file))).toEqual([]);
});

test.for(onlyOnSqlite)('%s names tests, none of which runs over PostgreSQL', (pattern) => {
  const named = all.filter((file) => path.matchesGlob(file, pattern));
  expect(named).not.toEqual([]);
  expect(named.filter((file) => chosen.has(file))).toEqual([]);
});

test('of the tests of pages and commands, only whole journeys run over PostgreSQL', () => {
  const wholeWays = [...chosen].filter((file) => /^packages\/(?:cli|web)\//.test(file));
  expect(wholeWays.toSorted()).toEqual([
    'packages/cli/test/sync-journey.http.test.ts',
    'packages/cli/test/sync-lost.http.test.ts',
    'packages/web/test/whole-journey.test.ts',
  ]);
});

test('only the testkit and scripts know the URL of PostgreSQL', () => {
  const variable = /\bSVC_TEST_POSTGRES_URL\b/;
  const knowing = sources().filter((file) => variable.test(textOf(file)));
  expect(knowing.filter((file) => !file.startsWith('scripts/')).toSorted()).toEqual([
    door,
    'packages/testkit/src/global-setup.ts',
  ]);
});
