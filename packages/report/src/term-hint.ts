/** Expressions that find where a term may begin in a text, for the engine to run before a search that is exact. */
import { folded, isAscii } from './words-in-text.ts';

export interface TermHint {
  /** Global. Matches wherever a term begins, or `unclear` once in the text. */
  readonly begins: RegExp;
  /** A character that may stand for another one, so that it can not be said where a term begins. */
  readonly unclear: RegExp;
}

/** All characters beyond ASCII that fold to ASCII ones. */
const FOLDING_TO_ASCII = String.raw`[\u00df\u0131\u017f\u037e\u1e9e\u1fef\u212a\ufb00-\ufb06]`;
const BEYOND_ASCII = String.raw`[\u0080-\uffff]`;

/** Beginnings are cut: to what is told apart well, and further as long as all of them are too much for one expression. */
const BEGINNING_LENGTHS = [16, 3, 2];
const BEGINNINGS_LENGTH_MAX = 4000;

export function termHint(terms: readonly string[]): TermHint {
  const words = terms.map(folded);
  const plain = words.filter(isAscii);
  const unclear = plain.length === words.length ? FOLDING_TO_ASCII : BEYOND_ASCII;
  const sought = [unclear, ...beginningsOf(plain).map(escaped)].join('|');
  // linear: literals of 16 characters at most, and one class of characters
  const begins = new RegExp(sought, 'gi');
  // linear: one class of characters
  return { begins, unclear: new RegExp(unclear) };
}

function beginningsOf(terms: readonly string[]): string[] {
  for (const length of BEGINNING_LENGTHS) {
    const beginnings = cut(terms, length);
    if (beginnings.join('').length <= BEGINNINGS_LENGTH_MAX) return beginnings;
  }
  return cut(terms, 1);
}

/** Before the first space, which may be another one in the text. */
function cut(terms: readonly string[], length: number): string[] {
  return [...new Set(terms.map((term) => term.slice(0, length).split(/\s/, 1)[0] ?? ''))];
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);
}
