/** Gates fail closed: however a scanner fails, `svc scan --fail-on` ends with 8, and the report says what is missing. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CanonicalReport } from '@svc/report';
import { someOf } from '@svc/testkit/lane';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import type { Incomplete } from '../src/report/incomplete.ts';
import { ESLINT_FORMATTER, knownScanners } from '../src/scanners/known-scanners.ts';
import { callsIn, fakeNames, installFake, sarif, type Behaviour, type FakeName } from './fake-scanners.ts';
import { initRepository, temporaryFolder, writeFiles } from './repository.ts';
import { sarifOf } from './sarif-results.ts';
import { createMachine, jsonOf, type CommandResult, type Machine } from './svc.ts';
import { toolsPath } from './tools.ts';

const files = {
  'src/app.py': 'print(1)\n',
  'package-lock.json': '{}',
  'eslint.config.mjs': 'export default [];\n',
  '.gitignore': 'node_modules\n*.sarif\n',
  [`node_modules/${ESLINT_FORMATTER}/package.json`]: '{}',
};

interface ScannerFolders extends AsyncDisposable {
  readonly machine: Machine;
  /** The only folder on the search path, except git's. */
  readonly tools: string;
}

/** A repository in which each scanner can find something. */
async function place(fakes: Partial<Record<FakeName, Behaviour>> = {}): Promise<ScannerFolders> {
  const tools = temporaryFolder();
  for (const [name, behaviour] of Object.entries(fakes)) installFake(tools, name as FakeName, behaviour);
  const machine = await createMachine(undefined, { PATH: [tools, toolsPath].join(path.delimiter) });
  writeFiles(machine.folder, files);
  initRepository(machine.folder);
  return { machine, tools, [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose]() };
}

interface ScanJson {
  readonly gate: { readonly passed: boolean } | null;
  readonly incomplete: readonly Incomplete[];
  readonly coverageAreas: CanonicalReport['coverageAreas'];
  readonly summary: { readonly findingCount: number };
}

const scanned = ({ stdout }: CommandResult) => jsonOf(stdout) as ScanJson;
const scan = (machine: Machine, ...words: readonly string[]) =>
  machine.svc(['scan', '.', '--no-sync', '--json', ...words]);
const statusOf = ({ coverageAreas }: ScanJson, id: string) =>
  coverageAreas.find((area) => area.id === id)?.status;

/**
 * What each scanner prints after an error, and if its version is too old for an option, with the documented exit codes.
 */
const said: Readonly<Record<FakeName, { readonly error: Behaviour; readonly old: Behaviour }>> = {
  semgrep: {
    error: { exitCode: 7, complaint: 'invalid configuration file found' },
    old: { exitCode: 2, complaint: 'semgrep: error: unrecognized arguments: --sarif' },
  },
  gitleaks: {
    error: { exitCode: 1, complaint: 'FTL unable to load gitleaks config' },
    old: { exitCode: 1, complaint: 'Error: unknown command "dir" for "gitleaks"' },
  },
  bandit: {
    error: { exitCode: 2, complaint: '[main] ERROR No tests would be run' },
    old: { exitCode: 2, complaint: "bandit: error: argument -f/--format: invalid choice: 'sarif'" },
  },
  eslint: {
    error: { exitCode: 2, complaint: 'Oops! Something went wrong!' },
    old: { exitCode: 2, complaint: "Invalid option '--no-error-on-unmatched-pattern'" },
  },
  trivy: {
    error: { exitCode: 1, complaint: 'FATAL init error: DB error: failed to download vulnerability DB' },
    old: { exitCode: 1, complaint: 'FATAL unknown flag: --scanners' },
  },
  'osv-scanner': {
    error: { exitCode: 127, complaint: 'failed to fetch databases' },
    old: { exitCode: 127, complaint: 'flag provided but not defined: -no-call-analysis' },
  },
};

const logOf = (name: string, more: object) =>
  JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name } }, results: [], ...more }] });
const invoked = (name: string, invocation: object) => logOf(name, { invocations: [invocation] });
const atFile = { locations: [{ physicalLocation: { artifactLocation: { uri: 'src/app.py' } } }] };

type Reason = Incomplete['reason'];
type Way = readonly [
  title: string,
  reason: Reason,
  message: RegExp,
  behaviour: (name: FakeName) => Behaviour | undefined,
];

