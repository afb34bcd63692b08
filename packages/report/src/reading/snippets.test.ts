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
  ['as many lines as its location has', evidence('a\nb\nc\n', 'a.ts:3-5'), { first: 3, marked: [4, 5] }],
  ['one line at its location', evidence('a', 'a.ts:9'), { first: 9, marked: [4, 5] }],
  ['a location in another file', evidence('a\r\nb', 'b.ts:3-4'), { first: 3 }],
  ['as many lines as the finding has', evidence('a\nb'), { first: 4 }],
  ['as many lines as the finding, from its first line', evidence('a\nb', 'a.ts:4'), { first: 4 }],
  ['a different number of lines than its location', evidence('a\nb\nc', 'a.ts:4-5'), undefined],
  ['a location without lines', evidence('a\nb\nc', 'a.ts'), undefined],
  ['no location', evidence('a\nb\nc'), undefined],
  ['an impossible line', evidence('a', 'a.ts:0'), undefined],
] as const)('a snippet with %s has the right line numbers', (_what, item, lines) => {
  expect(linesOf(item, affected)).toEqual(lines);
});

test('a finding without lines marks no lines of a snippet', () => {
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

test('columns in a location do not affect the line numbers', () => {
  expect(linesOf(evidence('a\nb', 'a.ts:4:5-5:9'), affected)).toEqual({ first: 4 });
  expect(linesOf(evidence('a', 'b.ts:7:5'), affected)).toEqual({ first: 7 });
  expect(linesOf(evidence('a\nb', 'b.ts:7:5'), affected)).toBeUndefined();
});
