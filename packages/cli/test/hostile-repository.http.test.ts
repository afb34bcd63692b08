/** A repository with planted programs, settings and links: the built program neither runs nor follows any of them. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { startServer } from '@svc/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { knownScanners } from '../src/scanners/known-scanners.ts';
import { callsIn, fakeNames, installFake } from './fake-scanners.ts';
import { git, initRepository, temporaryFolder, writeFiles } from './repository.ts';
import { containing } from './svc.ts';
import { syncingMachine, type Syncing } from './syncing.ts';
import { toolsPath } from './tools.ts';

const server = await startServer();
afterAll(() => server.close());

const openers = ['xdg-open', 'wslview', 'rundll32.exe', 'open', 'sensible-browser', 'firefox'];
const helpers = ['secret-tool', 'node', 'npm', 'npx', 'python', 'python3', 'ssh', 'env', 'sh', 'bash'];
const planted = ['git', ...knownScanners.map(({ name }) => name), ...openers, ...helpers];

const files = {
  'src/app.py': 'print(1)\n',
  'package-lock.json': '{}',
  'eslint.config.js': 'export default [];\n',
  'node_modules/@microsoft/eslint-formatter-sarif/package.json': '{}',
};

/** Plants a program for each name in `folder`. When it runs, it creates a file of its name in `marks`. */
function plant(folder: string, marks: string, names: readonly string[] = planted): void {
  fs.mkdirSync(folder, { recursive: true });
  for (const name of names)
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n/usr/bin/touch '${marks}/${name}'\n`, {
      mode: 0o755,
    });
}

/** Programs outside of the repository that record their environment; git is the real one. */
function spies(): string {
  const folder = temporaryFolder();
  for (const name of fakeNames) installFake(folder, name);
  const log = path.join(folder, 'environments');
  const spy = (name: string, then: string) =>
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n/usr/bin/env >> '${log}'\n${then}\n`, {
      mode: 0o755,
    });
  spy('git', `exec ${toolsPath}/git "$@"`);
  spy('xdg-open', `echo "opened=$1" >> '${log}'`);
  return folder;
}

const canaries = {
  GITHUB_TOKEN: 'canary-of-a-token',
  AWS_SECRET_ACCESS_KEY: 'canary-of-a-secret',
  STRIPE_API_KEY: 'canary-of-a-key',
  GIT_SSH_COMMAND: '/bin/false canary-of-git',
  npm_config__authToken: 'canary-of-npm',
};

async function everyCommand({ svc }: Syncing, environment: Record<string, string>, folder: string) {
  const run = (...words: string[]) => svc(words, environment, folder);
  const ended = [
    await run('scan'),
    await run('init'),
    await run('scan', 'start', '--no-sync'),
    await run('progress', 'phase_started', '--phase', 'inventory'),
    await run('scan', 'finish'),
    await run('sync'),
    await run('quota'),
    await run('report', 'list'),
    await run('export', '--format', 'json', '--output', '-'),
    await run('open'),
  ];
  await run('compare', 'a', 'b');
  await run('update', 'check');
  return ended;
}

