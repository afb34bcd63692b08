import { Finding } from '@svc/contract';
import { addFindings, noFindings, secretKindNames, secretPaths } from '@svc/report';
import { secretSamples } from '@svc/report/secret-samples';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import * as fs from 'node:fs';
import path from 'node:path';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import {
  folderWith,
  git,
  initRepository,
  repositoryWith,
  temporaryFolder,
  writeFiles,
} from '../../test/repository.ts';
import { scan } from '../../test/scan.ts';
import { FILE_BYTES_MAX } from './secret-check.ts';
import { secretFindings } from './secret-findings.ts';
import { secretKinds } from './secret-kinds.ts';

const validator = Compile(Finding);
const key = new Uint8Array(32).fill(7);
const sampleOf = (kind: string) => secretSamples.find((sample) => sample.kind === kind)?.text ?? '';
const token = sampleOf('github-token');
const otherToken = secretSamples.filter(({ kind }) => kind === 'github-token')[1]?.text ?? '';
const only = ['secrets'];

async function filesFoundIn(root: string, options: Parameters<typeof scan>[1] = {}) {
  const { result } = await scan(root, { only, ...options });
  return result.findings.map(({ affected }) => affected.file);
}

function writeAtBytes(root: string, name: Buffer, content: string): void {
  const at = Buffer.concat([Buffer.from(`${root}/`), name]);
  fs.mkdirSync(at.subarray(0, at.lastIndexOf('/')), { recursive: true });
  fs.writeFileSync(at, content);
}

/** Whether a secret is found by the library whose formats the search uses. */
async function isFoundByLibrary(text: string, fileName: string): Promise<boolean> {
  const { messages } = await lintSource({
    source: {
      content: text,
      filePath: `/nowhere/${fileName}`,
      ext: path.extname(fileName),
      contentType: 'text',
    },
    options: {
      config: {
        rules: [
          {
            id: '@secretlint/secretlint-rule-preset-recommend',
            rule: creator,
            rules: [{ id: '@secretlint/secretlint-rule-aws', options: { enableIDScanRule: true } }],
          },
        ],
      },
      noPhysicFilePath: true,
    },
  });
  return messages.length > 0;
}

describe('the findings of the search', () => {
  const named = secretSamples.map((sample, index) => ({
    ...sample,
    file: `src/${index}/${sample.fileName ?? 'settings.txt'}`,
  }));
  const files = Object.fromEntries(named.map(({ file, text }) => [file, `first line\n${text}\n`]));

  test('[D24] include every sample that the library finds, and no value is anywhere in the result', async () => {
    const { result, events } = await scan(repositoryWith(files), { only });
    const found = new Set(result.findings.map(({ affected }) => affected.file));
    const known = await Promise.all(
      named.map(async ({ file, text, fileName = 'settings.txt' }) =>
        (await isFoundByLibrary(`first line\n${text}\n`, fileName)) ? [file] : [],
      ),
    );
    expect(known.flat().length).toBeGreaterThan(90);
    expect(known.flat().filter((file) => !found.has(file))).toEqual([]);
    expect(named.filter(({ file }) => !found.has(file)).map(({ name }) => name)).toEqual([]);
    const everything = JSON.stringify({ result, events });
    const kept = named.filter(({ secret }) => everything.includes(JSON.stringify(secret).slice(1, -1)));
    expect(kept.map(({ name }) => name)).toEqual([]);
    expect(secretPaths(result)).toEqual([]);
    expect(result.findings.filter((finding) => !validator.Check({ id: 'F-1', ...finding }))).toEqual([]);
    expect(
      result.findings.filter(({ evidence }) => evidence.some(({ snippet }) => snippet !== undefined)),
    ).toEqual([]);
  });

  test('[D24] describe every kind that the search can report, and no other', () => {
    expect([...secretKinds.keys()].toSorted()).toEqual([...secretKindNames].toSorted());
  });

  test('with a distinct format have strong evidence, and examples need review and are less severe', () => {
    const text = sampleOf('private-key');
    const [found] = secretFindings('deploy/key.pem', text, key);
    expect(found).toMatchObject({
      severity: 'critical',
      verification: 'strong_evidence',
      taxonomy: ['CWE-798', 'OWASP A07:2021'],
    });
    const [example] = secretFindings('test/fixtures/key.pem', text, key);
    expect(example).toMatchObject({ severity: 'high', verification: 'needs_review' });
  });

  test('a secret is identified by an HMAC that only the same key gives', () => {
    const hmac = (file: string, secretKey: Uint8Array) =>
      secretFindings(file, token, secretKey)[0]?.secretReferences?.[0]?.fingerprint;
    expect(hmac('a.env', key)).toMatch(/^[0-9a-f]{64}$/);
    expect(hmac('b.env', key)).toBe(hmac('a.env', key));
    expect(hmac('a.env', new Uint8Array(32))).not.toBe(hmac('a.env', key));
  });

  test('a path that contains a secret is shown without it', () => {
    const findings = secretFindings(`logs/${token}/a.txt`, otherToken, key);
    expect(findings).toHaveLength(1);
    expect(JSON.stringify(findings)).not.toContain(token);
  });

  test('paths beyond the limit of a report are cut', () => {
    const [finding] = secretFindings(`${'folder/'.repeat(300)}a.txt`, token, key);
    expect(validator.Check({ id: 'F-1', ...finding })).toBe(true);
  });
});

