import { expect, it } from 'vitest';
import { proseOf } from './prose.ts';

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
});
