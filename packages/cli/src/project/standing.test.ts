import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { git, repositoryWith, temporaryFolder } from '../../test/repository.ts';
import { toolsPath } from '../../test/tools.ts';
import { remoteDigest } from './remote.ts';
import { presentRemoteDigest } from './standing.ts';

test('[T27] an abbreviated remote equals the address to which the person’s git configuration expands it', async () => {
  const home = temporaryFolder();
  writeFileSync(path.join(home, '.gitconfig'), '[url "git@git.example.com:"]\n  insteadOf = ex:\n');
  const root = repositoryWith({});
  git(root, 'remote', 'add', 'origin', 'ex:acme/shop.git');
  const environment = { HOME: home, PATH: toolsPath };
  expect(await presentRemoteDigest(root, environment)).toBe(
    remoteDigest('https://git.example.com/acme/shop', root),
  );
  git(root, 'remote', 'remove', 'origin');
  expect(await presentRemoteDigest(root, environment)).toBeNull();
});
