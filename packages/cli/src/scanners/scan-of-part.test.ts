/** Scanners that are run on one folder or file of a repository: their arguments, and which of their results count. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { callsIn, fakeNames, sarif, type FakeName } from '../../test/fake-scanners.ts';
import { repositoryWith } from '../../test/repository.ts';
import { scan, toolsFolder } from '../../test/scan.ts';

const project = {
  'api/src/app.py': 'import os\n',
  'api/src/app.js': 'eval(location.hash)\n',
  'api/package-lock.json': '{}',
  'web/app.py': 'import os\n',
  'web/package-lock.json': '{}',
  'eslint.config.mjs': 'export default [];\n',
  '.semgrep.yml': 'rules: []\n',
  '.trivyignore': '',
  'node_modules/@microsoft/eslint-formatter-sarif/package.json': '{}',
  '.gitignore': 'node_modules\nbuild\n',
  'build/made.py': 'import os\n',
};

/** A log as trivy writes it: with paths relative to the scanned folder. */
function sarifBelow(base: string, file: string): string {
  const log = JSON.parse(sarif('trivy', file)) as { runs: Record<string, unknown>[] };
  const location = { uri: file, uriBaseId: 'ROOTPATH' };
  const [run] = log.runs as [{ results: { locations: object[] }[] } & Record<string, unknown>];
  run['originalUriBaseIds'] = { ROOTPATH: { uri: `file://${base}/` } };
  run.results[0]!.locations = [
    { physicalLocation: { artifactLocation: location, region: { startLine: 3 } } },
  ];
  return JSON.stringify(log);
}

/** The last argument of each scanner that ran. */
function targetsIn(tools: string): Record<string, string | undefined> {
  const calls = callsIn(tools).filter((call) => call.arguments.length > 1);
  return Object.fromEntries(calls.map((call) => [call.name, call.arguments.at(-1)]));
}

describe('a folder', () => {
  test('is the target of each scanner, with the settings at the root, and its files keep their paths', async () => {
    const root = repositoryWith(project);
    const fakes = Object.fromEntries(
      fakeNames.map((name) => [name, { result: sarif(name, 'api/src/app.py') }]),
    ) as Record<FakeName, { result: string }>;
    fakes.trivy = { result: sarifBelow(path.join(root, 'api'), 'src/app.py') };
    fakes.eslint = { result: sarif('eslint', 'api/src/app.js', 'no-eval') };
    const tools = toolsFolder(fakes);
    const { result } = await scan(root, {
      tools,
      trustRepository: true,
      part: { path: 'api', kind: 'folder' },
    });
    expect(targetsIn(tools)).toEqual({
      gitleaks: expect.any(String),
      semgrep: path.join(root, 'api'),
      bandit: path.join(root, 'api/src'),
      eslint: './api',
      'osv-scanner': path.join(root, 'api'),
      trivy: path.join(root, 'api'),
    });
    const argumentsOf = (name: string) => callsIn(tools).findLast((call) => call.name === name)?.arguments;
    expect(argumentsOf('gitleaks')?.[1]).toBe(path.join(root, 'api'));
    expect(argumentsOf('semgrep')).toContain(path.join(root, '.semgrep.yml'));
    expect(argumentsOf('trivy')).toContain(path.join(root, '.trivyignore'));
    expect(result.warnings).toEqual([]);
    expect(result.inventory.files.map((file) => file.path)).toEqual([
      'api/package-lock.json',
      'api/src/app.js',
      'api/src/app.py',
    ]);
    expect(new Set(result.findings.map(({ affected }) => affected.file))).toEqual(
      new Set(['api/src/app.py', 'api/src/app.js']),
    );
    expect(result.findings).toHaveLength(6);
  });

  test('leaves no area and no tool covered, and results outside of the folder are left out with a note', async () => {
    const root = repositoryWith(project);
    const tools = toolsFolder({ semgrep: { result: sarif('semgrep', 'web/app.py') } });
    const { result } = await scan(root, { tools, part: { path: 'api', kind: 'folder' } });
    expect(result.findings).toEqual([]);
    expect(result.warnings).toEqual(['semgrep: 1 result left out: outside api.']);
    const sentence = 'Only api was scanned; the rest of the repository was not scanned.';
    expect(result.limitations[0]).toBe(sentence);
    expect(result.coverage[0]).toBe('Only api was scanned.');
    const statuses = Object.fromEntries(result.coverageAreas.map(({ id, status }) => [id, status]));
    expect(statuses).toEqual({
      'scanned-part': 'partial',
      secrets: 'partial',
      static_analysis: 'partial',
      dependencies: 'not_covered',
      'tool:svc': 'partial',
      'tool:secrets': 'partial',
      'tool:semgrep': 'partial',
    });
    expect(
      result.coverageAreas.every(({ note = '', status }) => status !== 'partial' || note.includes(sentence)),
    ).toBe(true);
  });

  test('is distinguished from one with a similar name, and is scanned even if git ignores it', async () => {
    const root = repositoryWith({ ...project, 'api-docs/a.md': '#\n' });
    const of = async (name: string) => {
      const { result } = await scan(root, { only: ['secrets'], part: { path: name, kind: 'folder' } });
      return result.inventory.files.map((file) => file.path);
    };
    expect(await of('api')).not.toContain('api-docs/a.md');
    expect(await of('build')).toEqual(['build/made.py']);
  });
});

test('in a scan of a single file, scanners see no more than needed, and only results in the file count', async () => {
  const root = repositoryWith(project);
  const tools = toolsFolder({
    semgrep: { result: sarif('semgrep', 'api/src/app.py') },
    bandit: { result: sarif('bandit', 'api/src/app.py') },
    trivy: { result: sarifBelow(path.join(root, 'api/src'), 'app.js') },
  });
  const { result } = await scan(root, { tools, part: { path: 'api/src/app.py', kind: 'file' } });
  expect(targetsIn(tools)).toEqual({
    semgrep: path.join(root, 'api/src/app.py'),
    bandit: path.join(root, 'api/src/app.py'),
    trivy: path.join(root, 'api/src'),
  });
  expect(result.findings.map(({ affected }) => affected.file)).toEqual(['api/src/app.py', 'api/src/app.py']);
  expect(result.warnings).toEqual(['trivy: 1 result left out: outside api/src/app.py.']);
  expect(result.inventory.fileCount).toBe(1);
});