describe('[D12] identity', () => {
  const fingerprints = (text: string, secretKey = key) =>
    secretFindings('src/settings.py', text, secretKey).map(({ fingerprint }) => fingerprint);

  test('moved lines and another machine’s key change nothing', () => {
    const text = `TOKEN = "${token}"\nOTHER = "${otherToken}"\n`;
    expect(fingerprints(`# more\n\n${text}`)).toEqual(fingerprints(text));
    expect(fingerprints(text, new Uint8Array(32))).toEqual(fingerprints(text));
  });

  test('a replaced secret at the same location is the same finding, and the same secret elsewhere is another finding', () => {
    expect(fingerprints(`TOKEN = "${otherToken}"`)).toEqual(fingerprints(`TOKEN = "${token}"`));
    expect(fingerprints(`SPARE = "${token}"`)).not.toEqual(fingerprints(`TOKEN = "${token}"`));
  });

  test('one secret at two locations of a file is one finding with two references', () => {
    const [finding, ...more] = secretFindings('a.py', `A = "${token}"\n\nB = "${token}"\n`, key);
    expect(more).toEqual([]);
    expect(finding?.secretReferences?.map(({ location }) => location)).toEqual(['a.py:1', 'a.py:3']);
    expect(finding?.evidence.map(({ location }) => location)).toEqual(['a.py:1', 'a.py:3']);
    expect(finding?.affected).toMatchObject({ lineStart: 1, lineEnd: 1 });
  });

  test('two secrets on equal lines, and two on one line, are two findings', () => {
    expect(new Set(fingerprints(`- ${token}\n- ${otherToken}\n`)).size).toBe(2);
    expect(new Set(fingerprints(`${token} ${otherToken}`)).size).toBe(2);
  });

  test('a repeated scan finds nothing new', async () => {
    const root = repositoryWith({ 'a.env': `A=${token}\nB=${otherToken}\n` });
    const at = '2026-01-02T03:04:05.000Z';
    const once = addFindings(noFindings, (await scan(root, { only })).result.findings, at).set;
    expect(addFindings(once, (await scan(root, { only })).result.findings, at).set).toEqual(once);
  });
});

