import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { TemporaryFolder } from '../../test/local-reports.ts';
import { plainEnvironment } from '../../test/tools.ts';
import { readRepository } from './git.ts';
import { travellingUrl } from './repository-url.ts';

const env = {
  ...plainEnvironment,
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'Ada'],
      [`GIT_${who}_EMAIL`, 'ada@example.com'],
    ]),
  ),
};
const git = (folder: string, ...words: string[]) =>
  execFileSync('git', words, { cwd: folder, env, encoding: 'utf8' }).trim();

const factsOf = async (folder: string) => (await readRepository(folder, plainEnvironment)).facts;

function repositoryWithCommit(folder: TemporaryFolder, branch: string): string {
  git(folder.path, 'init', '-q', '-b', branch);
  git(folder.path, 'commit', '-q', '--allow-empty', '-m', 'first');
  return git(folder.path, 'rev-parse', 'HEAD');
}

function setDefaultBranch(folder: string, name: string) {
  git(folder, 'update-ref', `refs/remotes/origin/${name}`, 'HEAD');
  git(folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', `refs/remotes/origin/${name}`);
}

describe('the facts that git reports about a repository', () => {
  test('are its commit, branches and address without credentials', async () => {
    using folder = new TemporaryFolder();
    const commit = repositoryWithCommit(folder, 'topic');
    git(folder.path, 'remote', 'add', 'origin', 'https://ada:hunter2@git.example.com/acme/shop.git');
    setDefaultBranch(folder.path, 'trunk');
    expect(await factsOf(folder.path)).toEqual({
      commit,
      branch: 'topic',
      defaultBranch: 'trunk',
      repositoryUrl: 'https://git.example.com/acme/shop.git',
    });
  });

  test('are empty outside a repository, and consist of the branch alone before the first commit', async () => {
    using folder = new TemporaryFolder();
    expect(await factsOf(folder.path)).toEqual({});
    git(folder.path, 'init', '-q', '-b', 'main');
    expect(await factsOf(folder.path)).toEqual({ branch: 'main' });
  });

  test('have no branch on a detached commit, and keep a default branch that has been removed', async () => {
    using folder = new TemporaryFolder();
    const commit = repositoryWithCommit(folder, 'main');
    git(folder.path, 'remote', 'add', 'origin', '/elsewhere');
    setDefaultBranch(folder.path, 'trunk');
    git(folder.path, 'checkout', '-q', '--detach');
    expect(await factsOf(folder.path)).toEqual({ commit, defaultBranch: 'trunk' });
    git(folder.path, 'update-ref', '-d', 'refs/remotes/origin/trunk');
    expect(await factsOf(folder.path)).toEqual({ commit, defaultBranch: 'trunk' });
  });

  test('are right although a branch is called HEAD, or has slashes and a namesake among the tags', async () => {
    using folder = new TemporaryFolder();
    const commit = repositoryWithCommit(folder, 'topic/one');
    git(folder.path, 'tag', 'topic/one');
    expect(await factsOf(folder.path)).toEqual({ commit, branch: 'topic/one' });
    git(folder.path, 'tag', '-d', 'topic/one');
    git(folder.path, 'update-ref', 'refs/heads/HEAD', 'HEAD');
    expect(await factsOf(folder.path)).toEqual({ commit, branch: 'topic/one' });
  });

  test('are read without starting git where no repository is around the folder', async () => {
    using tools = new TemporaryFolder();
    using folder = new TemporaryFolder();
    const started = path.join(tools.path, 'started');
    writeFileSync(path.join(tools.path, 'git'), `#!/bin/sh\necho started >> ${started}\nexit 1\n`, {
      mode: 0o755,
    });
    const environment = { ...plainEnvironment, PATH: tools.path };
    expect(await readRepository(folder.path, environment)).toEqual({ facts: {} });
    expect(existsSync(started)).toBe(false);
    const inside = path.join(folder.path, 'deep', 'inside');
    mkdirSync(inside, { recursive: true });
    mkdirSync(path.join(folder.path, '.git'));
    await readRepository(inside, environment);
    expect(existsSync(started)).toBe(true);
  });

  test('are read through a link into a repository', async () => {
    using repository = new TemporaryFolder();
    using elsewhere = new TemporaryFolder();
    git(repository.path, 'init', '-q', '-b', 'main');
    const inside = path.join(repository.path, 'inside');
    mkdirSync(inside);
    const link = path.join(elsewhere.path, 'link');
    symlinkSync(inside, link);
    expect(await factsOf(link)).toEqual({ branch: 'main' });
  });

  test('are read without running anything that the repository names', async () => {
    using folder = new TemporaryFolder();
    git(folder.path, 'init', '-q', '-b', 'main');
    const trap = path.join(folder.path, 'trapped');
    for (const name of [
      'core.fsmonitor',
      'core.pager',
      'core.sshCommand',
      'credential.helper',
      'alias.config',
    ])
      git(folder.path, 'config', name, `!touch ${trap}; touch ${trap}`);
    git(folder.path, 'config', 'core.hooksPath', folder.path);
    writeFileSync(path.join(folder.path, 'post-checkout'), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
    await readRepository(folder.path, plainEnvironment);
    expect(existsSync(trap)).toBe(false);
  });
});

describe('the address of a repository', () => {
  test.each([
    ['https://user:token@github.com/acme/shop.git', 'https://github.com/acme/shop.git'],
    ['https://github.com/acme/shop?token=x#y', 'https://github.com/acme/shop'],
    ['git@github.com:acme/shop.git', 'ssh://github.com/acme/shop.git'],
    ['github.com:acme/shop.git', 'ssh://github.com/acme/shop.git'],
    ['ssh://git@github.com:2222/acme/shop.git', 'ssh://github.com:2222/acme/shop.git'],
    ['git://example.com/x', 'git://example.com/x'],
    ['/home/ada/shop.git', undefined],
    ['../shop.git', undefined],
    ['C:\\repositories\\shop', undefined],
    ['C:/repositories/shop', undefined],
    ['file:///home/ada/shop.git', undefined],
    ['ext::sh -c whoami', undefined],
    [`https://example.com/${'x'.repeat(600)}`, undefined],
  ])('of %s is %s', (given, wanted) => {
    expect(travellingUrl(given)).toBe(wanted);
  });
});
