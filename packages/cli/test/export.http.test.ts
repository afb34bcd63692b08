/** `svc export`: each format and destination, of a local report or a report file. */
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { ReportProjection } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { wholeProjection, type CanonicalReport } from '@svc/report';
import { fileNameOf } from '@svc/report/render/file-name';
import { startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { submission } from './local-reports.ts';
import { initRepository, writeFiles } from './repository.ts';
import { sarifOf, type SampleResult } from './sarif-results.ts';
import { builtProgram, createMachine, heard, jsonOf, type Machine } from './svc.ts';
import { syncingMachine } from './syncing.ts';

let server: TestServer;
/** A machine with one finished report. Tests write into folders of their own. */
let machine: Machine;
let localReportId: string;
beforeAll(async () => {
  server = await startServer();
  machine = await createMachine();
  initRepository(machine.folder);
  localReportId = await scan(machine, [open, aside]);
});
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  await server.close();
});

const open: SampleResult = { file: 'src/open.js', level: 'error' };
const aside: SampleResult = { file: 'src/aside.js', level: 'warning', isSuppressed: true };

async function scan(on: Machine, results: readonly SampleResult[]): Promise<string> {
  fs.writeFileSync(path.join(on.folder, 'linter.sarif'), sarifOf(results));
  const ended = await on.svc('scan . --only secrets --sarif linter.sarif --no-sync --json'.split(' '));
  expect(ended.code).toBe(0);
  return (jsonOf(ended.stdout) as { localReportId: string }).localReportId;
}

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(machine.folder, 'exports-'));
});

const svc = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  machine.svc(['export', ...words], environment, folder);
const at = (name: string) => path.join(folder, name);
const read = (name: string) => fs.readFileSync(at(name), 'utf8');

async function canonical(): Promise<CanonicalReport> {
  return jsonOf((await machine.svc(['report', 'show', '--json'])).stdout) as CanonicalReport;
}
const wholeOf = (report: CanonicalReport) =>
  wholeProjection(report, { reportId: report.localReportId, projectedFor: { principalType: 'user' } });

interface Log {
  readonly version: string;
  readonly runs: readonly {
    readonly results: readonly {
      readonly baselineState?: string;
      readonly suppressions?: readonly unknown[];
      readonly hostedViewerUri?: string;
    }[];
  }[];
}
const resultsIn = (text: string) => (JSON.parse(text) as Log).runs.flatMap(({ results }) => results);