describe('programs', () => {
  test('[T26] no program in the repository is started, whatever PATH contains, and none gets a credential', async () => {
    await using syncing = await syncingMachine(server, { files });
    const { machine } = syncing;
    const marks = temporaryFolder();
    const bin = path.join(machine.folder, 'node_modules/.bin');
    for (const folder of [bin, machine.folder, path.join(machine.folder, 'tools')]) plant(folder, marks);
    const outside = temporaryFolder();
    fs.symlinkSync(bin, path.join(outside, 'linked'));
    fs.mkdirSync(path.join(outside, 'links'));
    for (const name of planted) fs.symlinkSync(path.join(bin, name), path.join(outside, 'links', name));
    const tools = spies();
    const search = [bin, '', '.', 'node_modules/.bin', machine.folder, path.join(machine.folder, 'tools')];
    const environment = {
      ...canaries,
      DISPLAY: ':0',
      BROWSER: path.join(bin, 'firefox'),
      PATH: [...search, path.join(outside, 'linked'), path.join(outside, 'links'), tools, toolsPath].join(
        ':',
      ),
    };
    const ended = await everyCommand(syncing, environment, machine.folder);
    expect(ended.map(({ code, stderr }) => ({ code, stderr: code === 0 ? '' : stderr }))).toEqual(
      ended.map(() => ({ code: 0, stderr: '' })),
    );
    expect(fs.readdirSync(marks)).toEqual([]);

    const environmentsSeen = () => fs.readFileSync(path.join(tools, 'environments'), 'utf8');
    // The command does not wait for the browser that it opened.
    await expect.poll(environmentsSeen).toContain('opened=http');
    const environments = environmentsSeen();
    expect(new Set(callsIn(tools).map(({ name }) => name))).toEqual(
      new Set(fakeNames.filter((name) => name !== 'eslint')),
    );
    for (const seen of [environments, JSON.stringify(callsIn(tools))]) {
      expect(seen).not.toContain('canary');
      expect(seen).not.toContain(syncing.device.deviceToken);
      expect(seen).not.toMatch(/SVC_|BROWSER=/);
      expect(seen).not.toContain(`${machine.folder}/node_modules/.bin`);
    }
  });

  test('[T26] a repository within the repository does not exempt the programs above it', async () => {
    await using syncing = await syncingMachine(server, { files });
    const { machine } = syncing;
    const marks = temporaryFolder();
    const bin = path.join(machine.folder, 'node_modules/.bin');
    plant(bin, marks);
    const inner = path.join(machine.folder, 'packages/inner');
    writeFiles(inner, { 'a.py': 'print(1)\n' });
    fs.copyFileSync(path.join(machine.folder, '.svc.json'), path.join(inner, '.svc.json'));
    const { code } = await syncing.svc(['scan', '--no-sync'], { PATH: `${bin}:${toolsPath}` }, inner);
    expect(code).toBe(0);
    // When svc runs in another folder, both the scanned repository and the one around that folder are untrusted.
    const other = temporaryFolder();
    initRepository(other);
    plant(path.join(other, 'bin'), marks);
    const environment = { PATH: `${other}/bin:${bin}:${toolsPath}` };
    expect((await syncing.svc(['scan', inner, '--no-sync'], environment, other)).code).toBe(0);
    expect(fs.readdirSync(marks)).toEqual([]);
  });

  test('[T26] nothing that the repository’s configuration names is run', async () => {
    await using syncing = await syncingMachine(server, { files });
    const { machine } = syncing;
    const marks = temporaryFolder();
    const trap = (name: string) => `/usr/bin/touch ${marks}/${name}`;
    const trapped = [
      'core.fsmonitor',
      'core.pager',
      'core.sshCommand',
      'core.editor',
      'diff.external',
      'credential.helper',
    ];
    const hooks = ['post-index-change', 'pre-commit', 'post-checkout', 'reference-transaction'];
    function setTraps(folder: string) {
      for (const name of trapped) git(folder, 'config', name, trap(name));
      for (const name of ['ls-files', 'config', 'rev-parse', 'symbolic-ref'])
        git(folder, 'config', `alias.${name}`, `!${trap(name)}`);
      for (const part of ['clean', 'smudge', 'process', 'textconv'])
        git(folder, 'config', part === 'textconv' ? 'diff.x.textconv' : `filter.x.${part}`, trap(part));
      git(folder, 'config', 'remote.origin.url', `ext::${trap('ext')}`);
      git(folder, 'config', 'remote.origin.promisor', 'true');
      git(folder, 'config', 'include.path', path.join(machine.folder, 'included'));
      git(folder, 'config', 'core.hooksPath', path.join(machine.folder, 'hooks'));
    }
    writeFiles(machine.folder, {
      '.gitattributes': '* filter=x diff=x\n',
      included: `[core]\n\tfsmonitor = ${trap('included')}\n`,
    });
    fs.mkdirSync(path.join(machine.folder, 'hooks'));
    for (const name of hooks)
      fs.writeFileSync(path.join(machine.folder, 'hooks', name), `#!/bin/sh\n${trap(name)}\n`, {
        mode: 0o755,
      });
    setTraps(machine.folder);
    expect((await syncing.svc(['scan', '--no-sync'])).code).toBe(0);

    // The same holds for a folder that points to a repository elsewhere, and for one that looks like a bare repository.
    const pointing = path.join(machine.folder, 'pointing');
    writeFiles(pointing, { 'a.py': 'print(1)\n', '.git': `gitdir: ${machine.folder}/.git\n` });
    expect((await syncing.svc(['scan', '--no-sync'], {}, pointing)).code).toBe(0);
    const bare = path.join(temporaryFolder(), 'bare');
    fs.cpSync(path.join(machine.folder, '.git'), bare, { recursive: true });
    git(bare, 'config', 'core.bare', 'true');
    expect((await syncing.svc(['scan', '--no-sync'], {}, bare)).code).toBe(0);
    expect(fs.readdirSync(marks)).toEqual([]);
  });
});

