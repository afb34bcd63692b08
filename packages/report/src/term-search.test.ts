import fc from 'fast-check';
import { expect, test } from 'vitest';
import { termHint } from './term-hint.ts';
import { termSearch, type Span } from './term-search.ts';
import { folded, isAscii } from './words-in-text.ts';

const pieces = [
  'a',
  'b',
  'aa',
  'ab',
  'A',
  '.',
  '-',
  ' ',
  '  ',
  '\n',
  'é',
  'e\u0301',
  'ß',
  'ss',
  '\u212a',
  'k',
  '界',
  '\u{1d54f}',
];
const texts = (maxLength: number) =>
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength }).map((parts) => parts.join(''));
const terms = fc.array(
  texts(4).filter((text) => text.trim() === text),
  { minLength: 1, maxLength: 40 },
);

const words = /[\p{Script=Han}]|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])+|\s+|[^]/gu;
function wordsOf(text: string) {
  return [...text.matchAll(words)].map(([word], index, all) => ({
    folded: /^\s/.test(word) ? ' ' : folded(word),
    start: all[index]!.index,
    end: all[index]!.index + word.length,
  }));
}

/** Every term at every word. */
function slowly(sought: readonly string[], text: string): Span[] {
  const inText = wordsOf(text);
  const spans: Span[] = [];
  for (const term of sought) {
    const inTerm = wordsOf(term);
    for (let at = 0; at + inTerm.length <= inText.length; at += 1) {
      if (inTerm.every((word, offset) => word.folded === inText[at + offset]!.folded))
        spans.push({ start: inText[at]!.start, end: inText[at + inTerm.length - 1]!.end });
    }
  }
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

test('every occurrence of every term is found, and nothing else', () => {
  fc.assert(
    fc.property(terms, texts(30), (sought, text) => {
      expect(termSearch(sought)(text)).toEqual(slowly(sought, text));
    }),
    { numRuns: 2000 },
  );
});

test('every character that stands for an ASCII one makes a text be read as a whole', () => {
  const { unclear } = termHint(['ascii']);
  const missed: string[] = [];
  for (let codePoint = 128; codePoint <= 0x10ffff; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    if (isAscii(folded(character)) && !unclear.test(character)) missed.push(codePoint.toString(16));
  }
  expect(missed).toEqual([]);
});

test.each([
  ['nested terms', Array.from({ length: 300 }, (_, index) => 'a.'.repeat(index + 2)), 'a.'.repeat(200_000)],
  ['terms that nearly occur', [`${'a'.repeat(200)} b`, `${'a.'.repeat(120)}b`], 'a.'.repeat(200_000)],
  ['one long word', ['a'.repeat(250), 'aaa'], 'a'.repeat(400_000)],
  [
    'terms that begin alike',
    Array.from({ length: 10_000 }, (_, index) => `host${index}.test`),
    'host.'.repeat(80_000),
  ],
  ['spaces', ['a b'], `a${' '.repeat(400_000)}c`],
  ['characters that fold', ['straße'], 'ß'.repeat(400_000)],
])('%s are sought in linear time', (_, sought, text) => {
  const find = termSearch(sought);
  const began = process.cpuUsage();
  find(text);
  // Of the processor, which a busy machine spends no more of.
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000).toBeLessThan(10_000);
});