const ways: readonly Way[] = [
  [
    'ends with an error code',
    'failed',
    /failed \(exit code \d+\)/,
    (name) => ({ does: 'nothing', ...said[name].error }),
  ],
  [
    'is of a version that cannot write SARIF',
    'failed',
    /does not support an option that svc needs, such as SARIF output \(exit code \d+\).*: install \S+ [\d.]+ or later\./,
    (name) => ({ does: 'nothing', ...said[name].old }),
  ],
  ['is killed', 'failed', /was killed by the system/, () => ({ does: 'die' })],
  ['writes nothing', 'failed', /wrote no result|wrote output that is not SARIF/, () => ({ does: 'nothing' })],
  [
    'writes output that is not SARIF',
    'failed',
    /wrote output that is not SARIF/,
    () => ({ result: '[{"found": 1}]' }),
  ],
  [
    'writes a truncated result',
    'failed',
    /wrote a truncated result/,
    (name) => ({ result: sarif(name).slice(0, -20) }),
  ],
  [
    'writes a log without runs',
    'failed',
    /has no run/,
    () => ({ result: '{"version": "2.1.0", "runs": []}' }),
  ],
  [
    'writes a run without results',
    'failed',
    /recorded no results/,
    (name) => ({ result: logOf(name, { results: undefined }) }),
  ],
  [
    'says that it failed',
    'failed',
    /reports that its scan failed/,
    (name) => ({ result: invoked(name, { executionSuccessful: false }) }),
  ],
  [
    'reports an error',
    'failed',
    /reports a scan error/,
    (name) => ({
      result: invoked(name, { executionSuccessful: true, toolExecutionNotifications: [{ level: 'error' }] }),
    }),
  ],
  [
    'could not look at one file',
    'partial',
    /could not scan everything/,
    (name) => ({
      result: invoked(name, {
        executionSuccessful: true,
        toolConfigurationNotifications: [{ level: 'error', ...atFile }],
      }),
    }),
  ],
  [
    'names a file by its path in a container',
    'partial',
    /1 result outside the repository, which are left out/,
    (name) => ({ result: sarif(name, '/src/src/app.py', 'security/detect-eval-with-expression') }),
  ],
  ['is not installed', 'not_run', /is not installed\. Install it/, () => undefined],
];

type Case = readonly [name: FakeName, ...way: Way];
const table = fakeNames.flatMap((name) => ways.map((way): Case => [name, ...way]));

/** Another program may have that name on this machine. */
function isBandit(file: string): boolean {
  return /^bandit \d/.test(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout);
}