const beginnings = { html: /^<!doctype html>/i, json: /^\{/, markdown: /^# /, sarif: /^\{/ };
const extensions = { html: 'html', json: 'json', markdown: 'md', sarif: 'sarif' };
const formats = ['html', 'json', 'markdown', 'sarif'] as const;

describe('formats', () => {
  test.each(formats)('[D11] %s is written to the default file, whose name is printed', async (format) => {
    const { code, stdout, stderr } = await svc(['--format', format]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const name = fileNameOf(await canonical(), format);
    expect(name).toMatch(new RegExp(`^report-[a-z0-9-]+-\\d{4}-\\d\\d-\\d\\d\\.${extensions[format]}$`));
    expect(stdout).toBe(`${name}\n`);
    expect(fs.readdirSync(folder)).toEqual([name]);
    expect(read(name)).toMatch(beginnings[format]);
    expect(read(name)).toContain('src/open.js');
  });

  test('[D9] JSON is the whole projection, under the local id', async () => {
    await svc(['--output', 'report.json']);
    const projection = JSON.parse(read('report.json')) as ReportProjection;
    expect(projection).toEqual(wholeOf(await canonical()));
    expect(projection.id).toBe(localReportId);
    const served = { ...projection, id: `rep_${'0'.repeat(26)}` };
    expect(issuesOf(validatorOf(ReportProjection), served)).toEqual([]);
  });

  test.each([
    ['a.html', 'html'],
    ['a.HTM', 'html'],
    ['a.json', 'json'],
    ['a.md', 'markdown'],
    ['a.markdown', 'markdown'],
    ['a.sarif', 'sarif'],
    ['a.sarif.json', 'sarif'],
  ] as const)('a file name %s selects %s', async (name, format) => {
    const { code, stdout } = await svc(['--output', name, '--json']);
    expect(code).toBe(0);
    const decisions = { source: 'local', applied: 0 };
    expect(jsonOf(stdout)).toEqual({ file: name, format, sizeBytes: fs.statSync(at(name)).size, decisions });
    expect(read(name)).toMatch(beginnings[format]);
    expect(read(name).includes('"version":"2.1.0"')).toBe(format === 'sarif');
  });

  test('--format takes precedence over the name, and html is the default', async () => {
    expect(await svc(['--output', 'report.txt', '--format', 'markdown'])).toMatchObject({ code: 0 });
    expect(read('report.txt')).toMatch(beginnings.markdown);
    expect((await svc(['--output', '-'])).stdout).toMatch(beginnings.html);
    expect((await svc([])).stdout).toMatch(/\.html\n$/);
  });

  test('a report without findings can be written in each format', async () => {
    await using other = await createMachine();
    await scan(other, []);
    for (const format of formats) {
      const { code, stdout } = await other.svc(['export', '--format', format, '--output', '-']);
      expect(code).toBe(0);
      expect(stdout).toMatch(beginnings[format]);
    }
  });
});

describe('SARIF', () => {
  test('[D11] --profile github leaves out what is set aside, and is still valid SARIF', async () => {
    await svc(['--format', 'sarif', '--output', 'all.sarif']);
    const { stdout } = await svc(['--profile', 'github']);
    expect(stdout).toMatch(/\.sarif\n$/);
    expect(resultsIn(read('all.sarif'))).toHaveLength(2);
    expect(resultsIn(read(stdout.trim()))).toHaveLength(1);
  });

  test('[D11] --baseline marks findings as new or known', async () => {
    fs.writeFileSync(at('before.sarif'), sarifOf([aside]));
    const { stdout } = await svc(['--format', 'sarif', '--output', '-', '--baseline', 'before.sarif']);
    expect(resultsIn(stdout).map(({ baselineState }) => baselineState)).toEqual(['new', 'unchanged']);
    const without = await svc(['--format', 'sarif', '--output', '-']);
    expect(resultsIn(without.stdout).map(({ baselineState }) => baselineState)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('a missing baseline is a failure, unless that is allowed', async () => {
    const words = ['--format', 'sarif', '--output', '-', '--baseline', 'before.json'];
    const missing = await svc(words);
    expect(missing).toMatchObject({ code: exitCodes.failed, stdout: '' });
    expect(missing.stderr).toContain('--allow-missing-baseline');
    const allowed = await svc([...words, '--allow-missing-baseline']);
    expect(allowed.code).toBe(0);
    expect(resultsIn(allowed.stdout)).toHaveLength(2);
  });

  test('an export of the same report is a baseline in which everything is known', async () => {
    await svc(['--output', 'own.sarif']);
    const compared = await machine.svc(['compare', '--baseline', 'own.sarif', '--json'], {}, folder);
    expect(jsonOf(compared.stdout)).toMatchObject({ new: [], fixed: [], unchanged: [{}, {}] });
  });

  test('[D11] of a synced report contains the address of each finding', async () => {
    await using syncing = await syncingMachine(server);
    fs.writeFileSync(path.join(syncing.machine.folder, 'linter.sarif'), sarifOf([open]));
    expect(await syncing.svc(['scan', '.', '--sarif', 'linter.sarif'])).toMatchObject({ code: 0 });
    const [report] = await syncing.reports();
    const { stdout } = await syncing.svc(['export', '--format', 'sarif', '--output', '-']);
    expect(resultsIn(stdout)[0]?.hostedViewerUri).toContain(report?.reportUrl);
    expect(syncing.gate.calls.filter(({ name }) => name === 'other')).toEqual([]);
  });
});

describe('the destination', () => {
  test('an existing file stays unchanged, unless --force is given', async () => {
    fs.writeFileSync(at('report.md'), 'mine', { mode: 0o640 });
    const rejected = await svc(['--output', 'report.md']);
    expect(rejected).toMatchObject({ code: exitCodes.failed, stdout: '' });
    expect(rejected.stderr).toContain('report.md already exists');
    expect(rejected.stderr).toContain('--force');
    expect(read('report.md')).toBe('mine');
    expect(await svc(['--output', 'report.md', '--force'])).toMatchObject({ code: 0 });
    expect(read('report.md')).toMatch(beginnings.markdown);
    expect(fs.statSync(at('report.md')).mode & 0o777).toBe(0o640);
    expect(fs.readdirSync(folder)).toEqual(['report.md']);
  });

  test('with --force the file behind a link is replaced, and the link stays', async () => {
    fs.writeFileSync(at('real.md'), 'mine');
    fs.symlinkSync('real.md', at('link.md'));
    expect(await svc(['--output', 'link.md', '--force'])).toMatchObject({ code: 0 });
    expect(fs.lstatSync(at('link.md')).isSymbolicLink()).toBe(true);
    expect(read('real.md')).toMatch(beginnings.markdown);
  });

  test.each([
    ['no/such/folder.md', 'its folder does not exist'],
    ['a-file/report.md', 'its folder does not exist'],
    ['a-folder.md', 'it is a folder'],
    ['/dev/full', 'the disk is full'],
    [`${'n'.repeat(300)}.md`, 'its name is too long'],
  ])('%s cannot be written, and nothing is left behind', async (output, reason) => {
    fs.writeFileSync(at('a-file'), 'mine');
    fs.mkdirSync(at('a-folder.md'));
    for (const force of [[], ['--force']]) {
      const ended = await svc(['--format', 'markdown', '--output', output, ...force]);
      expect(ended).toMatchObject({ code: exitCodes.failed, stdout: '' });
      expect(ended.stderr).toContain(`cannot be written: ${reason}`);
    }
    expect(fs.readdirSync(folder).toSorted()).toEqual(['a-file', 'a-folder.md']);
  });

  test('of two commands that write simultaneously one is rejected', async () => {
    const words = ['export', '--output', 'one.md'];
    const both = await Promise.all([1, 2].map(() => machine.begin(words, {}, folder).ended));
    expect(new Set(both.map(({ code }) => code))).toEqual(new Set([exitCodes.done, exitCodes.failed]));
    expect(read('one.md')).toMatch(beginnings.markdown);
    expect(fs.readdirSync(folder)).toEqual(['one.md']);
  });

  test.each(formats)('standard output gets the same bytes as a file of %s', async (format) => {
    await svc(['--format', format, '--output', 'file']);
    const { code, stdout, stderr } = await svc(['--format', format, '--output', '-']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(read('file'));
  });

  test('a pipe whose reader has gone is not a failure, and a named pipe is written to', async () => {
    const program = `'${process.execPath}' '${builtProgram()}' export --format html --output`;
    const line = `${program} - | head -c 1; echo "\${PIPESTATUS[0]}"; ${program} >(cat > named.html); wait`;
    const child = spawn('bash', ['-c', line], {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', SVC_HOME: machine.home, HOME: machine.home },
    });
    const { stdout, stderr } = await heard(child).ended;
    expect({ stdout: stdout.slice(0, 3), stderr }).toEqual({ stdout: '<0\n', stderr: '' });
    expect(read('named.html')).toMatch(/<\/html>\s*$/);
  });
});

describe('a report in a file', () => {
  test('can be canonical or a projection, even if no store can be created', async () => {
    const report = await canonical();
    writeFiles(folder, {
      'canonical.json': JSON.stringify(report),
      'projection.json': JSON.stringify(wholeOf(report)),
      'no-home': '',
    });
    for (const file of ['canonical.json', 'projection.json']) {
      const words = [file, '--format', 'json', '--output', '-'];
      const { code, stdout } = await svc(words, { SVC_HOME: at('no-home') });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual(wholeOf(report));
    }
  });

  test('can come on standard input, and can be a projection from a share link', async () => {
    const { findings: _findings, project: _project, ...rest } = wholeOf(await canonical());
    const shared = {
      ...rest,
      projectedFor: { principalType: 'anonymous' },
      redactionNotice: 'Parts are left out.',
    };
    const words = ['export', '-', '--format', 'markdown'];
    const ended = await machine.svcWith(JSON.stringify(shared), words, folder);
    expect(ended).toMatchObject({ code: 0, stdout: 'report.md\n' });
    expect(read('report.md')).toContain('Parts are left out');
    const compared = await machine.svcWith('{}', [...words, '--baseline', 'linter.sarif'], folder);
    expect(compared.code).toBe(exitCodes.rejected);
  });

  test.each([
    ['missing.json', exitCodes.failed, 'the file does not exist'],
    ['.', exitCodes.failed, 'it is a folder'],
    ['text.json', exitCodes.rejected, 'is not JSON'],
    ['other.json', exitCodes.rejected, 'is not a known field'],
    ['results.sarif', exitCodes.rejected, 'svc scan --sarif FILE'],
  ])('%s ends with %i', async (file, code, said) => {
    writeFiles(folder, {
      'text.json': 'text',
      'other.json': '{"a":1}',
      'results.sarif': sarifOf([open]),
    });
    const ended = await svc([file, '--output', 'out.html']);
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(said);
    expect(fs.existsSync(at('out.html'))).toBe(false);
  });
});

describe('options', () => {
  test.each([
    [['--format', 'pdf'], 'html, json, markdown, sarif'],
    [['--output', 'report.pdf'], '--format html, json, markdown, sarif'],
    [['--output', 'report'], '--format'],
    [['--profile', 'gitlab'], 'github'],
    [['--profile', 'github', '--format', 'html'], '--format sarif'],
    [['--profile', 'github', '--output', 'a.md'], '--format sarif'],
    [['--format', 'json', '--baseline', 'a.json'], 'svc compare'],
    [['--json', '--output', '-'], 'Leave --json out'],
    [['a.json', '--report', 'r123'], 'Give one of the two'],
  ])('%j, which conflict or mean nothing, end with 3', async (words, said) => {
    const ended = await svc(words);
    expect(ended.code).toBe(exitCodes.usage);
    expect(ended.stdout + ended.stderr).toContain(said);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  test('with --json standard output may contain the requested JSON', async () => {
    for (const format of ['json', 'sarif']) {
      const { code, stdout } = await svc(['--json', '--output', '-', '--format', format]);
      expect(code).toBe(0);
      expect(jsonOf(stdout)).toBeTypeOf('object');
    }
  });
});

describe('the exported report', () => {
  test('is the newest finished one, or the named one', async () => {
    await using other = await createMachine();
    const own = (given: readonly string[], input = '') => other.svcWith(input, given);
    const words = ['export', '--format', 'json', '--output', '-'];
    expect(await own(words)).toMatchObject({ code: exitCodes.failed, stdout: '' });
    await own(['scan', 'start', '--no-sync']);
    await own(['finding', 'add'], JSON.stringify(submission('a', { severity: 'critical' })));
    await own(['scan', 'finish']);
    const [first] = (
      JSON.parse((await own(['report', 'list', '--json'])).stdout) as {
        reports: { localReportId: string }[];
      }
    ).reports;
    await own(['scan', 'start', '--no-sync']);
    expect(JSON.parse((await own(words)).stdout)).toMatchObject({ id: first?.localReportId });
    const [running] = (
      JSON.parse((await own(['report', 'list', '--json'])).stdout) as {
        reports: { localReportId: string }[];
      }
    ).reports;
    const named = [...words, '--report', running?.localReportId ?? ''];
    expect((await own(named)).stderr).toContain('svc scan finish');
    await own(['scan', 'abort']);
    expect((await own(named)).stderr).toContain('was aborted');
    expect((await own([...words, '--report', 'nothing'])).code).toBe(exitCodes.failed);
  });
});
