/** Command lines that people know from other programs, and the advice after a mistyped one. */
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { sarifOf } from './sarif-results.ts';
import { createMachine, jsonOf } from './svc.ts';

const { version } = jsonOf(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string;
};

describe('the version', () => {
  test.each([['version'], ['-v'], ['--version']])('svc %s prints it', async (word) => {
    await using machine = await createMachine();
    expect(await machine.svc([word])).toEqual({ code: 0, stdout: `svc ${version}\n`, stderr: '' });
    expect(jsonOf((await machine.svc([word, '--json'])).stdout)).toEqual({ version });
  });
});

describe('svc auth', () => {
  test.each([
    ['login', 'login'],
    ['logout', 'logout'],
    ['status', 'whoami'],
  ])('%s is another name for %s', async (word, name) => {
    await using machine = await createMachine();
    const help = await machine.svc(['auth', word, '--help']);
    expect(help).toEqual(await machine.svc([name, '--help']));
    expect(help.stdout).toContain(`svc auth ${word} [options]`);
    expect((await machine.svc(['help', 'auth', word])).stdout).toBe(help.stdout);
    const environment = { SVC_DEVICE_TOKEN: 'svc_dev_ with a space' };
    expect(await machine.svc(['auth', word], environment)).toEqual(await machine.svc([name], environment));
  });

  test('alone lists its commands, and is not in the list of all commands', async () => {
    await using machine = await createMachine();
    const group = await machine.svc(['auth']);
    expect(group).toMatchObject({ code: 0, stderr: '' });
    for (const word of ['login', 'logout', 'status']) expect(group.stdout).toContain(`auth ${word}`);
    expect((await machine.svc(['--help'])).stdout).not.toContain('auth');
  });
});

describe('lists', () => {
  const log = (tool: string) => sarifOf([{ file: 'src/a.js', level: 'error' }], tool);
  const toolsOf = ({ stdout }: { stdout: string }) =>
    (jsonOf(stdout) as { tools: { name: string }[] }).tools.map(({ name }) => name);

  test.each([
    [['--sarif', 'one.sarif,two.sarif', '--only', 'secrets,gitleaks']],
    [['--sarif=one.sarif, two.sarif', '--only=secrets,', '--only', 'gitleaks']],
    [['--sarif', 'one.sarif', 'two.sarif', '--only', 'secrets', 'gitleaks']],
  ])('%j names two logs and two scanners', async (words) => {
    await using machine = await createMachine();
    for (const name of ['one', 'two']) await writeFile(path.join(machine.folder, `${name}.sarif`), log(name));
    const ended = await machine.svc(['scan', ...words, '--no-sync', '--json']);
    expect(ended.code).toBe(0);
    expect(toolsOf(ended)).toEqual(['secrets', 'one', 'two']);
    expect(ended.stdout).toContain('gitleaks was not run: it is not installed.');
  });

  test('a file with commas in its name is one file', async () => {
    await using machine = await createMachine();
    await writeFile(path.join(machine.folder, 'one.sarif,two.sarif'), log('both'));
    const words = ['scan', '--only', 'secrets', '--no-sync', '--json', '--sarif'];
    expect(toolsOf(await machine.svc([...words, 'one.sarif,two.sarif']))).toEqual(['secrets', 'both']);
    const missing = await machine.svc([...words, 'one.sarif,three.sarif']);
    expect(missing).toMatchObject({ code: exitCodes.rejected });
    expect(missing.stdout).toContain('one.sarif cannot be read');
    const long = await machine.svc([...words, `${'x'.repeat(200)},`.repeat(40)]);
    expect(long).toMatchObject({ code: exitCodes.rejected });
  });

  test('an empty list is a usage error', async () => {
    await using machine = await createMachine();
    const ended = await machine.svc(['scan', '--only', ',', '--no-sync']);
    expect(ended).toMatchObject({ code: exitCodes.usage, stdout: '' });
    expect(ended.stderr).toContain('`--only <scanners...>` has no value');
  });
});

test('-o names the output file of a command', async () => {
  await using machine = await createMachine();
  await machine.svc(['scan', '--only', 'secrets', '--no-sync']);
  expect(await machine.svc(['export', '-o', 'report.md'])).toMatchObject({ code: 0 });
  expect(await readFile(path.join(machine.folder, 'report.md'), 'utf8')).toContain('#');
  expect(await machine.svc(['manifest', 'keygen', '-o', 'release.key'])).toMatchObject({ code: 0 });
  expect(await readFile(path.join(machine.folder, 'release.key'), 'utf8')).toContain('PRIVATE KEY');
});