describe('a scanner that svc runs', () => {
  test.each(someOf(table, 5))(
    '%s that %s ends a gated scan with 8',
    { tags: 'repeated' },
    async (name, _, reason, message, behaviour) => {
      const given = behaviour(name);
      await using here = await place(given && { [name]: given });
      const ended = await scan(here.machine, '--only', name, '--trust-repository', '--fail-on', 'critical');
      expect(ended.code).toBe(exitCodes.incomplete);
      const result = scanned(ended);
      expect(result).toMatchObject({
        gate: { passed: true },
        incomplete: [{ tool: name, file: null, reason, message: expect.stringMatching(message) as string }],
      });
      expect(statusOf(result, `tool:${name}`)).toBe(reason === 'partial' ? 'partial' : 'not_covered');
      expect(jsonOf(ended.stderr)).toMatchObject({
        error: { reason: 'incomplete', hint: expect.stringContaining('--allow-failed-scanners') as string },
      });
    },
  );

  test.each<[FakeName, string, readonly string[], RegExp]>([
    ['eslint', 'the repository is not trusted', [], /--trust-repository/],
    ['semgrep', 'there is no network', ['--offline'], /Leave --offline out/],
    ['trivy', 'there is no network', ['--offline'], /Leave --offline out/],
    ['osv-scanner', 'there is no network', ['--offline'], /Leave --offline out/],
  ])('%s is not run when %s, even if it is named', async (name, _, options, message) => {
    await using here = await place({ [name]: {} });
    const ended = await scan(here.machine, '--only', name, ...options, '--fail-on', 'critical');
    expect(ended.code).toBe(exitCodes.incomplete);
    expect(scanned(ended).incomplete).toEqual([
      { tool: name, file: null, reason: 'not_run', message: expect.stringMatching(message) as string },
    ]);
    expect(callsIn(here.tools)).toEqual([]);
  });

  test('eslint is not run without its formatter, even if it is named', async () => {
    await using here = await place({ eslint: {} });
    rmSync(path.join(here.machine.folder, 'node_modules'), { recursive: true });
    const ended = await scan(here.machine, '--only', 'eslint', '--trust-repository', '--fail-on', 'critical');
    expect(ended.code).toBe(exitCodes.incomplete);
    expect(scanned(ended).incomplete).toMatchObject([{ tool: 'eslint', reason: 'not_run' }]);
  });

  test.each(someOf(fakeNames, 4))(
    '%s that takes too long ends a gated scan with 8',
    { tags: 'repeated' },
    async (name) => {
      await using here = await place({ [name]: { does: 'wait' } });
      const scanner = knownScanners.find((each) => each.name === name) as { timeLimitMs: number };
      const { timeLimitMs } = scanner;
      onTestFinished(() => void (scanner.timeLimitMs = timeLimitMs));
      scanner.timeLimitMs = 1;
      const ended = await scan(here.machine, '--only', name, '--trust-repository', '--fail-on', 'critical');
      expect(ended.code).toBe(exitCodes.incomplete);
      expect(scanned(ended).incomplete).toMatchObject([{ tool: name, reason: 'failed' }]);
    },
  );

  test.each(someOf(fakeNames, 4))(
    '%s that cannot be started ends a gated scan with 8',
    { tags: 'repeated' },
    async (name) => {
      await using here = await place();
      writeFileSync(path.join(here.tools, name), '#!/nowhere/interpreter\n', { mode: 0o755 });
      const ended = await scan(here.machine, '--only', name, '--trust-repository', '--fail-on', 'critical');
      expect(ended.code).toBe(exitCodes.incomplete);
      expect(scanned(ended).incomplete).toMatchObject([
        { tool: name, reason: 'failed', message: expect.stringContaining('could not be started') as string },
      ]);
    },
  );

  test.each(someOf(fakeNames, 4))(
    '%s that ran and found something is complete',
    { tags: 'repeated' },
    async (name) => {
      await using here = await place({ [name]: {} });
      const ended = await scan(here.machine, '--only', name, '--trust-repository', '--fail-on', 'critical');
      expect(ended.code).toBe(0);
      expect(scanned(ended).incomplete).toEqual([]);
      expect(statusOf(scanned(ended), `tool:${name}`)).toBe('covered');
    },
  );

  test('a scanner that has nothing to scan counts as run', async () => {
    await using here = await place({ 'osv-scanner': { does: 'nothing', exitCode: 128 }, bandit: {} });
    rmSync(path.join(here.machine.folder, 'src/app.py'));
    const ended = await scan(here.machine, '--only', 'osv-scanner', 'bandit', '--fail-on', 'info');
    expect(ended.code).toBe(0);
    expect(scanned(ended).incomplete).toEqual([]);
  });

  test('a scanner that was neither installed nor asked for is not a gap, and one that failed is, even if not asked for', async () => {
    await using here = await place();
    expect(await scan(here.machine, '--fail-on', 'info')).toMatchObject({ code: 0 });
    installFake(here.tools, 'gitleaks', { exitCode: 1 });
    expect(await scan(here.machine, '--fail-on', 'info')).toMatchObject({ code: exitCodes.incomplete });
  });

  const realBandit = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'bandit'))
    .find((file) => existsSync(file) && isBandit(file));
  test.skipIf(realBandit === undefined)(
    'the real bandit either writes SARIF or ends a gated scan with 8 (skipped if it is not installed)',
    async () => {
      const canWrite = spawnSync(realBandit ?? '', ['--help'], { encoding: 'utf8' }).stdout.includes('sarif');
      const tools = path.dirname(realBandit ?? '');
      await using here = await place();
      const PATH = [here.tools, tools, toolsPath].join(path.delimiter);
      const asked = ['scan', '.', '--no-sync', '--json', '--only', 'bandit', '--fail-on', 'critical'];
      const ended = await here.machine.svc(asked, { PATH });
      const gaps = scanned(ended).incomplete.map(
        ({ reason, message }) => `${reason}: ${message.split(' (')[0]}`,
      );
      expect([ended.code, gaps]).toEqual(
        canWrite
          ? [0, []]
          : [
              exitCodes.incomplete,
              ['failed: bandit does not support an option that svc needs, such as SARIF output'],
            ],
      );
    },
  );
});

