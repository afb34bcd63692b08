// Ends a test run with the time that each lane took, and with a separate line, `N passed, N failed`. Writes the counts
// and the names of the failed tests to .cache/test-counts for .ci/run. The counts come from the results themselves;
// anything that keeps a test from running — a file that does not load, a hook that throws, an error outside any test,
// no test at all — counts as failed.
import * as fs from 'node:fs';
import path from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason, Vitest } from 'vitest/node';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

interface Lane {
  files: number;
  tests: number;
  seconds: number;
}

const run =
  process.env['SVC_TEST_LANE'] ??
  process.env['SVC_TEST_STORES'] ??
  process.env['SVC_TEST_DATABASE'] ??
  'sqlite';
const countsFolder = path.join(import.meta.dirname, '../.cache/test-counts');
const countsFile = path.join(countsFolder, `${run}.json`);
const failedFile = path.join(countsFolder, `${run}.failed.txt`);

export default class SummaryReporter implements Reporter {
  #counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  #failed: string[] = [];
  #lanes = new Map<string, Lane>();

  onInit(vitest: Vitest) {
    for (const file of [countsFile, failedFile]) fs.rmSync(file, { force: true });
    // The counts are written at the very end, after the other reporters and the teardown, as the last line.
    if (!vitest.config.watch) process.once('exit', (code) => this.#conclude(code));
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason) {
    this.#counts = count(modules);
    this.#counts.failed += errors.length + (reason === 'interrupted' ? 1 : 0);
    this.#failed = [...failedTests(modules), ...errors.map(({ message }) => message)];
    this.#lanes = lanesOf(modules);
  }

  #conclude(exitCode: number) {
    const counts = this.#counts;
    const nothingRan = counts.passed + counts.failed === 0;
    if (nothingRan || (exitCode !== 0 && counts.failed === 0)) counts.failed = 1;
    if (counts.failed > 0 && exitCode === 0) process.exitCode = 1;
    fs.mkdirSync(countsFolder, { recursive: true });
    if (this.#failed.length > 0) fs.writeFileSync(failedFile, this.#failed.join('\n'));
    fs.writeFileSync(countsFile, JSON.stringify(counts));
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    const table = this.#lanes.size > 1 ? tableOf(this.#lanes) : '';
    fs.writeSync(1, `${table}${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
  }
}

function count(modules: readonly TestModule[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const module of modules) {
    if (module.errors().length > 0) counts.failed++;
    for (const suite of module.children.allSuites()) if (suite.errors().length > 0) counts.failed++;
    for (const test of testsOf(module)) {
      const { state } = test.result();
      // A test that is still pending at the end of the run did not finish.
      counts[state === 'pending' ? 'failed' : state]++;
    }
  }
  return counts;
}

/**
 * A line for each file that did not load, each suite with a failed hook and each failed test: its file, its name and
 * the first line of its error.
 */
function failedTests(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) => {
    const lineOf = (name: string, errors: readonly SerializedError[]) =>
      `${module.relativeModuleId} > ${name}: ${errors[0]?.message.split('\n')[0] ?? 'did not finish'}`;
    const file = module.errors().length > 0 ? [lineOf('(file)', module.errors())] : [];
    const suites = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
    const tests = testsOf(module).flatMap((test) => {
      const { state, errors } = test.result();
      return state === 'failed' || state === 'pending' ? [lineOf(test.fullName, errors ?? [])] : [];
    });
    return [...file, ...suites.map((suite) => lineOf(suite.fullName, suite.errors())), ...tests];
  });
}

/** The tests of the lane. Its filter in vitest.config.ts is `!tag`, or tags joined by `or`. */
function testsOf({ project, children }: TestModule): TestCase[] {
  const tests = [...children.allTests()];
  const [filter] = project.config.tagsFilter ?? [];
  if (filter === undefined) return tests;
  if (filter.startsWith('!')) return tests.filter(({ tags }) => !tags.includes(filter.slice(1)));
  const wanted = new Set(filter.split(' or '));
  return tests.filter(({ tags }) => tags.some((tag) => wanted.has(tag)));
}

/** The seconds of a lane are the sum over its files. */
function lanesOf(modules: readonly TestModule[]): Map<string, Lane> {
  const lanes = new Map<string, Lane>();
  for (const module of modules) {
    const lane = lanes.get(module.project.name) ?? { files: 0, tests: 0, seconds: 0 };
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
      module.diagnostic();
    const spentMs = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
    lanes.set(module.project.name, {
      files: lane.files + 1,
      tests: lane.tests + testsOf(module).length,
      seconds: lane.seconds + spentMs / 1000,
    });
  }
  return lanes;
}

function tableOf(lanes: ReadonlyMap<string, Lane>): string {
  const columns = (cells: readonly (string | number)[]) =>
    cells.map((cell) => String(cell).padStart(9)).join('');
  const rows = [...lanes].map(
    ([name, { files, tests, seconds }]) => name.padEnd(12) + columns([files, tests, seconds.toFixed(1)]),
  );
  return `\n${'lane'.padEnd(12)}${columns(['files', 'tests', 'seconds'])}\n${rows.join('\n')}\n\n`;
}
