import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Terms } from './anonymous-terms.ts';
import { termHint } from './term-hint.ts';
import { spellingsOfHost } from './term-spellings.ts';
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
  '%C2%B7',
  '\\u002f',
  '\\u{20}',
  '\\',
  '·',
  '7',
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

const wordsOf = (term: string) =>
  term
    .split(/[^\p{L}\p{N}\p{M}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .filter((word) => word !== '');

/** Whether nothing may join the words of a term, as in a version. */
const isDotted = (term: string) =>
  term.split(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/u).length > 2 || /\d\.\d/.test(term);

const isLong = (text: string) => [...text].length >= 3;

/** The forms of a host, or of a name of many words. */
function formsOf(term: string): Set<string> {
  const words = wordsOf(term);
  const joins = [' ', '-', '_', '.', '+', '%20', '\\-', '\\_', ...(isDotted(term) ? [] : [''])];
  const forms = words.length > 1 ? joins.map((join) => words.join(join)) : [];
  return new Set([term, ...forms.filter(isLong)].map(normal));
}

const wordBefore = /(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])$/u;
const wordAfter = /^(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])/u;
const escapeBefore =
  /(?:\\[0abdefnrstvwABDSWZz]|\\x[\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\U[\da-fA-F]{8}|\\[0-7]{2,3}|%(?:25)*[\da-fA-F]{2}|%u[\da-fA-F]{4})$/;

function isStart(text: string, at: number): boolean {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  if (!wordBefore.test(before) || !wordAfter.test(after)) return true;
  if (/\p{Ll}\p{M}*$/u.test(before) && /^\p{Lu}/u.test(after)) return true;
  return escapeBefore.test(before);
}

const isEnd = (text: string, at: number) =>
  isStart(text, at) || (/^\p{N}/u.test(text.slice(at)) && !/\p{N}\p{M}*$/u.test(text.slice(0, at)));

const isCharacter = /^(?:\s+|\S\p{M}*)$/su;
const isEscape =
  /^(?:\\.|\\{2,4}|\\{1,4}(?:[a-zA-Z]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\})|%(?:25)*[\da-fA-F]{2}(?:%(?:25)*[89abAB][\da-fA-F]){0,3})$/su;

/** A text with the positions at which characters begin. */
class Positions {
  readonly text: string;
  readonly all: readonly number[];
  constructor(text: string) {
    this.text = text;
    this.all = Array.from({ length: text.length + 1 }, (_, at) => at).filter(
      (at) => text.slice(0, at).isWellFormed() && !/^\p{M}/u.test(text.slice(at)),
    );
  }

  /** The ends of the parts that begin here and meet a condition. */
  endsFrom(start: number, isMet: (part: string, end: number) => boolean): number[] {
    return this.all.filter((end) => end > start && isMet(this.text.slice(start, end), end));
  }

  /** Where words end that begin here and are joined in any way. */
  endsOf([word = '', ...others]: readonly string[], start: number, mayTouch: boolean): number[] {
    const ends = this.endsFrom(start, (part) => normal(part) === normal(word));
    if (others.length === 0) return ends;
    const nexts = ends.flatMap((end) => [...(mayTouch ? [end] : []), ...this.joinsAt(end, mayTouch)]);
    return nexts.flatMap((next) => this.endsOf(others, next, mayTouch));
  }

  joinsAt(start: number, mayTouch: boolean): number[] {
    return this.endsFrom(start, (part, end) => {
      if (isEscape.test(part)) return true;
      const isWhole = isCharacter.test(part) && !(/\s$/.test(part) && /^\s/.test(this.text.slice(end)));
      return isWhole && (mayTouch || !wordAfter.test(part));
    });
  }

  endsOfTerm(term: string, isName: boolean, start: number): number[] {
    const words = wordsOf(term);
    const isJoined = isName && words.length > 1 && words.length <= 6;
    const forms = isJoined ? new Set([normal(term)]) : formsOf(term);
    const whole = this.endsFrom(start, (part) => forms.has(normal(part)));
    if (!isJoined) return whole;
    return [...whole, ...this.endsOf(words, start, !isDotted(term) && isLong(words.join('')))];
  }
}

/** Finds the same spans by trying every way to read every term at every position. */
function slowly({ names, hosts }: Terms, text: string): Span[] {
  const positions = new Positions(text);
  const joined: { start: number; end: number }[] = [];
  for (const start of positions.all) {
    if (!isStart(text, start)) continue;
    const ends = [
      ...names.flatMap((name) => positions.endsOfTerm(name, true, start)),
      ...hosts.flatMap((host) => positions.endsOfTerm(host, false, start)),
    ].filter((end) => isEnd(text, end));
    if (ends.length === 0) continue;
    const end = Math.max(...ends);
    const before = joined.at(-1);
    if (before !== undefined && start < before.end) before.end = Math.max(before.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

test('[D24] finds every occurrence of every spelling of every term, and nothing else', () => {
  fc.assert(
    fc.property(terms, terms, texts(25), (names, hosts, text) => {
      expect(termSearch({ names, hosts })(text)).toEqual(slowly({ names, hosts }, text));
    }),
  );
});

test('[D24] finds a name with any join between its words, in any context that bounds it', () => {
  const word = fc.constantFrom('Acme', 'Shop', 'web', 'Café');
  const join = fc.oneof(
    fc.constantFrom(
      '',
      '%20',
      '%2520',
      '%C2%B7',
      '\\u0020',
      '\\x20',
      '\\u{b7}',
      '\\040',
      '\\n',
      '\\\\',
      '\\\\n',
      '  ',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter((text) => /^\P{M}\p{M}*$/u.test(text)),
  );
  const around = fc.constantFrom('', ' ', '_', '/', '-', '%2f');
  const after = fc.oneof(around, fc.nat({ max: 999 }).map(String));
  const joinedWords = fc.array(fc.tuple(join, word), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(word, joinedWords, around, after, fc.boolean(), (first, others, before, behind, isUpper) => {
      const words = [first, ...others.map(([, next]) => next)];
      const written = words.map((each) => (isUpper ? each.toUpperCase() : each));
      const text = written.map((each, index) => each + (others[index]?.[0] ?? '')).join('');
      const spans = termSearch({ names: [words.join(' ')], hosts: [] })(before + text + behind);
      expect(spans).toEqual([{ start: before.length, end: before.length + text.length }]);
    }),
  );
});

test('every character that folds to an ASCII one makes the hint unclear', () => {
  const { isUnclear } = termHint(spellingsOfHost('ascii').spellings);
  const missed: string[] = [];
  for (let codePoint = 128; codePoint <= 0x10ffff; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    if (isAscii(folded(character)) && !isUnclear(character)) missed.push(codePoint.toString(16));
  }
  expect(missed).toEqual([]);
});
