/**
 * What counts as a word where a share redacts names: a run of letters and digits with their marks. Everything else
 * ends it, including the underscore, the hyphen and the dot, so that `acme_shop.internal` contains `acme`.
 *
 * In scripts without spaces every character is separate. The end of a word cannot be seen there, so a name must be
 * found within a sentence, or before a particle.
 */
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
/** Matches by script extensions, which include the long vowel sign of Japanese. */
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
/** A cache, since texts in one language repeat the same few characters. */
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

/** Whether a word character ends directly before this position. */
export function isWordBefore(text: string, at: number): boolean {
  if (at === 0) return false;
  const unit = text.charCodeAt(at - 1);
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff;
  return kindOf((isSecondHalf ? text.codePointAt(at - 2) : unit) ?? unit) === WORD_KIND;
}

/** Whether a word character begins at this position. */
export function isWordAt(text: string, at: number): boolean {
  const codePoint = text.codePointAt(at);
  return codePoint !== undefined && kindOf(codePoint) === WORD_KIND;
}

const ASCII = /^[\0-\x7f]*$/;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** A word in a form that ignores case and equivalent spellings of a character. */
export function folded(word: string): string {
  if (isAscii(word)) return word.toUpperCase();
  return word.normalize('NFD').toLowerCase().toUpperCase().normalize('NFD');
}
