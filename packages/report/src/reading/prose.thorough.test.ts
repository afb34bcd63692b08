import { expect, it } from 'vitest';
import { proseOf, richProseOf } from './prose.ts';

it.each([
  [
    'backticks of growing runs',
    (n: number) => Array.from({ length: Math.sqrt(n) }, (_, i) => '`'.repeat(i)).join(' '),
  ],
  ['backticks', (n: number) => '` `` '.repeat(n / 5)],
  ['items', (n: number) => '- '.repeat(n / 2)],
  ['items on lines', (n: number) => '- a\n'.repeat(n / 4)],
  ['deeper and deeper items', (n: number) => `${'- '.repeat(9)}a\n`.repeat(n / 20)],
  ['fences', (n: number) => '```a\n~~~\n'.repeat(n / 9)],
  ['fences within items', (n: number) => '- ```\n'.repeat(n / 6)],
  ['indents', (n: number) => `-${' '.repeat(n / 2)}\n`.repeat(2)],
  ['empty lines', (n: number) => `- a${'\n'.repeat(n)}b`],
  ['tabs', (n: number) => `- a\n${'\t'.repeat(n)}b`],
])('reads half a megabyte of %s in linear time', (_name, make) => {
  expect(proseOf(make(500_000)).length).toBeGreaterThan(0);
  expect(richProseOf(make(500_000)).length).toBeGreaterThan(0);
});

it.each([
  ['headings', (n: number) => '# a #\n'.repeat(n / 6)],
  ['marks of headings', (n: number) => `# ${' #'.repeat(n / 2)}`],
  ['rows', (n: number) => `a|b\n-|-\n${'c|d\n'.repeat(n / 4)}`],
  ['heads without tables', (n: number) => 'a|b\n'.repeat(n / 4)],
  ['cells', (n: number) => `${'|'.repeat(n / 2)}\n${'|-'.repeat(n / 4)}`],
  ['cells of backticks', (n: number) => `a|b\n-|-\n${'`|'.repeat(n / 2)}`],
  ['brackets', (n: number) => '['.repeat(n)],
  ['beginnings of links', (n: number) => '[a]('.repeat(n / 4)],
  ['links that never end', (n: number) => `[a](${'('.repeat(n)}`],
  ['brackets within links', (n: number) => `[a](${'(a)'.repeat(n / 3)}`],
  ['links', (n: number) => '[a](https://b.c) '.repeat(n / 17)],
  ['marks of folds', (n: number) => `<${'<details>'.repeat(n / 9)}`],
])('reads half a megabyte of %s as rich prose in linear time', (_name, make) => {
  expect(richProseOf(make(500_000)).length).toBeGreaterThan(0);
});
