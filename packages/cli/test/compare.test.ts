/** `svc compare`: new and gone findings, of local reports and of files, and the gate for new findings. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ReportProjection } from '@svc/contract';
import { wholeProjection, type CanonicalReport } from '@svc/report';
import { beforeEach, describe, expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { submission } from './local-reports.ts';
import { initCommittedRepository, writeFiles } from './repository.ts';
import { sarifOf, type SampleResult } from './sarif-results.ts';
import { createMachine, jsonOf, type Machine } from './svc.ts';

interface Compared {
  readonly current: { readonly localReportId: string | null; readonly findingCount: number };
  readonly baseline: { readonly localReportId: string | null; readonly file: string | null } | null;
  readonly new: readonly { readonly id: string | null; readonly place: string }[];
  readonly fixed: readonly { readonly id: string | null; readonly place: string }[];
  readonly unknown: readonly { readonly place: string; readonly reason: string }[];
  readonly unchanged: readonly { readonly id: string | null; readonly place: string }[];
}

let machine: Machine;
beforeEach(async () => {
  machine = await createMachine();
  initCommittedRepository(machine.folder);
  return () => machine[Symbol.asyncDispose]();
});

const kept: SampleResult = { file: 'src/kept.js', level: 'warning' };
const gone: SampleResult = { file: 'src/gone.js', level: 'warning' };
const added: SampleResult = { file: 'src/added.js', level: 'error' };

const inFolder = (name: string) => path.join(machine.folder, name);

/** Scans, and returns the local id of the report. */
async function scan(...results: readonly SampleResult[]): Promise<string> {
  writeFileSync(inFolder('linter.sarif'), sarifOf(results));
  const ended = await machine.svc('scan . --only secrets --sarif linter.sarif --no-sync --json'.split(' '));
  expect(ended.code).toBe(0);
  return (jsonOf(ended.stdout) as { localReportId: string }).localReportId;
}

async function compare(...words: readonly string[]) {
  const ended = await machine.svc(['compare', '--json', ...words]);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const compared = jsonOf(ended.stdout) as Compared;
  const places = (list: Compared['new']) => list.map(({ place }) => place);
  return {
    ...compared,
    places: [places(compared.new), places(compared.fixed), places(compared.unchanged)],
  };
}

async function canonical(...words: readonly string[]): Promise<CanonicalReport> {
  return jsonOf((await machine.svc(['report', 'show', '--json', ...words])).stdout) as CanonicalReport;
}

const projectionOf = (report: CanonicalReport): ReportProjection =>
  wholeProjection(report, { reportId: report.localReportId, projectedFor: { principalType: 'user' } });

const ADDED_GONE_KEPT = [['src/added.js:3'], ['src/gone.js:3'], ['src/kept.js:3']];

