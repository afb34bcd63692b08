import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bannedWords } from './banned-words.ts';
import { findWords } from './find-words.ts';

const script = path.join(import.meta.dirname, '../check-words.ts');
const wordsIn = (file: string, text: string) => findWords(file, text).map(({ line, word }) => [line, word]);

describe('a source file', () => {
  test.each([
    ['a line comment', 'let a = 1;\n// It starts anew.', [[2, 'anew']]],
    ['a block comment', '/**\n * It can not end.\n */\nlet a = 1;', [[2, 'can not']]],
    ['a phrase across lines of a comment', '// It ends at\n// once.', [[1, 'at once']]],
    ['a string', "throw new Error('Whoever asks');", [[1, 'Whoever']]],
    ['a single word of a label', "const label = 'Mend';", [[1, 'Mend']]],
    ['a template', 'const a = `${b} is told`;', [[1, 'told']]],
    ['an exported constant', "export const a = 'is told';", [[1, 'told']]],
    [
      'text and attributes of an element',
      'const a = <p title="Is told">\nanew</p>;',
      [
        [1, 'told'],
        [2, 'anew'],
      ],
    ],
  ])('with a banned word in %s is reported with its line', (_, text, expected) => {
    expect(wordsIn('a.tsx', text)).toEqual(expected);
  });

  test.each([
    ['an identifier', 'const refused = told(anew);'],
    ['a name in a string', "const state = 'refused';"],
    ['an imported path', "import { a } from './Told anew.ts';"],
    ['a type of names', "type A = 'Told anew' | 'Refused';"],
    ['code in a comment', '// Set by `refused()`.'],
    ['part of a longer word', '// The amendment-free renewal of a recommendation.'],
    ['two strings side by side', "f('at', 'once');\nconst a = ['can', 'not'];"],
  ])('with a banned word in %s passes', (_, text) => {
    expect(wordsIn('a.ts', text)).toEqual([]);
  });

  test('with a syntax error is reported', () => {
    expect(() => findWords('a.ts', 'const = ;')).toThrow('a.ts does not parse');
  });
});

describe('a document', () => {
  test.each([
    [
      'a paragraph',
      '# A\n\nIt is refused at\nonce.',
      [
        [3, 'refused'],
        [3, 'at once'],
      ],
    ],
    ['a table', '| a |\n| - |\n| told |', [[3, 'told']]],
    ['a link', '[Told](a.md)', [[1, 'Told']]],
    ['emphasis', 'It is _told_.', [[1, 'told']]],
    [
      'the description of an image',
      '<img src="told.png" alt="Told anew" width="1">',
      [
        [1, 'Told'],
        [1, 'anew'],
      ],
    ],
  ])('with a banned word in %s is reported with its line', (_, text, expected) => {
    expect(wordsIn('a.md', text)).toEqual(expected);
  });

  test.each([
    ['a block of code', '```sh\necho told anew\n```'],
    ['code', 'Say `at once` and ``told ` anew``.'],
    ['the target of a link', '[a](told-anew.md#whoever)'],
    ['a tag', '<img src="told anew.png">'],
  ])('with a banned word in %s passes', (_, text) => {
    expect(wordsIn('a.md', text)).toEqual([]);
  });
});

test('an allowed phrase passes, and the same word elsewhere in the line is reported', () => {
  expect(wordsIn('a.md', 'The error is connection refused.')).toEqual([]);
  expect(wordsIn('a.md', 'Connection refused: it refused.')).toEqual([[1, 'refused']]);
});

test('each banned word comes with advice that contains no banned word', () => {
  const advices = bannedWords.map(({ advice }) => advice);
  expect(advices.filter((advice) => advice === '' || findWords('a.md', advice).length > 0)).toEqual([]);
});

test('the program prints file, line, word and advice, and fails', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'svc-words-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  fs.writeFileSync(path.join(folder, 'GUIDE.md'), 'Plain.\n');
  fs.writeFileSync(path.join(folder, 'plain.ts'), '// Plain.\n');
  const passed = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
  expect([passed.status, passed.stderr]).toEqual([0, '2 files, 0 banned words.\n']);

  fs.writeFileSync(path.join(folder, 'plain.ts'), '// Plain.\n// It is told.\n');
  const failed = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
  expect(failed.stderr).toContain('plain.ts:2: "told": say reported, logged or returned, and by what\n');
  expect(failed.status).toBe(1);
});