describe('files', () => {
  test('[T26] a .svc.json that is a link, a pipe, a device or endless is an error, and neither followed nor waited for', async () => {
    await using syncing = await syncingMachine(server, { bound: false });
    const { machine, svc } = syncing;
    const file = path.join(machine.folder, '.svc.json');
    const outside = temporaryFolder();
    const victim = path.join(outside, 'victim');
    const content = '{"bindingPublicId":"0123456789012345678901"}\n';
    fs.writeFileSync(victim, content);
    const plantings: Record<string, () => void> = {
      link: () => fs.symlinkSync(victim, file),
      'dangling link': () => fs.symlinkSync(path.join(outside, 'new'), file),
      device: () => fs.symlinkSync('/dev/zero', file),
      pipe: () => void execFileSync('sh', ['-c', `mkfifo "$0"`, file]),
      'endless file': () => {
        fs.writeFileSync(file, '');
        fs.truncateSync(file, 2 ** 40);
      },
    };
    for (const [kind, plantIt] of Object.entries(plantings)) {
      plantIt();
      const isFile = kind === 'endless file';
      for (const words of isFile ? [['scan']] : [['scan'], ['init', '--new-binding']]) {
        const { code, stderr } = await svc(words);
        expect({ kind, code }).toEqual({ kind, code: 1 });
        expect(stderr).toMatch(/\.svc\.json is (a symbolic link|a pipe|larger than)/);
      }
      fs.rmSync(file);
    }
    expect(fs.readdirSync(outside)).toEqual(['victim']);
    expect(fs.readFileSync(victim, 'utf8')).toBe(content);
    expect(await syncing.reports()).toEqual([]);
  });

  test('[T26] the program’s own folders and files are not reached through a link in the repository', async () => {
    await using syncing = await syncingMachine(server);
    const { machine, svc } = syncing;
    const outside = temporaryFolder();
    fs.symlinkSync(outside, path.join(machine.folder, '.svc'));
    for (const home of ['.svc', '.svc/below']) {
      const ended = await svc(['scan', '--no-sync'], { SVC_HOME: path.join(machine.folder, home) });
      expect(ended).toMatchObject({ code: 1, stderr: containing('symbolic link') });
    }
    const home = path.join(machine.folder, 'home');
    fs.mkdirSync(path.join(home, 'data'), { recursive: true });
    fs.writeFileSync(path.join(outside, 'victim'), '');
    for (const name of ['reports.sqlite', 'reports.sqlite-wal']) {
      fs.symlinkSync(path.join(outside, 'victim'), path.join(home, 'data', name));
      const ended = await svc(['report', 'list'], { SVC_HOME: home });
      expect(ended).toMatchObject({ code: 1, stderr: containing('symbolic link') });
      fs.rmSync(path.join(home, 'data', name));
      fs.rmSync(path.join(home, 'data', 'reports.sqlite'), { force: true });
    }
    expect(fs.readdirSync(outside)).toEqual(['victim']);
    expect(fs.readFileSync(path.join(outside, 'victim'), 'utf8')).toBe('');
  });

  test('[T26] an export is not written outside of the repository through a link in it', async () => {
    await using syncing = await syncingMachine(server);
    const { machine, svc } = syncing;
    expect((await svc(['scan', '--no-sync'])).code).toBe(0);
    const outside = temporaryFolder();
    fs.writeFileSync(path.join(outside, 'victim'), 'as it was');
    fs.symlinkSync(path.join(outside, 'victim'), path.join(machine.folder, 'report.json'));
    fs.symlinkSync(outside, path.join(machine.folder, 'out'));
    for (const output of ['report.json', 'out/new.json']) {
      const { code, stderr } = await svc(['export', '--format', 'json', '--output', output, '--force']);
      expect(code).toBe(1);
      expect(stderr).toContain('leads out of the repository through a link');
    }
    expect(fs.readdirSync(outside)).toEqual(['victim']);
    expect(fs.readFileSync(path.join(outside, 'victim'), 'utf8')).toBe('as it was');
  });
});
