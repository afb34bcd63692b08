import fc from 'fast-check';
import { expect, test } from 'vitest';
import { termHint } from './term-hint.ts';
import { spellingsOf } from './term-spellings.ts';
import { termSearch, type Span } from './term-search.ts';
import { folded, isAscii } from '../text/words-in-text.ts';

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
  'Ab',
  'bA',
  '_',
  '+',
  '\\n',
  '%2f',
  '%20',
  '\\u002f',
];
const texts = (maxLength: number) =>
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength }).map((parts) => parts.join(''));
const terms = fc.array(
  texts(4).filter((text) => text.trim() === text),
  { minLength: 1, maxLength: 40 },
);

/** Makes equivalent spellings equal: ignores case, and turns a run of spaces into one. */
const normal = (text: string) =>
  text
    .split(/(\s+)/)
    .map((part) => (part.trim() === '' && part !== '' ? ' ' : folded(part)))
    .join('');

function formsOf(term: string): Set<string> {
  const words = term
    .split(/[^\p{L}\p{N}\p{M}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .filter(Boolean);
  const labels = term.split(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/u);
  const joins = [' ', '-', '_', '.', '+', '%20', '\\-', '\\_', ...(labels.length < 3 ? [''] : [])];
  const forms = words.length > 1 ? joins.map((join) => words.join(join)) : [];
  return new Set([term, ...forms.filter((form) => [...form].length >= 3)].map(normal));
}

const wordBefore = /(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])$/u;
const wordAfter = /^(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])/u;
const escapeBefore =
  /(?:\\[0abdefnrstvwABDSWZz]|\\x[\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\U[\da-fA-F]{8}|\\[0-7]{2,3}|%(?:25)*[\da-fA-F]{2}|%u[\da-fA-F]{4})$/;

function isBoundary(text: string, at: number): boolean {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  if (!wordBefore.test(before) || !wordAfter.test(after)) return true;
  if (/\p{Ll}\p{M}*$/u.test(before) && /^\p{Lu}/u.test(after)) return true;
  return escapeBefore.test(before);
}

/** Finds the same spans by trying every form of every term between every two boundaries. */
function slowly(sought: readonly string[], text: string): Span[] {
  const forms = new Set(sought.flatMap((term) => [...formsOf(term)]));
  const isWhole = (at: number) => text.slice(0, at).isWellFormed() && !/^\p{M}/u.test(text.slice(at));
  const boundaries = Array.from({ length: text.length + 1 }, (_, at) => at).filter(
    (at) => isWhole(at) && isBoundary(text, at),
  );
  const joined: { start: number; end: number }[] = [];
  for (const start of boundaries) {
    const end = boundaries.findLast((last) => last > start && forms.has(normal(text.slice(start, last))));
    const before = joined.at(-1);
    if (end === undefined) continue;
    if (before !== undefined && start < before.end) before.end = Math.max(before.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

test('[D24] finds every occurrence of every spelling of every term, and nothing else', () => {
  fc.assert(
    fc.property(terms, texts(30), (sought, text) => {
      expect(termSearch(sought)(text)).toEqual(slowly(sought, text));
    }),
  );
});

test('every character that folds to an ASCII one makes the hint unclear', () => {
  const { isUnclear } = termHint(spellingsOf('ascii'));
  const missed: string[] = [];
  for (let codePoint = 128; codePoint <= 0x10ffff; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    if (isAscii(folded(character)) && !isUnclear(character)) missed.push(codePoint.toString(16));
  }
  expect(missed).toEqual([]);
});
