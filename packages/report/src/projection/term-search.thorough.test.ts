import { expect, test } from 'vitest';
import { processorMs } from '../../test/processor-time.ts';
import { termSearch } from './term-search.ts';

test.each([
  ['nested terms', Array.from({ length: 300 }, (_, index) => 'a.'.repeat(index + 2)), 'a.'.repeat(200_000)],
  ['terms that nearly occur', [`${'a'.repeat(200)} b`, `${'a.'.repeat(120)}b`], 'a.'.repeat(200_000)],
  ['one long word', ['a'.repeat(250), 'aaa'], 'a'.repeat(400_000)],
  [
    'terms that begin alike',
    Array.from({ length: 10_000 }, (_, index) => `host${index}.test`),
    'host.'.repeat(80_000),
  ],
  ['a name that can be read in many ways', ['a a a a a a'], 'aa '.repeat(140_000)],
  ['a name between escapes', ['a n a n'], String.raw`a\n`.repeat(140_000)],
  ['spaces', ['a b'], `a${' '.repeat(400_000)}c`],
  ['characters that fold', ['straße'], 'ß'.repeat(400_000)],
])('the search for %s takes linear time', (_, sought, text) => {
  const find = termSearch({ names: sought, hosts: sought });
  expect(processorMs(() => void find(text))).toBeLessThan(10_000);
});
