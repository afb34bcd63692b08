/** Finds where a term may begin in a text, by searches that the engine runs fast. An exact search follows. */
import { SPACE_UNIT } from './term-spellings.ts';
import { isAscii } from '../text/words-in-text.ts';

export interface TermHint {
  /** A global expression. Unless the text is unclear, it matches at each beginning of a term. */
  readonly begins: RegExp;
  /** Whether the text has characters that may fold to those of a term, which `begins` does not match. */
  readonly isUnclear: (text: string) => boolean;
}

/**
 * All characters beyond Latin-1 that fold to ASCII ones or are spaces. A text in Latin-1 has none of these, so it is
 * not searched for them.
 */
const WIDE_TO_ASCII =
  /[\u0131\u017f\u037e\u1680\u1e9e\u1fef\u2000-\u200a\u2028\u2029\u202f\u205f\u212a\u3000\ufb00-\ufb06\ufeff]/;
/** The Latin-1 characters that fold to ASCII or are spaces. */
const NO_BREAK_SPACE = '\u00a0';
const SHARP_S = '\u00df';
const BEYOND_ASCII = /[\u0080-\uffff]/;
const NEVER = '(?!)';
const SPACE = String.fromCharCode(SPACE_UNIT);

/**
 * The lengths of prefixes to try, in this order. A shorter length applies if all prefixes together are too long for one
 * expression.
 */
const BEGINNING_LENGTHS = [16, 3, 2];
const BEGINNINGS_LENGTH_MAX = 4000;

export function termHint(spellings: readonly (readonly number[])[]): TermHint {
  const texts = spellings.map((units) => units.map((unit) => String.fromCharCode(unit)).join(''));
  const plain = texts.filter(isAscii);
  // linear: short literals, each character in both cases
  const begins = new RegExp(plain.length === 0 ? NEVER : beginningsOf(plain).join('|'), 'g');
  const isUnclear = plain.length === texts.length ? foldsToAscii : (text: string) => BEYOND_ASCII.test(text);
  return { begins, isUnclear };
}

function foldsToAscii(text: string): boolean {
  return text.includes(NO_BREAK_SPACE) || text.includes(SHARP_S) || WIDE_TO_ASCII.test(text);
}

function beginningsOf(texts: readonly string[]): string[] {
  for (const length of BEGINNING_LENGTHS) {
    const beginnings = cut(texts, length);
    if (beginnings.join('').length <= BEGINNINGS_LENGTH_MAX) return beginnings.map(escaped);
  }
  return cut(texts, 1).map(escaped);
}

/**
 * The beginnings of the texts, up to the first space: a searched text may have other white space there. A beginning
 * that starts with another is left out, since the shorter one also matches there.
 */
function cut(texts: readonly string[], length: number): string[] {
  const distinct = new Set(texts.map((text) => text.slice(0, length).split(SPACE, 1)[0] ?? ''));
  return [...distinct].filter(
    (text) =>
      !Array.from({ length: text.length - 1 }, (_, end) => text.slice(0, end + 1)).some((start) =>
        distinct.has(start),
      ),
  );
}

/** An expression for both cases, which is faster than the flag that ignores case. */
function escaped(text: string): string {
  return text
    .replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`)
    .replaceAll(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`);
}