describe('a given log', () => {
  const given = async (log: string, ...options: readonly string[]) => {
    const here = await place();
    onTestFinished(() => here[Symbol.asyncDispose]());
    writeFileSync(path.join(here.machine.folder, 'linter.sarif'), log);
    const ended = await scan(here.machine, '--only', 'secrets', '--sarif', 'linter.sarif', ...options);
    return { ended, ...here };
  };
  const whole = sarifOf([{ file: 'src/app.py', level: 'warning' }]);
  const truncated = whole.slice(0, -30);
  const failing = [
    ['that failed', invoked('Linter', { executionSuccessful: false }), 'failed', 'Linter', 'tool:Linter'],
    ['without results', logOf('Linter', { results: null }), 'failed', 'Linter', 'tool:Linter'],
    ['without runs', '{"version": "2.1.0", "runs": []}', 'failed', null, 'tool:linter.sarif'],
    ['that ends too early', truncated, 'truncated', null, 'tool:linter.sarif'],
  ] as const;

  test.each(failing)('%s ends a gated scan with 8', async (_, log, reason, tool, area) => {
    const { ended } = await given(log, '--fail-on', 'critical');
    expect(ended.code).toBe(exitCodes.incomplete);
    expect(scanned(ended).incomplete).toMatchObject([{ tool, file: 'linter.sarif', reason }]);
    expect(statusOf(scanned(ended), area)).toBe('not_covered');
  });

  const otherFile = { location: { uri: 'other.sarif-external-properties' } };
  test.each([
    ['with a result that is null', logOf('Linter', { results: [null] })],
    ['with a result that is a text', logOf('Linter', { results: ['result'] })],
    [
      'whose invocations are in another file',
      logOf('Linter', { externalPropertyFileReferences: { invocations: [otherFile] } }),
    ],
  ])('%s ends a gated scan with 8, and its tool counts as partial', async (_, log) => {
    const { ended } = await given(log, '--fail-on', 'critical');
    expect(ended.code).toBe(exitCodes.incomplete);
    expect(scanned(ended).incomplete).toMatchObject([{ tool: 'Linter', reason: 'partial' }]);
    expect(statusOf(scanned(ended), 'tool:Linter')).toBe('partial');
  });

  test.each([
    ['a suppression that is null', { level: 'error', suppressions: [null] }],
    ['the level ERROR', { level: 'ERROR' }],
    ['the level error and the score 0', { level: 'error', properties: { 'security-severity': '0' } }],
  ])('with %s makes a gate fail', async (_, more) => {
    const { ended } = await given(
      logOf('Linter', { results: [{ ruleId: 'rce', message: { text: 'Commands are run.' }, ...more }] }),
      '--fail-on',
      'high',
    );
    expect(ended.code).toBe(exitCodes.gateFailed);
  });

  test.each(someOf(failing, 4))(
    '%s is allowed by --allow-failed-scanners',
    { tags: 'repeated' },
    async (_, log) => {
      const { ended } = await given(log, '--fail-on', 'critical', '--allow-failed-scanners');
      expect(ended.code).toBe(0);
      expect(scanned(ended).incomplete).toHaveLength(1);
    },
  );

  test('that ends too early makes a scan without a gate exit with 2, but the report exists', async () => {
    const { ended, machine } = await given(truncated);
    expect(ended.code).toBe(exitCodes.rejected);
    expect(scanned(ended)).toMatchObject({ gate: null, incomplete: [{ reason: 'truncated' }] });
    expect(ended.stderr).toContain('The report lacks the results of linter.sarif.');
    expect(await machine.svc(['report', 'validate'])).toMatchObject({ code: 0 });
    const allowed = await given(truncated, '--allow-failed-scanners');
    expect(allowed.ended.code).toBe(0);
  });

  test('of a scanner that failed is reported, but does not fail a scan without a gate', async () => {
    const { ended } = await given(invoked('Linter', { executionSuccessful: false }));
    expect(ended.code).toBe(0);
    expect(scanned(ended).incomplete).toHaveLength(1);
  });

  test('that is not complete makes its tool partial, even beside a complete log of the same tool', async () => {
    const { machine } = await given(whole);
    writeFileSync(path.join(machine.folder, 'other.sarif'), logOf('LINTER', { results: null }));
    const both = await scan(machine, '--only', 'secrets', '--sarif', 'linter.sarif', 'other.sarif');
    expect(statusOf(scanned(both), 'tool:Linter')).toBe('partial');
  });

  test('of a tool that scans code covers the subject "Code"', async () => {
    const { ended } = await given(sarifOf([], 'CodeQL'));
    expect(scanned(ended).coverageAreas).toContainEqual({
      id: 'static_analysis',
      name: 'Code',
      status: 'covered',
      note: 'By CodeQL.',
    });
    const failed = await given(invoked('CodeQL', { executionSuccessful: false }));
    expect(statusOf(scanned(failed.ended), 'static_analysis')).toBe('not_covered');
  });

  test('of more tools than a report has areas leaves the three subjects in the report', async () => {
    const { machine } = await given(whole);
    const run = (index: number) => ({
      tool: { driver: { name: `Linter ${index}` } },
      ...(index === 249 ? {} : { results: [] }),
    });
    const runs = Array.from({ length: 250 }, (_, index) => run(index));
    writeFileSync(path.join(machine.folder, 'many.sarif'), JSON.stringify({ version: '2.1.0', runs }));
    const ended = await scan(machine, '--only', 'secrets', '--sarif', 'many.sarif');
    const ids = scanned(ended).coverageAreas.map(({ id }) => id);
    expect(ids).toHaveLength(200);
    expect(ids.slice(0, 3)).toEqual(['secrets', 'static_analysis', 'dependencies']);
    expect(ids).toContain('tool:Linter 249');
  });
});