describe('[D12] findings are matched by their fingerprint', () => {
  test('the newest report of the repository is compared with the previous one', async () => {
    const first = await scan(kept, gone);
    const second = await scan(kept, added);
    const compared = await compare();
    expect(compared).toMatchObject({
      current: { localReportId: second, findingCount: 2 },
      baseline: { localReportId: first, file: null },
      gate: null,
    });
    expect(compared.places).toEqual(ADDED_GONE_KEPT);
    expect(compared.new[0]).toEqual({
      id: 'F-2',
      severity: 'high',
      status: 'open',
      title: expect.any(String) as string,
      place: 'src/added.js:3',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  test('a named report is compared with the previous one', async () => {
    const [first, second] = [await scan(kept), await scan(kept, gone)];
    await scan(kept, added);
    expect(await compare(second)).toMatchObject({ baseline: { localReportId: first } });
    expect((await compare('--baseline', first.slice(0, 12))).baseline).toMatchObject({
      localReportId: first,
    });
  });

  test('the baseline can be a canonical report, a projection or SARIF, and so can the report', async () => {
    await scan(kept, gone);
    const base = await canonical();
    const files = {
      'canonical.json': JSON.stringify(base),
      'projection.json': JSON.stringify(projectionOf(base)),
      'results.sarif': readFileSync(inFolder('linter.sarif'), 'utf8'),
    };
    writeFiles(machine.folder, files);
    await scan(kept, added);
    writeFileSync(inFolder('now.json'), JSON.stringify(await canonical()));
    writeFileSync(inFolder('now.sarif'), sarifOf([kept, added]));
    for (const baseline of Object.keys(files)) {
      for (const current of [[], ['now.json'], ['now.sarif']]) {
        const compared = await compare(...current, '--baseline', baseline);
        const isOfCommits = ![baseline, ...current].some((file) => file.endsWith('.sarif'));
        const [isNew, isMissing, isKept] = ADDED_GONE_KEPT;
        expect(compared.places).toEqual([isNew, isOfCommits ? isMissing : [], isKept]);
        expect(compared.unknown.map(({ place }) => place)).toEqual(isOfCommits ? [] : isMissing);
        expect(compared.baseline).toMatchObject({ localReportId: null, file: baseline });
      }
    }
  });

  test('a finding that is missing in a SARIF file is unknown, since git cannot be asked whether it moved', async () => {
    writeFiles(machine.folder, { 'old.sarif': sarifOf([kept, gone]), 'new.sarif': sarifOf([kept]) });
    const compared = await compare('new.sarif', '--baseline', 'old.sarif');
    expect(compared.places).toEqual([[], [], ['src/kept.js:3']]);
    expect(compared.unknown).toMatchObject([
      { place: 'src/gone.js:3', reason: 'a report does not name its commit' },
    ]);
  });

  test('a finding that is missing in a SARIF file of a known commit is fixed', async () => {
    await scan(kept);
    const { commit } = (await canonical()).scan;
    const of = (results: Parameters<typeof sarifOf>[0]) => {
      const log = JSON.parse(sarifOf(results)) as { runs: object[] };
      const versionControlProvenance = [{ repositoryUri: 'https://example.test/app', revisionId: commit }];
      return JSON.stringify({ ...log, runs: log.runs.map((run) => ({ ...run, versionControlProvenance })) });
    };
    writeFiles(machine.folder, { 'old.sarif': of([kept, gone]), 'new.sarif': of([kept]) });
    const compared = await compare('new.sarif', '--baseline', 'old.sarif');
    expect([compared.places, compared.unknown]).toEqual([[[], ['src/gone.js:3'], ['src/kept.js:3']], []]);
  });

  test('a finding of a file without ids has no id', async () => {
    writeFiles(machine.folder, { 'old.sarif': sarifOf([gone]), 'new.sarif': sarifOf([added]) });
    const ended = await machine.svc(['compare', 'new.sarif', '--baseline', 'old.sarif', '--json']);
    expect(jsonOf(ended.stdout)).toMatchObject({ new: [{ id: null }], unknown: [{ id: null }] });
    expect((await machine.svc(['compare', 'new.sarif', '--baseline', 'old.sarif'])).stdout).toContain(
      'added.js',
    );
  });

  test('findings without a fingerprint get the one that intake computes', async () => {
    const svc = (words: readonly string[], input = '') => machine.svcWith(input, words);
    await svc(['scan', 'start', '--no-sync']);
    await svc(['finding', 'add'], JSON.stringify(submission('a')));
    await svc(['scan', 'finish']);
    const report = JSON.parse((await svc(['report', 'show', '--json'])).stdout) as CanonicalReport;
    const bare = report.findings.map(({ fingerprint: _fingerprint, ...finding }) => finding);
    const input = JSON.stringify({ ...report, findings: bare });
    const compared = await svc(['compare', '--baseline', '-', '--json'], input);
    expect(JSON.parse(compared.stdout)).toMatchObject({ new: [], fixed: [], unchanged: [{ id: 'F-1' }] });
  });

  test('two reports without findings have no differences', async () => {
    await scan();
    await scan();
    expect((await compare()).places).toEqual([[], [], []]);
  });
});

describe('the output for people', () => {
  test('lists new findings and fixed ones, and counts unchanged ones', async () => {
    await scan(kept, gone);
    await scan(kept, added);
    const { code, stdout } = await machine.svc(['compare']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/New {2}1\n.*src\/added\.js:3\n/);
    expect(stdout).toMatch(/Fixed {2}1\n.*src\/gone\.js:3\n/);
    expect(stdout).toMatch(/Unchanged {2}1\n/);
  });

  test('warns when the baseline was created with more tools, or no finding is in both', async () => {
    writeFiles(machine.folder, {
      'two.sarif': sarifOf([gone, kept], 'Other'),
      'apart.sarif': sarifOf([gone]),
      'now.sarif': sarifOf([kept]),
    });
    const fewer = await machine.svc(['compare', 'now.sarif', '--baseline', 'two.sarif']);
    expect(fewer.stderr).toContain('The baseline used Other, and this report did not');
    const apart = await machine.svc(['compare', 'now.sarif', '--baseline', 'apart.sarif']);
    expect(apart.stderr).toContain('The reports have no finding in common');
  });

  test('contains no text that can steer the terminal', async () => {
    const results = sarifOf([added]).replaceAll('stranger', 'stranger\\u001b[2J\\u202e');
    writeFiles(machine.folder, { 'new.sarif': results, 'old.sarif': sarifOf([]) });
    const { stdout } = await machine.svc(['compare', 'new.sarif', '--baseline', 'old.sarif']);
    expect(stdout).toContain('added.js');
    for (const sign of ['\u001B', '\u202E']) expect(stdout).not.toContain(sign);
  });
});

describe('--fail-on-new', () => {
  test.each([
    ['critical', exitCodes.done],
    ['high', exitCodes.gateFailed],
    ['medium', exitCodes.gateFailed],
    ['info', exitCodes.gateFailed],
  ])('%s ends with %i when the new finding is high', async (severity, code) => {
    writeFiles(machine.folder, { 'old.sarif': sarifOf([kept]), 'new.sarif': sarifOf([kept, added]) });
    const words = ['compare', 'new.sarif', '--baseline', 'old.sarif', '--fail-on-new', severity];
    const ended = await machine.svc([...words, '--json']);
    expect(ended.code).toBe(code);
    expect(jsonOf(ended.stdout)).toMatchObject({
      gate: { severity, passed: code === exitCodes.done },
      new: [{ place: 'src/added.js:3' }],
    });
  });

  test('does not stop at known findings, or at new ones that are set aside', async () => {
    const aside = { ...added, isSuppressed: true };
    writeFiles(machine.folder, { 'old.sarif': sarifOf([kept]), 'new.sarif': sarifOf([kept, aside]) });
    const words = ['compare', 'new.sarif', '--baseline', 'old.sarif', '--fail-on-new', 'info', '--json'];
    const ended = await machine.svc(words);
    expect(ended.code).toBe(0);
    expect(jsonOf(ended.stdout)).toMatchObject({
      new: [{ status: 'accepted_risk' }],
      gate: { passed: true },
    });
  });

  test('the failure lists the new findings', async () => {
    await scan(kept);
    await scan(kept, added);
    const ended = await machine.svc(['compare', '--fail-on-new', 'low']);
    expect(ended.code).toBe(exitCodes.gateFailed);
    expect(ended.stderr).toContain('1 new finding is of severity low or worse: 1 high.');
    expect(ended.stderr).toMatch(/F-2 {2}high .*src\/added\.js:3/);
    expect(ended.stderr).not.toContain('kept.js');
    const json = await machine.svc(['compare', '--fail-on-new', 'low', '--json']);
    expect(jsonOf(json.stderr)).toMatchObject({ error: { reason: 'gateFailed' } });
  });
});

describe('a missing baseline', () => {
  test('is a failure that names the option, whether a file or a report is missing', async () => {
    await scan(added);
    for (const name of ['main.json', 'r0000000']) {
      const ended = await machine.svc(['compare', '--baseline', name, '--fail-on-new', 'low']);
      expect.soft(ended.code, name).toBe(exitCodes.failed);
      expect.soft(ended.stderr).toContain(name);
      expect.soft(ended.stderr, name).toContain('--allow-missing-baseline');
    }
  });

  test('with --allow-missing-baseline nothing is compared, and no gate stops', async () => {
    await scan(added);
    for (const words of [['--baseline', 'main.json'], []]) {
      const all = ['compare', ...words, '--allow-missing-baseline', '--fail-on-new', 'low'];
      const ended = await machine.svc([...all, '--json']);
      expect(ended.code).toBe(0);
      expect(jsonOf(ended.stdout)).toMatchObject({ baseline: null, new: [], gate: { passed: true } });
      expect((await machine.svc(all)).stderr).toContain('no baseline yet');
    }
  });

  test('--allow-missing-baseline does not excuse a damaged baseline', async () => {
    await scan(added);
    writeFileSync(inFolder('main.json'), '{"schemaVersion":');
    const ended = await machine.svc(['compare', '--baseline', 'main.json', '--allow-missing-baseline']);
    expect(ended.code).toBe(exitCodes.rejected);
  });

  test('--allow-missing-baseline does not excuse a broken link, a loop, an impossible name or a path through a file', async () => {
    await scan(added);
    symlinkSync(inFolder('nowhere.json'), inFolder('link.json'));
    symlinkSync(inFolder('nowhere'), inFolder('folder'));
    symlinkSync(inFolder('loop.json'), inFolder('loop.json'));
    const tooLong = `${'x'.repeat(300)}.json`;
    for (const name of ['link.json', 'folder/main.json', 'loop.json', tooLong, 'linter.sarif/main.json']) {
      const words = ['--baseline', name, '--allow-missing-baseline', '--fail-on-new', 'low'];
      const ended = await machine.svc(['compare', ...words]);
      expect.soft(ended.code, name).not.toBe(0);
      expect.soft(ended.stderr, name).not.toContain('no baseline yet');
    }
  });

  test('--allow-missing-baseline excuses a missing folder', async () => {
    await scan(added);
    const words = ['--baseline', 'none/at/all.json', '--allow-missing-baseline'];
    expect(await machine.svc(['compare', ...words])).toMatchObject({ code: 0 });
  });

  test('is a failure for the first report too', async () => {
    await scan(added);
    const ended = await machine.svc(['compare']);
    expect(ended.code).toBe(exitCodes.failed);
    expect(ended.stderr).toContain('no earlier finished report');
  });
});

describe('an invalid comparison', () => {
  test('a damaged file, or one of another kind, is rejected with exit code 2', async () => {
    await scan(added);
    for (const [content, words] of [
      ['hello', 'is not JSON'],
      ['', 'is empty'],
      ['{"a":1}', '/a: is not a known field'],
      ['[]', 'must be object'],
      ['{"version":"1.0.0","runs":[]}', '2.1.0'],
      ['{"projectedFor":{"principalType":"user"}}', '/id'],
    ] as const) {
      writeFileSync(inFolder('bad.json'), content);
      for (const given of [
        ['--baseline', 'bad.json'],
        ['bad.json', '--baseline', 'linter.sarif'],
      ]) {
        const ended = await machine.svc(['compare', ...given]);
        expect.soft(ended, content).toMatchObject({ code: exitCodes.rejected, stdout: '' });
        expect.soft(ended.stderr, content).toContain('bad.json');
        expect.soft(ended.stderr, content).toContain(words);
      }
    }
  });

  test('[D9] a projection from a share link is rejected, with what to give instead', async () => {
    await scan(added);
    const whole = projectionOf(await canonical());
    const { findings: _findings, ...withoutFindings } = whole;
    const shared: ReportProjection[] = [
      { ...whole, projectedFor: { principalType: 'anonymous' } },
      { ...whole, redactionNotice: 'Parts were left out.' },
      withoutFindings,
    ];
    for (const projection of shared) {
      writeFileSync(inFolder('shared.json'), JSON.stringify(projection));
      const ended = await machine.svc(['compare', '--baseline', 'shared.json']);
      expect(ended.code).toBe(exitCodes.rejected);
      expect(ended.stderr).toContain('svc export --format json');
    }
  });

  test('each wrong argument ends with the exit code for its kind of mistake', async () => {
    await scan(added);
    for (const [words, code, said] of [
      [['report.json'], exitCodes.failed, 'no file and no local report'],
      [['linter.sarif'], exitCodes.usage, '--baseline FILE'],
      [['-', '--baseline', '-'], exitCodes.usage, 'only once'],
      [['--baseline', '.'], exitCodes.failed, 'it is a folder'],
      [['--fail-on-new', 'severe'], exitCodes.usage, 'severe'],
    ] as const) {
      const ended = await machine.svc(['compare', ...words]);
      expect.soft(ended.code, words.join(' ')).toBe(code);
      expect.soft(ended.stderr, words.join(' ')).toContain(said);
    }
  });

  test('a report whose scan is running is rejected', async () => {
    await machine.svc(['scan', 'start', '--no-sync']);
    const [report] = (
      jsonOf((await machine.svc(['report', 'list', '--json'])).stdout) as {
        reports: { localReportId: string }[];
      }
    ).reports;
    const ended = await machine.svc(['compare', report?.localReportId ?? '']);
    expect(ended.code).toBe(exitCodes.failed);
    expect(ended.stderr).toContain('svc scan finish');
  });
});
