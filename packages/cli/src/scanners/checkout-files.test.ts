import { expect, test } from 'vitest';
import { git, repositoryWith } from '../../test/repository.ts';
import { environmentWith, scan, toolsFolder } from '../../test/scan.ts';
import { sarif } from '../../test/fake-scanners.ts';
import { checkoutFiles } from './checkout-files.ts';
import { inventory } from './inventory.ts';

const signal = new AbortController().signal;

async function indexOf(root: string) {
  return checkoutFiles(root, await inventory(root, { environment: environmentWith(root), signal }));
}

test('the files of a checkout are those of git; an ignored one is found only by its whole path', async () => {
  const root = repositoryWith({
    '.gitignore': 'dist/',
    'src/a.ts': '',
    'src/new.ts': '',
    'dist/src/a.ts': '',
    'dist/src/only.ts': '',
  });
  git(root, 'add', 'src/a.ts');
  const index = await indexOf(root);
  expect(index.match(['ci', 'src', 'a.ts'])).toEqual({ length: 2, file: 'src/a.ts' });
  expect(index.match(['ci', 'src', 'new.ts'])).toEqual({ length: 2, file: 'src/new.ts' });
  expect(index.match(['ci', 'src', 'only.ts'])?.length).toBeUndefined();
  expect(index.find('dist/src/only.ts')).toBe('dist/src/only.ts');
});

test('no file is found for an invalid name', async () => {
  const index = await indexOf(repositoryWith({ 'src/a.ts': '' }));
  for (const name of ['src/\0', `src/${'x'.repeat(5000)}`, 'src/a.ts/b', '../', '/etc/passwd', ''])
    expect(index.find(name)).toBeUndefined();
});

test('files that a scanner read elsewhere on this machine do not match files here with equal path endings', async () => {
  const root = repositoryWith({ 'src/app.py': '', 'nested/lib/tool.py': '' });
  const elsewhere = sarif('bandit', '/elsewhere/src/app.py', 'B105');
  const { result: none } = await scan(root, {
    tools: toolsFolder({ bandit: { result: elsewhere } }),
    only: ['bandit'],
  });
  expect(none.findings).toEqual([]);
  expect(none.limitations).toContain('bandit: 1 result left out: outside the repository.');
  const below = sarif('bandit', 'lib/tool.py', 'B105');
  const { result: one } = await scan(root, {
    tools: toolsFolder({ bandit: { result: below } }),
    only: ['bandit'],
  });
  expect(one.findings.map(({ affected }) => affected.file)).toEqual(['nested/lib/tool.py']);
});
