import { Finding, progressPhases, progressTypes, safeCodes } from '@svc/contract';
import { addFindings, importSarif, noFindings } from '@svc/report';
import * as fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { Compile } from 'typebox/compile';
import { describe, expect, test, vi } from 'vitest';
import { callsIn, fakeNames, sarif } from '../../test/fake-scanners.ts';
import { folderWith, repositoryWith, temporaryFolder, writeFiles } from '../../test/repository.ts';
import { environmentWith, scan, toolsFolder } from '../../test/scan.ts';
import { scannerNames } from './index.ts';

const project = {
  'src/app.py': 'import os\n\nos.system(input())\n',
  'src/app.js': 'eval(location.hash)\n',
  'package-lock.json': '{}',
  'eslint.config.mjs': 'export default [];\n',
  'node_modules/@microsoft/eslint-formatter-sarif/package.json': '{}',
  '.gitignore': 'node_modules\nvenv\n',
};
const all = Object.fromEntries(fakeNames.map((name) => [name, {}]));
const validator = Compile(Finding);

describe('external scanners', () => {
  test('run in their phase, with their arguments, if they are installed', async () => {
    const root = repositoryWith(project);
    const tools = toolsFolder({ ...all, eslint: { result: sarif('eslint', 'src/app.js', 'no-eval') } });
    const { result, events } = await scan(root, { tools, trustRepository: true });
    expect(result.warnings).toEqual([]);
    expect(result.limitations).toEqual([]);
    expect(result.tools).toEqual([
      { name: 'secrets', findings: 0 },
      ...['gitleaks', 'semgrep', 'bandit', 'eslint', 'osv-scanner', 'trivy'].map((name) => ({
        name,
        version: '1.2.3',
        findings: 1,
      })),
    ]);
    expect(result.findings.filter((finding) => !validator.Check({ id: 'F-1', ...finding }))).toEqual([]);
    expect(result.coverageAreas.map(({ id, status }) => [id, status])).toEqual([
      ['secrets', 'covered'],
      ['static_analysis', 'covered'],
      ['dependencies', 'covered'],
      ...['secrets', 'gitleaks', 'semgrep', 'bandit', 'eslint', 'osv-scanner', 'trivy'].map((name) => [
        `tool:${name}`,
        'covered',
      ]),
    ]);
    expect(result.incomplete).toEqual([]);
    const ofTools = events.filter(({ type }) => type.startsWith('tool_'));
    expect(ofTools.map(({ type, phase, tool }) => `${phase} ${type} ${tool}`)).toEqual(
      [
        'secret_review secrets',
        'secret_review gitleaks',
        'static_analysis semgrep',
        'static_analysis bandit',
        'static_analysis eslint',
        'dependency_review osv-scanner',
        'dependency_review trivy',
      ].flatMap((each) => {
        const [phase, tool] = each.split(' ');
        return [`${phase} tool_started ${tool}`, `${phase} tool_completed ${tool}`];
      }),
    );
  });

  test('[D7] see no more than they need, leave no files behind, and emit events of the contract', async () => {
    const root = repositoryWith({ ...project, 'trivy.yaml': 'server: http://127.0.0.1:1\n' });
    const temporary = temporaryFolder();
    vi.stubEnv('TMPDIR', temporary);
    const tools = toolsFolder(all);
    const { events } = await scan(root, {
      tools,
      environment: {
        ...environmentWith(tools),
        SVC_DEVICE_TOKEN: 'canary',
        AWS_SECRET_ACCESS_KEY: 'canary',
        SEMGREP_APP_TOKEN: 'canary',
        NODE_OPTIONS: '--no-warnings',
        HTTPS_PROXY: 'http://proxy.example.com',
      },
    });
    vi.unstubAllEnvs();
    const calls = callsIn(tools);
    expect(calls.length).toBeGreaterThan(5);
    for (const { environment } of calls) {
      expect(JSON.stringify(environment)).not.toContain('canary');
      expect(environment).not.toHaveProperty('NODE_OPTIONS');
      expect(environment).toMatchObject({
        HTTPS_PROXY: 'http://proxy.example.com',
        GIT_CONFIG_KEY_0: 'core.fsmonitor',
      });
    }
    // Scanners run where the repository has no influence.
    expect(calls.filter(({ folder }) => !folder.startsWith(temporary))).toEqual([]);
    expect(fs.readdirSync(temporary).filter((name) => name.startsWith('svc-scan-'))).toEqual([]);

    const known: readonly (readonly string[])[] = [progressTypes, progressPhases, safeCodes];
    const foreign = events.filter(
      ({ type, phase, safeCode }) =>
        ![type, phase, safeCode ?? 'ok'].every((word, index) => known[index]?.includes(word)),
    );
    expect(foreign).toEqual([]);
    const phases = events.filter(({ type }) => type === 'phase_started').map(({ phase }) => phase);
    expect(phases).toEqual([
      'preparing',
      'inventory',
      'secret_review',
      'static_analysis',
      'dependency_review',
      'deduplication',
    ]);
    const ends = events.filter(({ type }) => type === 'phase_completed').map(({ phase }) => phase);
    expect(ends).toEqual(phases);
  });

  test('are not taken from the repository, even when the search path leads to it', async () => {
    const root = repositoryWith(project);
    const bin = path.join(root, 'node_modules/.bin');
    fs.mkdirSync(bin);
    const planted = toolsFolder({ semgrep: {} });
    for (const name of fs.readdirSync(planted))
      fs.copyFileSync(path.join(planted, name), path.join(bin, name));
    const linked = temporaryFolder();
    fs.symlinkSync(path.join(bin, 'semgrep'), path.join(linked, 'semgrep'));
    const tools = toolsFolder({ gitleaks: {} });
    const environment = { PATH: [bin, '.', linked, tools, '/usr/bin'].join(path.delimiter) };
    const { result } = await scan(root, { environment });
    expect(callsIn(bin)).toEqual([]);
    expect(callsIn(planted)).toEqual([]);
    expect(result.tools.map(({ name }) => name)).toEqual(['secrets', 'gitleaks']);
    const [call] = callsIn(tools);
    expect(call?.environment['PATH']).toBe([linked, tools, '/usr/bin'].join(path.delimiter));
  });

  test('eslint, whose configuration is code, runs for a trusted repository only', async () => {
    const root = repositoryWith(project);
    const tools = toolsFolder({ eslint: {} });
    const { result, events } = await scan(root, { tools });
    expect(callsIn(tools)).toEqual([]);
    expect(result.limitations).toContain(
      'eslint was not run: it runs code of the repository, so the repository must be trusted.',
    );
    expect(events).toContainEqual({
      type: 'warning',
      phase: 'static_analysis',
      safeCode: 'skipped',
      tool: 'eslint',
    });
  });

  test('of eslint’s results only those of its security rules are findings', async () => {
    const root = repositoryWith(project);
    const rules = ['semi', 'no-eval', 'security/detect-eval-with-expression', 'no-unused-vars'];
    const [run] = (JSON.parse(sarif('ESLint')) as { runs: { results: object[] }[] }).runs;
    const results = rules.map((ruleId) => ({ ...run?.results[0], ruleId }));
    const log = JSON.stringify({ version: '2.1.0', runs: [{ ...run, results }] });
    const { result } = await scan(root, {
      tools: toolsFolder({ eslint: { result: log } }),
      trustRepository: true,
      only: ['eslint'],
    });
    expect(result.findings).toHaveLength(2);
    expect(result.coverageAreas).toContainEqual({
      id: 'static_analysis',
      name: 'Code',
      status: 'partial',
      note: 'By eslint.',
    });
  });

  test('without its formatter eslint is not run', async () => {
    const { 'node_modules/@microsoft/eslint-formatter-sarif/package.json': _, ...bare } = project;
    const tools = toolsFolder({ eslint: {} });
    const { result } = await scan(repositoryWith(bare), { tools, trustRepository: true });
    expect(callsIn(tools)).toEqual([]);
    expect(result.limitations.join(' ')).toContain('formatter');
  });

  test('a trusted repository’s own eslint takes precedence over an installed one', async () => {
    const root = repositoryWith(project);
    const tools = toolsFolder({ eslint: {} });
    const own = toolsFolder({ eslint: {} });
    fs.cpSync(own, path.join(root, 'node_modules/.bin'), { recursive: true });
    await scan(root, { tools, trustRepository: true, only: ['eslint'] });
    expect(callsIn(tools)).toEqual([]);
    expect(callsIn(own).map(({ folder }) => folder)).toContain(root);
  });

  test('that need the network are skipped without it, and the report says so', async () => {
    const tools = toolsFolder(all);
    const { result } = await scan(repositoryWith(project), { tools, offline: true });
    expect([...new Set(callsIn(tools).map(({ name }) => name))]).toEqual(['gitleaks', 'bandit']);
    expect(result.limitations).toContain('semgrep was not run: it needs the network.');
  });

  test('are not run if they could find nothing: bandit without Python, osv-scanner without lock files', async () => {
    const tools = toolsFolder(all);
    await scan(repositoryWith({ 'a.go': 'package a\n', 'venv/lib/x.py': '' }), { tools });
    expect([...new Set(callsIn(tools).map(({ name }) => name))]).toEqual(['gitleaks', 'semgrep', 'trivy']);
  });

  test('bandit is given the paths with Python files, without ignored folders', async () => {
    const root = repositoryWith({ ...project, 'venv/lib/x.py': '', 'setup.py': '' });
    const tools = toolsFolder({ bandit: {} });
    await scan(root, { tools, only: ['bandit'] });
    const [, call] = callsIn(tools);
    expect(call?.arguments.slice(-2)).toEqual([path.join(root, 'setup.py'), path.join(root, 'src')]);
  });

  test('results in ignored files and outside the repository are left out', async () => {
    const root = repositoryWith(project);
    writeFiles(root, { 'venv/lib/x.py': '' });
    const bandit = (file: string) => ({ bandit: { result: sarif('Bandit', file) } });
    const ignored = await scan(root, { tools: toolsFolder(bandit('venv/lib/x.py')), only: ['bandit'] });
    expect(ignored.result.findings).toEqual([]);
    expect(ignored.result.tools).toEqual([{ name: 'bandit', version: '1.2.3', findings: 0 }]);
    expect(ignored.result.warnings).toEqual(['bandit: 1 result left out: in files that are ignored.']);
    const outside = await scan(root, { tools: toolsFolder(bandit('file:///etc/passwd')), only: ['bandit'] });
    expect(outside.result.findings).toEqual([]);
    const inside = await scan(root, {
      tools: toolsFolder(bandit(`file://${root}/src/app.py`)),
      only: ['bandit'],
    });
    expect(inside.result.findings.map(({ affected }) => affected.file)).toEqual(['src/app.py']);
  });
});

