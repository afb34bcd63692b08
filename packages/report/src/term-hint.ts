/** Expressions that find where a term may begin in a text, for the engine to run before a search that is exact. */
import { SPACE_UNIT } from './term-spellings.ts';
import { isAscii } from './words-in-text.ts';

export interface TermHint {
  /** Global. Matches wherever a term begins, or `unclear` once in the text. */
  readonly begins: RegExp;
  /** A character that may stand for another one, so that a look at single characters is not enough. */
  readonly unclear: RegExp;
}

/** All characters beyond ASCII that fold to ASCII ones or are spaces. */
const FOLDING_TO_ASCII = String.raw`[\u00a0\u00df\u0131\u017f\u037e\u1680\u1e9e\u1fef\u2000-\u200a\u2028\u2029\u202f\u205f\u212a\u3000\ufb00-\ufb06\ufeff]`;
const SPACE = String.fromCharCode(SPACE_UNIT);
const BEYOND_ASCII = String.raw`[\u0080-\uffff]`;

/** Beginnings are cut: to what is distinct enough, and further as long as all of them are too much for one expression. */
const BEGINNING_LENGTHS = [16, 3, 2];
const BEGINNINGS_LENGTH_MAX = 4000;

export function termHint(spellings: readonly (readonly number[])[]): TermHint {
  const texts = spellings.map((units) => units.map((unit) => String.fromCharCode(unit)).join(''));
  const plain = texts.filter(isAscii);
  const unclear = plain.length === texts.length ? FOLDING_TO_ASCII : BEYOND_ASCII;
  const sought = [unclear, ...beginningsOf(plain)].join('|');
  // linear: literals of 16 characters at most, and classes of one character
  const begins = new RegExp(sought, 'gi');
  // linear: one class of characters
  return { begins, unclear: new RegExp(unclear) };
}

function beginningsOf(texts: readonly string[]): string[] {
  for (const length of BEGINNING_LENGTHS) {
    const beginnings = cut(texts, length);
    if (beginnings.join('').length <= BEGINNINGS_LENGTH_MAX) return beginnings.map(escaped);
  }
  return cut(texts, 1).map(escaped);
}

/** Before the first space, which may be another one in the text. What begins with another beginning is found by that one. */
function cut(texts: readonly string[], length: number): string[] {
  const distinct = new Set(texts.map((text) => text.slice(0, length).split(SPACE, 1)[0] ?? ''));
  return [...distinct].filter(
    (text) =>
      !Array.from({ length: text.length - 1 }, (_, end) => text.slice(0, end + 1)).some((start) =>
        distinct.has(start),
      ),
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);
}
