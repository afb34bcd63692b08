import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { COLOURED_LENGTH_MAX, linesOfRuns } from './code-lines.ts';
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

it.each(languages)('never changes a text of %s', (language) => {
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

test('tells words, strings, numbers and comments apart, and leaves other languages plain', () => {
  expect(runsOf('let a = "b"; // 1', 'typescript').filter(({ colour }) => colour)).toEqual([
    { text: 'let', colour: 'keyword' },
    { text: '"b"', colour: 'string' },
    { text: '// 1', colour: 'comment' },
  ]);
  expect(runsOf('fn main() {}', 'rust')).toEqual([{ text: 'fn main() {}' }]);
});

test('lines end where they did, and an empty last one is none', () => {
  expect(linesOfRuns([{ text: 'a\n\nb' }, { text: 'c\n', colour: 'string' }])).toEqual([
    [{ text: 'a' }],
    [],
    [{ text: 'b' }, { text: 'c', colour: 'string' }],
  ]);
});

/** Runs that make highlighters look far ahead or go back, to the longest code that is coloured. */
const runs = ['"', "'", '`', '\\', '(', '[', '{', '<', ' ', '\n', 'a', '0', '_', '$', '/', '*', '#', '=', '-', '\\"', '/*', '${', '`${', 'a<', '/[', 'a ', "'a", '=begin\n', '0.', '"""', '<!--', '{"a":', '- a: ', '<<A\n', '@', 'a.', '::', '?>', '<?', 'function(']; // prettier-ignore
/**
 * Of the processor: what else the machine does at the moment is not this. It can not be counted otherwise, since the work
 * is that of the engine of regular expressions. The dearest takes 160; where it grew with the cube, it would be seconds.
 */
const STALLED_MS = 400;

it.each(languages)('[T12] code of the greatest length that is coloured stalls nobody in %s', (language) => {
  const stalled = runs.filter((run) => {
    const text = run.repeat(COLOURED_LENGTH_MAX).slice(0, COLOURED_LENGTH_MAX);
    return spentMs(() => runsOf(text, language)) > STALLED_MS;
  });
  expect(stalled).toEqual([]);
});

interface Spent {
  readonly user: number;
  readonly system: number;
}

/** Of Node, which runs this; what is compiled with it knows browsers only. */
declare const process: { threadCpuUsage(began?: Spent): Spent };

/** By this thread alone. */
function spentMs(work: () => void): number {
  const began = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
}
