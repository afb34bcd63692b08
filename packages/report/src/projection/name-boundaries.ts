/**
 * Where a name may begin and end within a text: beside anything that is not a letter or digit (including the
 * underscore), beside any character in scripts without spaces, where the case changes from lower to upper, and after
 * an escape. A name may also end before a digit.
 */
import { isWordAt, isWordBefore } from '../text/words-in-text.ts';

const LOWER_BEFORE = /\p{Ll}\p{M}*$/u;
const UPPER = /^\p{Lu}/u;
const DIGIT = /^\p{N}/u;
const DIGIT_BEFORE = /\p{N}\p{M}*$/u;
/** More combining marks than a letter has in practice. */
const MARKS_LENGTH_MAX = 8;
/**
 * Escapes: `\n` and other letters, including those of regular expressions; `\x2f`, `\u002f`, `\057`; `%2f`, even if it
 * was encoded again; `%u002f`.
 */
const ESCAPE =
  /\\[0abdefnrstvwABDSWZz]$|\\x[0-9a-fA-F]{2}$|\\u[0-9a-fA-F]{4}$|\\U[0-9a-fA-F]{8}$|\\[0-7]{2,3}$|%(?:25){0,4}[0-9a-fA-F]{2}$|%u[0-9a-fA-F]{4}$/;
const ESCAPE_LENGTH_MAX = 11;

export function isNameStart(text: string, at: number): boolean {
  if (!isWordBefore(text, at) || !isWordAt(text, at)) return true;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (before < 128 && after < 128) {
    if (isAsciiLower(before) && isAsciiUpper(after)) return true;
  } else if (UPPER.test(text.slice(at, at + 2)) && LOWER_BEFORE.test(shortlyBefore(text, at))) {
    return true;
  }
  return before < 128 && ESCAPE.test(text.slice(Math.max(0, at - ESCAPE_LENGTH_MAX), at));
}

/** Digits after a name number it, as in `acme2`. After a digit they would only continue its number. */
export function isNameEnd(text: string, at: number): boolean {
  if (isNameStart(text, at)) return true;
  return DIGIT.test(text.slice(at, at + 2)) && !DIGIT_BEFORE.test(shortlyBefore(text, at));
}

function shortlyBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - MARKS_LENGTH_MAX), at);
}

function isAsciiLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isAsciiUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}
