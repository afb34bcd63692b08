/** What git reports about lines and files that changed between two commits. */
import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { git, repositoryWith, writeFiles } from '../../test/repository.ts';
import { plainEnvironment } from '../../test/tools.ts';
import { movedLines } from './moved-lines.ts';

const lines = ['one {', '  two', '', '  three', '}', 'six'];
const textOf = (given: readonly string[]) => `${given.join('\n')}\n`;

let folder: string;
beforeEach(() => {
  folder = repositoryWith({ 'a.c': textOf(lines), 'b.c': textOf(['other', ...lines]), 'c.c': 'short\n' });
});

function committed(): string {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'a');
  const words = ['rev-parse', 'HEAD'];
  return execFileSync('git', words, { cwd: folder, env: plainEnvironment, encoding: 'utf8' }).trim();
}

/** The new positions of a file's lines after the change. */
async function after(change: () => void, file = 'a.c') {
  const before = committed();
  change();
  const moved = await movedLines({ folder, before, now: committed(), environment: plainEnvironment });
  return {
    renamed: [...(moved?.renamed ?? [])],
    lines: lines.map((_, index) => moved?.lineNow(file, index + 1)),
  };
}

test('lines below inserted ones move, and changed lines replace the old ones', async () => {
  const changed = ['zero', ...lines.with(3, '  3').toSpliced(4, 0, '  4')];
  expect((await after(() => writeFiles(folder, { 'a.c': textOf(changed) }))).lines).toEqual([
    2,
    3,
    4,
    { first: 5, last: 6 },
    7,
    8,
  ]);
});

test('deleted lines have no new position, nor do those of a deleted file', async () => {
  const without = lines.toSpliced(1, 3);
  expect((await after(() => writeFiles(folder, { 'a.c': textOf(without) }))).lines).toEqual([
    1,
    { first: 2, last: 1 },
    { first: 2, last: 1 },
    { first: 2, last: 1 },
    2,
    3,
  ]);
  const gone = await after(() => rmSync(path.join(folder, 'c.c')), 'c.c');
  expect(gone.lines[0]).toEqual({ first: 1, last: 0 });
});

test('lines whose indentation alone changed count as the same, in every changed file', async () => {
  const indented = textOf(lines).replaceAll('  ', '\t');
  const other = textOf(['other', 'another', ...lines]);
  const change = () => writeFiles(folder, { 'a.c': indented, 'b.c': other });
  expect((await after(change)).lines).toEqual([1, 2, 3, 4, 5, 6]);
});

test('the lines of a changed file are found even when another changed file has equal lines', async () => {
  const change = () =>
    writeFiles(folder, {
      'a.c': textOf(lines).replaceAll('  ', '\t'),
      'b.c': textOf(['new', 'other', ...lines]),
    });
  expect((await after(change, 'b.c')).lines).toEqual([2, 3, 4, 5, 6, 7]);
});

test.each(['a.c -diff', '*.c binary', '* diff=none'])(
  'lines are found even if the attributes of the repository say %j',
  async (attributes) => {
    writeFiles(folder, { '.gitattributes': `${attributes}\n` });
    git(folder, 'config', 'diff.none.binary', 'true');
    const change = () => writeFiles(folder, { 'a.c': textOf(['zero', ...lines]) });
    expect((await after(change)).lines).toEqual([2, 3, 4, 5, 6, 7]);
  },
);

test('a file that was renamed and changed has its lines under its new name', async () => {
  const change = () => {
    renameSync(path.join(folder, 'a.c'), path.join(folder, 'ü b.c'));
    writeFiles(folder, { 'ü b.c': textOf(['zero', ...lines]) });
  };
  const { renamed, lines: moved } = await after(change);
  expect(renamed).toEqual([['a.c', 'ü b.c']]);
  expect(moved).toEqual([2, 3, 4, 5, 6, 7]);
});