describe('a suggestion', () => {
  test.each([
    [['lgoin'], 'Did you mean login?'],
    [['lgoin', '--help'], 'Did you mean login?'],
    [['help', 'exprot'], 'Did you mean export?'],
    [['finding', 'lst'], 'Did you mean list?'],
    [['auth', 'logn'], 'Did you mean login?'],
    [['complete'], 'Did you mean one of compare, completion?'],
    [['export', '--fromat', 'html'], 'Did you mean --format?'],
    [['export', '--format', 'htlm'], 'Did you mean html?'],
    [['scan', '--fail-on', 'hihg'], 'Did you mean high?'],
    [['scan', '--only', 'semgrp'], 'Did you mean semgrep?'],
    [['finding', 'status', 'F-1', 'accepted-risk'], 'Did you mean accepted_risk?'],
    [['progress', 'phase_stared'], 'Did you mean phase_started?'],
    [['xyzzy'], 'svc --help lists the commands.'],
    [['scan', '--only', 'src', '--no-sync'], 'Put the path to scan before --only.'],
  ])('%j: %s', async (words, hint) => {
    await using machine = await createMachine();
    const ended = await machine.svc(words);
    expect(ended).toMatchObject({ code: exitCodes.usage, stdout: '' });
    expect(ended.stderr).toContain(hint);
  });
});

describe('a hint', () => {
  test('leads to a service if none responds on this machine', async () => {
    await using machine = await createMachine('http://127.0.0.1:9');
    const ended = await machine.svc(['login', '--no-browser']);
    expect(ended.code).toBe(exitCodes.unavailable);
    expect(ended.stderr).toContain('SVC_API_BASE_URL=https://svc.example.com svc login');
  });

  test('of a scan that stays local leads to a sync that sends it', async () => {
    await using machine = await createMachine();
    const { stdout } = await machine.svc(['scan', '--only', 'secrets', '--no-sync']);
    expect(stdout).toMatch(/Kept on this machine: (r[0-9a-f]{32})\. To sync it: svc sync --report \1\n$/);
    const unlinked = await machine.svc(['scan', '--only', 'secrets']);
    expect(unlinked.stdout).toContain('To sync it: svc login, then svc sync');
    const wrong = await machine.svc(['scan', '--only', 'secrets'], { SVC_DEVICE_TOKEN: 'a b' });
    expect(wrong.stdout).toContain('To sync it: svc sync, with a valid credential');
  });

  test('for a report that is not finished names that report', async () => {
    await using machine = await createMachine();
    await machine.svc(['scan', 'start', '--no-sync']);
    const { reports } = jsonOf((await machine.svc(['report', 'list', '--json'])).stdout) as {
      reports: { localReportId: string }[];
    };
    const id = reports[0]?.localReportId ?? '';
    const open = await machine.svc(['export', '--report', id]);
    expect(open.stderr).toContain(`End it: svc scan finish --report ${id}`);
    await machine.svc(['scan', 'abort']);
    const aborted = await machine.svc(['export', '--report', id]);
    expect(aborted.stderr).toContain(`Show its findings: svc report show --report ${id}`);
    expect((await machine.svc(['report', 'show', '--report', id])).code).toBe(0);
  });

  test('is absent when a missing file is the whole problem', async () => {
    await using machine = await createMachine();
    const { stdout } = await machine.svc(['report', 'validate', 'gone.json', '--json']);
    expect(jsonOf(stdout)).toEqual({
      error: { reason: 'failed', message: 'gone.json cannot be read: the file does not exist.' },
    });
  });
});

test('a binding that is not JSON is reported with the position', async () => {
  await using machine = await createMachine();
  await writeFile(path.join(machine.folder, '.svc.json'), '{\n  "bindingPublicId": "x"\n  "more": 1\n}\n');
  const ended = await machine.svc(['scan', '--only', 'secrets', '--no-sync']);
  expect(ended.code).toBe(exitCodes.failed);
  expect(ended.stderr).toContain('.svc.json is not JSON (line 3, column 3: a comma is expected).');
});

test('a log that is not JSON is reported with the position', async () => {
  await using machine = await createMachine();
  await writeFile(path.join(machine.folder, 'broken.sarif'), '{"version": "2.1.0",\n "runs": [}\n');
  const ended = await machine.svc(['scan', '--only', 'secrets', '--no-sync', '--sarif', 'broken.sarif']);
  expect(ended.code).toBe(exitCodes.rejected);
  expect(ended.stderr).toContain('line 2, column 11: a value is expected');
});