describe('choice', () => {
  test('scanners that are not installed are mentioned once, unless they were asked for', async () => {
    const { result, events } = await scan(repositoryWith(project));
    expect(result.limitations).toContain(
      'Not run, because not installed: gitleaks, semgrep, bandit, eslint, osv-scanner, trivy.',
    );
    expect(result.warnings).toEqual([]);
    expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
    const asked = await scan(repositoryWith(project), { only: ['secrets', 'semgrep'] });
    expect(asked.result.limitations).toContain('semgrep was not run: it is not installed.');
    expect(asked.result.warnings).toEqual(['semgrep was not run: it is not installed.']);
    expect(asked.events).toContainEqual({
      type: 'warning',
      phase: 'static_analysis',
      safeCode: 'tool_missing',
      tool: 'semgrep',
    });
  });

  test('if scanners are named, no other runs, not even the built-in search', async () => {
    const tools = toolsFolder(all);
    const { result } = await scan(repositoryWith(project), { tools, only: ['trivy'] });
    expect(result.tools.map(({ name }) => name)).toEqual(['trivy']);
    expect(callsIn(tools).map(({ name }) => name)).toEqual(['trivy', 'trivy']);
  });

  test('an unknown name is rejected with the known ones', async () => {
    await expect(scan(repositoryWith(project), { only: ['nmap'] })).rejects.toMatchObject({
      reason: 'usage',
      hint: `Choose from ${scannerNames.join(', ')}. Put the path to scan before --only.`,
    });
  });

  test('a missing folder is rejected', async () => {
    await expect(scan('/nowhere/at/all')).rejects.toMatchObject({ reason: 'rejected' });
  });
});

