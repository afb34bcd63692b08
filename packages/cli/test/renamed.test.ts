/** Findings of files that were renamed, moved and edited between two scans of a repository. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { git, initRepository, writeFiles } from './repository.ts';
import { createMachine, jsonOf, type Machine } from './svc.ts';

let machine: Machine;
beforeEach(async () => {
  machine = await createMachine();
  initRepository(machine.folder);
  return () => machine[Symbol.asyncDispose]();
});

const RULES = ['no-eval', 'no-exec'];

/** A file with this many flagged lines, alternately of both rules, each after a unique line. */
function source(name: string, count: number): string {
  const lines = Array.from({ length: count }, (_, index) => [
    `step${index}(${name});`,
    index % 2 === 0 ? `eval(input);` : `exec(input);`,
  ]);
  return `${lines.flat().join('\n')}\n`;
}

/** The log of a scanner of these files that writes neither fingerprints nor snippets. */
function logOf(files: readonly string[]): string {
  const results = files.flatMap((file) =>
    readFileSync(path.join(machine.folder, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const rule = RULES.find((name) => line.includes(name.slice(3)));
        if (rule === undefined) return [];
        const region = { startLine: index + 1 };
        const location = { physicalLocation: { artifactLocation: { uri: file }, region } };
        return [{ ruleId: rule, level: 'error', message: { text: `A ${rule}.` }, locations: [location] }];
      }),
  );
  return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Linter' } }, results }] });
}

async function scanned(...files: readonly string[]): Promise<void> {
  await scannedWith(logOf(files));
}

/** @param log undefined for a scan without a log */
async function scannedWith(log: string | undefined): Promise<void> {
  git(machine.folder, 'add', '--all');
  git(machine.folder, 'commit', '--quiet', '--allow-empty', '--message', 'a');
  const file = path.join(machine.home, 'linter.sarif');
  writeFileSync(file, log ?? '');
  const given = log === undefined ? [] : ['--sarif', file];
  const ended = await machine.svc(['scan', '--only', 'secrets', ...given, '--no-sync', '--json']);
  expect(ended).toMatchObject({ code: 0 });
}

const failed = JSON.stringify({
  version: '2.1.0',
  runs: [
    { tool: { driver: { name: 'Linter' } }, results: [], invocations: [{ executionSuccessful: false }] },
  ],
});

interface Compared {
  readonly new: readonly unknown[];
  readonly fixed: readonly unknown[];
  readonly unknown: readonly unknown[];
  readonly unchanged: readonly unknown[];
}

async function counts() {
  const ended = await machine.svc(['compare', '--json']);
  const { new: added, fixed, unknown, unchanged } = jsonOf(ended.stdout) as Compared;
  return { new: added.length, fixed: fixed.length, unknown: unknown.length, unchanged: unchanged.length };
}

async function statuses(): Promise<string[]> {
  const ended = await machine.svc(['finding', 'list', '--json']);
  const { findings } = jsonOf(ended.stdout) as { findings: { status?: string }[] };
  return findings.map(({ status = 'open' }) => status);
}

async function dates(): Promise<(string | undefined)[]> {
  const ended = await machine.svc(['finding', 'list', '--json']);
  const { findings } = jsonOf(ended.stdout) as { findings: { firstSeenAt?: string }[] };
  return findings.map(({ firstSeenAt }) => firstSeenAt);
}

describe('[D26] findings keep their identity', () => {
  test('when their folder is renamed: all 42, with the decisions about them', async () => {
    writeFiles(machine.folder, { 'old/a.js': source('a', 20), 'old/b.js': source('b', 22) });
    await scanned('old/a.js', 'old/b.js');
    await machine.svc(['finding', 'status', 'F-1', 'accepted_risk']);
    renameSync(path.join(machine.folder, 'old'), path.join(machine.folder, 'new'));
    await scanned('new/a.js', 'new/b.js');
    expect(await counts()).toEqual({ new: 0, fixed: 0, unknown: 0, unchanged: 42 });
    expect((await statuses()).filter((status) => status === 'accepted_risk')).toHaveLength(1);
  });

  test('when a file is renamed and edited at the same time, and lines are added above', async () => {
    writeFiles(machine.folder, { 'a.js': source('a', 30) });
    await scanned('a.js');
    const text = readFileSync(path.join(machine.folder, 'a.js'), 'utf8');
    renameSync(path.join(machine.folder, 'a.js'), path.join(machine.folder, 'b.js'));
    writeFileSync(path.join(machine.folder, 'b.js'), `import x;\n\n${text.replace('step4(a);', 'step(4);')}`);
    await scanned('b.js');
    expect(await counts()).toEqual({ new: 0, fixed: 0, unknown: 0, unchanged: 30 });
  });

  test('and are not confused with a fixed finding or a new one', async () => {
    writeFiles(machine.folder, { 'a.js': source('a', 10) });
    await scanned('a.js');
    const lines = source('a', 10).split('\n');
    lines.splice(7, 1, 'safe(input);');
    lines.splice(14, 0, 'other();', 'eval(other);');
    writeFileSync(path.join(machine.folder, 'a.js'), lines.join('\n'));
    await scanned('a.js');
    expect(await counts()).toEqual({ new: 1, fixed: 1, unknown: 0, unchanged: 9 });
  });

  test.each([
    ['failed', failed],
    ['did not run', undefined],
  ])('when their scanner %s in between, with the decisions about them', async (_, log) => {
    writeFiles(machine.folder, { 'a.js': source('a', 10) });
    await scanned('a.js');
    const [first] = await dates();
    await machine.svc(['finding', 'status', 'F-1', 'accepted_risk']);
    await scannedWith(log);
    expect(await counts()).toEqual({ new: 0, fixed: 0, unknown: 10, unchanged: 0 });
    renameSync(path.join(machine.folder, 'a.js'), path.join(machine.folder, 'b.js'));
    await scannedWith(log);
    await scanned('b.js');
    expect((await statuses()).filter((status) => status === 'accepted_risk')).toHaveLength(1);
    expect(new Set(await dates())).toEqual(new Set([first]));
  });

  test('but not when a scan in between did not find them', async () => {
    writeFiles(machine.folder, { 'a.js': source('a', 3) });
    await scanned('a.js');
    await machine.svc(['finding', 'status', 'F-1', 'accepted_risk']);
    await scanned();
    await scanned('a.js');
    expect(await statuses()).toEqual(['open', 'open', 'open']);
  });

  test('but a gone one is unknown if git does not have the earlier commit', async () => {
    writeFiles(machine.folder, { 'a.js': source('a', 3) });
    await scanned('a.js');
    const saved = await machine.svc(['report', 'show', '--json']);
    const report = jsonOf(saved.stdout) as { scan: object };
    const before = { ...report, scan: { ...report.scan, commit: 'f'.repeat(40) } };
    writeFileSync(path.join(machine.home, 'before.json'), JSON.stringify(before));
    writeFiles(machine.folder, { 'a.js': source('a', 2) });
    await scanned('a.js');
    const ended = await machine.svc([
      'compare',
      '--baseline',
      path.join(machine.home, 'before.json'),
      '--json',
    ]);
    const { fixed, unknown } = jsonOf(ended.stdout) as Compared;
    expect([fixed.length, unknown.length]).toEqual([0, 1]);
  });
});