describe('the end of a scan', () => {
  const high = { result: sarifOf([{ file: 'src/app.py', level: 'error' }], 'bandit') };
  const both = { bandit: high, gitleaks: { exitCode: 1, does: 'nothing' } } as const;

  test('a gate that stops takes precedence over a failed scanner, and both are reported', async () => {
    await using here = await place(both);
    const ended = await scan(here.machine, '--fail-on', 'high');
    expect(ended.code).toBe(exitCodes.gateFailed);
    expect(scanned(ended)).toMatchObject({ gate: { passed: false }, incomplete: [{ tool: 'gitleaks' }] });
    expect(ended.stderr).toContain('The scan is not complete');
    const allowed = await scan(here.machine, '--fail-on', 'high', '--allow-failed-scanners');
    expect(allowed.code).toBe(exitCodes.gateFailed);
  });

  test('a subject is partly covered if one of its tools failed', async () => {
    await using here = await place({ gitleaks: { exitCode: 1 }, semgrep: {}, bandit: { does: 'die' } });
    const result = scanned(await scan(here.machine));
    expect(result.coverageAreas.slice(0, 3).map(({ status }) => status)).toEqual([
      'partial',
      'partial',
      'not_covered',
    ]);
  });

  test('the output for people names the scanner, its message and what to do', async () => {
    await using here = await place({
      gitleaks: { does: 'nothing', exitCode: 1, complaint: 'no space left' },
    });
    const ended = await here.machine.svc(['scan', '.', '--no-sync', '--fail-on', 'low']);
    expect(ended.code).toBe(exitCodes.incomplete);
    expect(ended.stderr).toContain('The scan is not complete, so the gate cannot pass: gitleaks.');
    expect(ended.stderr).toContain('Its error output: no space left');
    expect(ended.stderr).toContain('--allow-failed-scanners');
  });
});

