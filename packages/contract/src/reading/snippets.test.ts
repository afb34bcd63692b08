import { expect, test } from 'vitest';
import { languageOf, linesOf } from './snippets.ts';

const affected = { component: 'x', file: 'a.ts', lineStart: 4, lineEnd: 5 };
const evidence = (snippet: string, location?: string) => ({
  kind: 'source' as const,
  description: 'Where it happens.',
  snippet,
  ...(location !== undefined && { location }),
});

test.each([
  ['as many lines as its place has', evidence('a\nb\nc\n', 'a.ts:3-5'), { first: 3, marked: [4, 5] }],
  ['one line at its place', evidence('a', 'a.ts:9'), { first: 9, marked: [4, 5] }],
  ['a place in another file', evidence('a\r\nb', 'b.ts:3-4'), { first: 3 }],
  ['the lines of the finding and no more', evidence('a\nb'), { first: 4 }],
  ['the lines of the finding, from their first', evidence('a\nb', 'a.ts:4'), { first: 4 }],
  ['another number of lines than its place', evidence('a\nb\nc', 'a.ts:4-5'), undefined],
  ['a place without lines', evidence('a\nb\nc', 'a.ts'), undefined],
  ['no place', evidence('a\nb\nc'), undefined],
  ['a line that there can not be', evidence('a', 'a.ts:0'), undefined],
] as const)('the numbers of a snippet with %s', (_what, item, lines) => {
  expect(linesOf(item, affected)).toEqual(lines);
});

test('without lines of the finding none are marked', () => {
  expect(linesOf(evidence('a', 'a.ts:9'), { component: 'x', file: 'a.ts' })).toEqual({ first: 9 });
});

test.each([
  ['source', undefined, 'typescript'],
  ['source', 'b.py:3', 'python'],
  ['configuration', undefined, 'typescript'],
  ['runtime', undefined, undefined],
  ['other', 'b.py', 'python'],
] as const)('a snippet of the kind %s at %s is in %s', (kind, location, language) => {
  expect(languageOf({ ...evidence('a', location), kind }, affected)).toBe(language);
});