describe('which files are searched', () => {
  test('tracked and new files are searched in the same order, and none that git ignores', async () => {
    const root = repositoryWith({ '.gitignore': '.env\n', 'a.txt': token, 'b.txt': token, '.env': token });
    expect(await filesFoundIn(root)).toEqual(['a.txt', 'b.txt']);
    git(root, 'add', 'a.txt');
    expect(await filesFoundIn(root)).toEqual(['a.txt', 'b.txt']);
  });

  test('without git all files are searched that no .gitignore excludes, where the deepest .gitignore decides', async () => {
    const root = folderWith({
      '.gitignore': '*.log\nbuild/\n',
      'a.txt': token,
      'a.log': token,
      'build/a.txt': token,
      'deep/.gitignore': '!kept.log\n*.tmp\n',
      'deep/kept.log': token,
      'deep/a.tmp': token,
      'node_modules/a/index.js': token,
    });
    expect(await filesFoundIn(root)).toEqual(['a.txt', 'deep/kept.log']);
    const environment = { PATH: '/nowhere' };
    initRepository(root);
    expect(await filesFoundIn(root, { environment })).toEqual(['a.txt', 'deep/kept.log']);
  });

  test('a part of a repository is searched, and so is a folder that the repository around it ignores', async () => {
    const root = repositoryWith({
      '.gitignore': 'out\n',
      'a.txt': token,
      'sub/b.txt': token,
      'out/c.txt': token,
    });
    expect(await filesFoundIn(path.join(root, 'sub'))).toEqual(['b.txt']);
    expect(await filesFoundIn(path.join(root, 'out'))).toEqual(['c.txt']);
  });

  test('no link is followed, not even a folder that became a link', async () => {
    const outside = folderWith({ 'secret.txt': token });
    const root = repositoryWith({ 'folder/secret.txt': 'nothing', 'a.txt': 'nothing' });
    git(root, 'add', '.');
    fs.rmSync(path.join(root, 'folder'), { recursive: true });
    fs.symlinkSync(outside, path.join(root, 'folder'));
    fs.symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'link.txt'));
    const { result } = await scan(root, { only });
    expect(result.findings).toEqual([]);
    expect(result.inventory).toMatchObject({ fileCount: 1, links: 2 });
    fs.rmSync(path.join(root, '.git'), { recursive: true });
    expect(await filesFoundIn(root)).toEqual([]);
  });

  describe.each([
    ['that git knows', (root: string) => initRepository(root)],
    ['all of which git tracks', (root: string) => (initRepository(root), git(root, 'add', '.'))],
    ['without git', () => undefined],
  ])('in a folder %s', (_, prepare) => {
    test('files are searched although their name, or that of their folder, is not valid text', async () => {
      const root = folderWith({ 'a.txt': 'nothing', '.gitignore': 'out\n' });
      for (const name of ['bad\xff.py', 'bad\xfe.py', 'caf\xe9/x.py', 'caf\xe9/out/y.py'])
        writeAtBytes(root, Buffer.from(name, 'latin1'), token);
      prepare(root);
      const { result } = await scan(root, { only });
      expect(result.findings.map(({ affected }) => affected.file)).toEqual([
        'bad\ufffd.py',
        'bad\ufffd.py',
        'caf\ufffd/x.py',
      ]);
      expect(result.limitations).toEqual([]);
      expect(result.coverageAreas[0]).toMatchObject({ id: 'secrets', status: 'covered' });
      const { set } = addFindings(noFindings, result.findings, '2026-01-02T03:04:05.000Z');
      expect(set.findings.filter((finding) => !validator.Check(finding))).toEqual([]);
    });
  });

  test('a file that git lists but that was deleted does not count as left out', async () => {
    const root = repositoryWith({ 'a.txt': 'a', 'b.txt': token, 'c/d.txt': token });
    git(root, 'add', '.');
    fs.rmSync(path.join(root, 'b.txt'));
    fs.rmSync(path.join(root, 'c'), { recursive: true });
    fs.writeFileSync(path.join(root, 'c'), 'a file by now');
    const { result } = await scan(root, { only });
    expect(result).toMatchObject({ findings: [], limitations: [] });
    expect(result.coverage).toEqual(['The built-in secret search covered 2 of 2 files.']);
  });

  test('an unreadable file is counted, and the search is then incomplete', async () => {
    const root = repositoryWith({ 'a.txt': 'a', 'b/c.txt': token });
    git(root, 'add', '.');
    fs.rmSync(path.join(root, 'b'), { recursive: true });
    fs.symlinkSync('b', path.join(root, 'b'));
    const { result } = await scan(root, { only });
    expect(result.limitations).toEqual(['1 file not searched for secrets: not readable.']);
    expect(result.coverage).toEqual(['The built-in secret search covered 1 of 2 files.']);
    expect(result.coverageAreas[0]).toMatchObject({ id: 'secrets', status: 'partial' });
  });

  test('files that are binary, larger than 1 MiB or in installed packages are not searched, but counted', async () => {
    const filler = 'x'.repeat(FILE_BYTES_MAX - token.length);
    const root = repositoryWith({
      'binary.bin': Buffer.concat([Buffer.from([0, 1, 2, 0, 0xff]), Buffer.from(token)]),
      'exact.txt': `${' '.repeat(FILE_BYTES_MAX - token.length)}${token}`,
      'large.txt': `${filler} ${token}`,
      'node_modules/a/index.js': token,
      'wide.txt': Buffer.from(`\ufeff${token}`, 'utf16le'),
    });
    const { result } = await scan(root, { only });
    expect(result.findings.map(({ affected }) => affected.file)).toEqual(['exact.txt', 'wide.txt']);
    expect(result.limitations).toEqual([
      '1 file not searched for secrets: larger than 1 MiB.',
      '1 file not searched for secrets: in folders of installed packages.',
    ]);
    expect(result.coverage).toEqual(['The built-in secret search covered 2 of 5 files.']);
  });

  test('submodules are listed as not scanned', async () => {
    const root = repositoryWith({ 'a.txt': 'a' });
    const inner = repositoryWith({ 'b.txt': token });
    git(inner, 'add', '.');
    git(inner, 'commit', '--quiet', '--message', 'b');
    fs.cpSync(inner, path.join(root, 'inner'), { recursive: true });
    git(root, '-c', 'advice.addEmbeddedRepo=false', 'add', '.');
    const { result } = await scan(root, { only });
    expect(result.limitations).toEqual(['1 submodule not scanned: scan each as a repository.']);
  });

  test('nothing in the repository’s own git configuration is run', async () => {
    const root = repositoryWith({ 'a.txt': token });
    const canary = path.join(temporaryFolder(), 'canary');
    writeFiles(root, { 'monitor.sh': `#!/bin/sh\ntouch ${canary}\n` });
    fs.chmodSync(path.join(root, 'monitor.sh'), 0o755);
    git(root, 'config', 'core.fsmonitor', path.join(root, 'monitor.sh'));
    expect(await filesFoundIn(root)).toContain('a.txt');
    expect(fs.existsSync(canary)).toBe(false);
  });

  test('languages are sorted by their number of files, and the progress ends with all files', async () => {
    const root = repositoryWith({ 'a.ts': '', 'b.ts': '', 'c.py': '', Dockerfile: '', 'd.unknown': '' });
    const { result, events } = await scan(root, { only });
    expect(result.inventory.languages).toEqual(['TypeScript', 'Dockerfile', 'Python']);
    expect(result.inventory.fileCount).toBe(5);
    const steps = events.filter(({ type }) => type === 'phase_progressed');
    expect(steps.map(({ done }) => done)).toEqual([1, 2, 3, 4, 5]);
    expect(steps.at(-1)).toMatchObject({ phase: 'secret_review', total: 5 });
  });
});

describe('bounds', () => {
  test('a repository of many files gives at most a hundred steps of progress', async () => {
    const files = Array.from({ length: 250 }, (_, index) => [`${index}.ts`, ''] as const);
    const { events } = await scan(folderWith(Object.fromEntries(files)), { only });
    const steps = events.filter(({ type }) => type === 'phase_progressed').map(({ done }) => done);
    expect(steps).toEqual([...Array.from({ length: 83 }, (_, index) => 3 * (index + 1)), 250]);
  });

  test('a file of many secrets gives no more findings than a report may contain', async () => {
    const lines = Array.from({ length: 12_000 }, (_, index) => {
      const body = `${index}`.padStart(36, 'aB3');
      return `ghp_${body}`;
    });
    const root = repositoryWith({ 'a.txt': lines.join('\n') });
    const { result } = await scan(root, { only });
    expect(result.findings).toHaveLength(10_000);
    expect(result.limitations).toEqual([
      'The search for secrets ended early: a report cannot contain more findings.',
    ]);
    expect(result.coverageAreas[0]).toMatchObject({ status: 'partial' });
  });
});