describe('svc compare', () => {
  const words = ['compare', '--fail-on-new', 'critical', '--json'];

  test('[D26] a local report with a failed scanner ends with 8, and a complete one passes', async () => {
    await using here = await place({ gitleaks: {} });
    await scan(here.machine);
    await scan(here.machine);
    expect(await here.machine.svc(words)).toMatchObject({ code: 0 });
    installFake(here.tools, 'gitleaks', { exitCode: 1 });
    await scan(here.machine);
    const ended = await here.machine.svc(words);
    expect(ended.code).toBe(exitCodes.incomplete);
    expect(scanned(ended)).toMatchObject({
      gate: { passed: true },
      incomplete: [{ tool: 'gitleaks', file: null, reason: 'failed' }],
    });
    expect(await here.machine.svc([...words, '--allow-failed-scanners'])).toMatchObject({ code: 0 });
    expect(await here.machine.svc(['compare'])).toMatchObject({ code: 0 });
    // The baseline's gap does not count for this report.
    installFake(here.tools, 'gitleaks', {});
    await scan(here.machine);
    expect(await here.machine.svc(words)).toMatchObject({ code: 0 });
  });

  test('a file with a failed scanner ends with 8, as a report and as a log', async () => {
    await using here = await place({ gitleaks: { exitCode: 1 } });
    const { machine } = here;
    await scan(machine);
    const { stdout } = await machine.svc(['report', 'show', '--json']);
    writeFileSync(path.join(machine.folder, 'now.json'), stdout);
    await machine.svc(['export', '--output', 'projection.json']);
    await machine.svc(['export', '--output', 'own.sarif']);
    writeFileSync(path.join(machine.folder, 'now.sarif'), invoked('Linter', { executionSuccessful: false }));
    writeFileSync(path.join(machine.folder, 'base.sarif'), sarifOf([]));
    for (const name of ['now.json', 'projection.json', 'own.sarif', 'now.sarif'])
      expect([
        name,
        (await machine.svc(['compare', name, '--baseline', 'base.sarif', '--fail-on-new', 'low'])).code,
      ]).toEqual([name, exitCodes.incomplete]);
  });

  test('a gate that stops takes precedence', async () => {
    await using here = await place();
    const { machine } = here;
    const log = JSON.parse(sarifOf([{ file: 'src/app.py', level: 'error' }])) as { runs: object[] };
    const runs = [{ ...log.runs[0], invocations: [{ executionSuccessful: false }] }];
    writeFileSync(path.join(machine.folder, 'now.sarif'), JSON.stringify({ ...log, runs }));
    writeFileSync(path.join(machine.folder, 'base.sarif'), sarifOf([]));
    const asked = ['compare', 'now.sarif', '--baseline', 'base.sarif', '--fail-on-new', 'high', '--json'];
    const ended = await machine.svc(asked);
    expect(ended.code).toBe(exitCodes.gateFailed);
    expect(scanned(ended)).toMatchObject({ gate: { passed: false }, incomplete: [{ tool: 'Linter' }] });
  });

  test('[D26] counts the same findings as gone for an exported SARIF log and for its report', async () => {
    await using here = await place({ bandit: {}, gitleaks: {} });
    const { machine, tools } = here;
    await scan(machine);
    await machine.svc(['export', '--output', 'before.json']);
    installFake(tools, 'bandit', { exitCode: 7 });
    await scan(machine);
    await machine.svc(['export', '--output', 'now.json']);
    await machine.svc(['export', '--output', 'now.sarif']);
    const compared = async (name: string) => {
      const ended = await machine.svc(['compare', name, '--baseline', 'before.json', ...words.slice(1)]);
      const { fixed, unknown, incomplete } = jsonOf(ended.stdout) as Record<string, { tool?: string }[]>;
      return [ended.code, fixed, unknown, incomplete?.map(({ tool }) => tool)];
    };
    const ofReport = await compared('now.json');
    expect(ofReport).toMatchObject([exitCodes.incomplete, [], [{}], ['bandit']]);
    expect((await compared('now.sarif')).slice(0, 2)).toEqual(ofReport.slice(0, 2));
    expect((await compared('now.sarif')).at(-1)).toEqual(['bandit']);
    const again = scanned(await scan(machine, '--only', 'secrets', '--sarif', 'now.sarif'));
    expect(statusOf(again, 'tool:bandit')).toBe('not_covered');
    expect(statusOf(again, 'tool:gitleaks')).toBe('covered');
    expect(statusOf(again, 'tool:svc')).toBeUndefined();
    expect(again.incomplete).toMatchObject([{ tool: 'bandit', file: 'now.sarif', reason: 'failed' }]);
  });
});
