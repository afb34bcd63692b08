import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { linesOfRuns } from './code-lines.ts';
import { runsOf } from './highlight.ts';

const languages = [
  'bash',
  'csharp',
  'go',
  'java',
  'javascript',
  'json',
  'php',
  'python',
  'ruby',
  'sql',
  'typescript',
  'yaml',
];
const pieces = fc.constantFrom(
  '"',
  "'",
  '`',
  '\\',
  '(',
  '{',
  '}',
  '<',
  ' ',
  '\n',
  'a',
  '0',
  '/',
  '*',
  '/*',
  '*/',
  '//',
  '#',
  '${',
  'if ',
  '=',
  '<<<X\n',
  '<?php ',
);

it.each(languages)('highlighting never changes a text in %s', (language) => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      expect(
        runsOf(text, language)
          .map((run) => run.text)
          .join(''),
      ).toBe(text);
    }),
    { numRuns: 60 },
  );
});

test('highlighting distinguishes keywords, strings, numbers and comments, and leaves unknown languages plain', () => {
  expect(runsOf('let a = "b"; // 1', 'typescript').filter(({ colour }) => colour)).toEqual([
    { text: 'let', colour: 'keyword' },
    { text: '"b"', colour: 'string' },
    { text: '// 1', colour: 'comment' },
  ]);
  expect(runsOf('fn main() {}', 'rust')).toEqual([{ text: 'fn main() {}' }]);
});

test('empty lines are kept, and a trailing line break adds none', () => {
  expect(linesOfRuns([{ text: 'a\n\nb' }, { text: 'c\n', colour: 'string' }])).toEqual([
    [{ text: 'a' }],
    [],
    [{ text: 'b' }, { text: 'c', colour: 'string' }],
  ]);
});
