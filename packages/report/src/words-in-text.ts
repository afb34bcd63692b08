/**
 * What counts as a word where a share takes names out of texts: a run of letters and digits with their marks. Everything
 * else ends it, the underscore, the hyphen and the dot as well, so that `acme_shop.internal` holds `acme`.
 *
 * In scripts that put no spaces between words every character stands for itself. Where a word ends can not be seen there,
 * and a name must be found within a sentence, or with a particle that follows it directly.
 */
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
/** By their extensions, which hold the long vowel sign of Japanese too. */
const UNSPACED_CHARACTER =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const SPACE = /\s/u;

/** Whether a character is of a script that puts no spaces between words. */
export function isUnspaced(character: string): boolean {
  return UNSPACED_CHARACTER.test(character);
}

export const OTHER_KIND = 0;
export const WORD_KIND = 1;
export const SPACE_KIND = 2;
export type CharacterKind = typeof OTHER_KIND | typeof WORD_KIND | typeof SPACE_KIND;

const asciiKinds = Array.from({ length: 128 }, (_, code) => judged(String.fromCharCode(code)));
/** Texts in one language ask for the same few characters again and again. */
const otherKinds = new Map<number, CharacterKind>();
const REMEMBERED_MAX = 10_000;

function judged(character: string): CharacterKind {
  if (SPACE.test(character)) return SPACE_KIND;
  return WORD_CHARACTER.test(character) && !UNSPACED_CHARACTER.test(character) ? WORD_KIND : OTHER_KIND;
}

function kindOf(codePoint: number): CharacterKind {
  const ascii = asciiKinds[codePoint];
  if (ascii !== undefined) return ascii;
  let kind = otherKinds.get(codePoint);
  if (kind === undefined) {
    kind = judged(String.fromCodePoint(codePoint));
    if (otherKinds.size < REMEMBERED_MAX) otherKinds.set(codePoint, kind);
  }
  return kind;
}

/** Whether a character of a word ends directly before this place. */
export function isWordBefore(text: string, at: number): boolean {
  if (at === 0) return false;
  const unit = text.charCodeAt(at - 1);
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff;
  return kindOf((isSecondHalf ? text.codePointAt(at - 2) : unit) ?? unit) === WORD_KIND;
}

/** Whether a character of a word begins at this place. */
export function isWordAt(text: string, at: number): boolean {
  const codePoint = text.codePointAt(at);
  return codePoint !== undefined && kindOf(codePoint) === WORD_KIND;
}

const ASCII = /^[\0-\x7f]*$/;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** A word without the differences of case and of ways to write the same character. */
export function folded(word: string): string {
  if (isAscii(word)) return word.toUpperCase();
  return word.normalize('NFD').toLowerCase().toUpperCase().normalize('NFD');
}
