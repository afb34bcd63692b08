/** Cuts a text for the size of its report, and marks it. */
import { redactText } from '../secrets/redact.ts';
import { utf8Length } from './utf8-length.ts';

const MARK = '… [shortened]';
const MARK_LENGTH = MARK.length;
const MARK_BYTES = utf8Length(MARK);
/** Replaces a text that would look like a secret after the cut. */
const NOTHING = `The text was removed${MARK}`;

/** The lowest limit in characters (code points): a cut text stays meaningful, and long enough for every field. */
export const SHORTENED_LENGTH_MIN = 100;

/**
 * At most `lengthMax` characters (code points), none cut in two.
 *
 * @param lengthMax at least `SHORTENED_LENGTH_MIN`.
 */
export function shortened(text: string, lengthMax: number): string {
  if (isShort(text, lengthMax)) return text;
  const kept = redactText(beginning(text, lengthMax - MARK_LENGTH)).text;
  const cut = `${beginning(kept, lengthMax - MARK_LENGTH).replace(/ $/, '')}${MARK}`;
  return redactText(cut).count === 0 ? cut : NOTHING;
}

/** The approximate size of the shortened text as JSON in bytes; rarely too low. */
export function shortenedSize(text: string, lengthMax: number): number {
  if (isShort(text, lengthMax)) return jsonSize(text);
  return jsonSize(beginning(text, lengthMax - MARK_LENGTH)) + MARK_BYTES;
}

/** A text whose shortened size is asked for many times. */
export class MeasuredText {
  readonly #text: string;
  /** Each character is one byte in JSON. */
  readonly #isPlain: boolean;
  /** The size of the whole text, once it was needed. */
  #wholeSize: number | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#isPlain = PLAIN.test(text);
  }

  /** The result of `shortenedSize` for this text. */
  sizeWithin(lengthMax: number): number {
    if (!this.#isPlain) {
      if (!isShort(this.#text, lengthMax)) return shortenedSize(this.#text, lengthMax);
      this.#wholeSize ??= jsonSize(this.#text);
      return this.#wholeSize;
    }
    const { length } = this.#text;
    return length <= lengthMax ? length + QUOTES : lengthMax - MARK_LENGTH + QUOTES + MARK_BYTES;
  }
}

// linear: one class
const PLAIN = /^[ !#-[\]-~]*$/;
const QUOTES = 2;

export function isShort(text: string, lengthMax: number): boolean {
  return text.length <= lengthMax || indexOf(text, lengthMax) === text.length;
}

function jsonSize(value: string): number {
  return utf8Length(JSON.stringify(value));
}

function beginning(text: string, length: number): string {
  return text.slice(0, indexOf(text, length));
}

/** The index after this many code points. */
function indexOf(text: string, length: number): number {
  let index = 0;
  for (let count = 0; count < length && index < text.length; count += 1)
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return index;
}