describe('finished results', () => {
  test('are imported from files and standard input, relative to the repository', async () => {
    const root = folderWith({ 'a.py': '', 'one.sarif': sarif('One', 'a.py') });
    const standardInput = Readable.from([Buffer.from(sarif('Two', `file://${root}/a.py`))]);
    const { result } = await scan(root, { sarifFiles: ['one.sarif', '-'], standardInput });
    expect(result.tools.map(({ name }) => name)).toEqual(['secrets', 'One', 'Two']);
    expect(result.findings.map(({ affected }) => affected.file)).toEqual(['a.py', 'a.py']);
    expect(result.coverage).toContain('Results of One were imported from one.sarif.');
  });

  test.each([
    ['there is none', 'missing.sarif', 'missing.sarif cannot be read: the file does not exist.'],
    ['it is a folder', 'folder', 'folder cannot be read'],
    ['it is empty', 'empty.sarif', 'empty.sarif cannot be imported.'],
    ['it is not SARIF', 'other.json', 'other.json cannot be imported.'],
    ['it is larger than 512 MiB', 'large.sarif', 'large.sarif cannot be imported.'],
  ])('a file is rejected by name, before anything runs: %s', async (_, name, message) => {
    const root = folderWith({ 'empty.sarif': '', 'other.json': '{}', 'folder/a': '', 'large.sarif': '' });
    fs.truncateSync(path.join(root, 'large.sarif'), 512 * 1024 * 1024 + 1);
    const tools = toolsFolder(all);
    const rejected = scan(root, { tools, sarifFiles: [name] });
    await expect(rejected).rejects.toMatchObject({ reason: 'rejected' });
    await expect(rejected).rejects.toThrow(message);
    await expect(rejected).rejects.toHaveProperty('hint');
    expect(callsIn(tools)).toEqual([]);
  });

  test('[D12] the same log twice gives duplicates, which merge; another tool’s equal finding stays', async () => {
    const root = folderWith({
      'a.py': '',
      'one.sarif': sarif('One', 'a.py', 'rule-of-one'),
      'two.sarif': sarif('Two', 'a.py', 'rule-of-two'),
    });
    const { result } = await scan(root, { sarifFiles: ['one.sarif', 'one.sarif', 'two.sarif'] });
    expect(result.findings).toHaveLength(3);
    const { set, outcomes } = addFindings(noFindings, result.findings, '2026-01-02T03:04:05.000Z');
    expect(outcomes.map(({ action }) => action)).toEqual(['created', 'merged', 'created']);
    expect(set.findings).toHaveLength(2);
  });

  test('beyond the limit of a report, the least severe come last', async () => {
    const log = (level: string) => {
      const many = JSON.parse(sarif('Many', 'a.py')) as { runs: { results: object[] }[] };
      const [result] = many.runs[0]?.results ?? [];
      const results = Array.from({ length: 5100 }, (_, index) => ({
        ...result,
        level,
        ruleId: `${level}-${index}`,
      }));
      return JSON.stringify({ ...many, runs: [{ ...many.runs[0], results }] });
    };
    const root = folderWith({ 'a.py': '', 'low.sarif': log('note'), 'high.sarif': log('error') });
    const { result } = await scan(root, { sarifFiles: ['low.sarif', 'high.sarif'] });
    const { set } = addFindings(noFindings, result.findings, '2026-01-02T03:04:05.000Z');
    expect(set.findings).toHaveLength(10_000);
    expect(set.findings.filter(({ severity }) => severity === 'high')).toHaveLength(5100);
  });

  const folder =
    process.env['SVC_REAL_REPORTS'] ?? path.join(import.meta.dirname, '../../../../../shared/real-reports');
  const logs = [
    ['bandit', 'secobserve-bandit.sarif'],
    ['eslint', 'eslint-security-npm-11.sarif'],
    ['gitleaks', 'defectdojo-gitleaks_7.5.0.sarif'],
    ['semgrep', 'secobserve-semgrep.sarif'],
    ['trivy', 'secobserve-trivy_config.sarif'],
  ] as const;
  test.skipIf(!fs.existsSync(folder)).each(logs)(
    'a real log of %s is imported from a scanner as from a file',
    async (name, log) => {
      const root = repositoryWith(project);
      const text = fs.readFileSync(path.join(folder, log), 'utf8').replaceAll('/home/dev/npm', root);
      const tools = toolsFolder({ [name]: { result: text } });
      const { result } = await scan(root, { tools, only: [name], trustRepository: true });
      const { findings } = importSarif(text, { roots: [root] });
      const relative = findings.filter(({ affected }) => !/^(?:\/|[a-z]:)/i.test(affected.file ?? ''));
      expect(result.findings.length).toBeGreaterThan(0);
      expect(result.findings.map(({ fingerprint }) => fingerprint)).toEqual(
        relative.map(({ fingerprint }) => fingerprint),
      );
    },
  );
});
