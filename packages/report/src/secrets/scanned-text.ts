/**
 * A text that is being searched for secrets, with what the search learns about it on the way.
 *
 * Most secrets are a prefix and a run of characters of one set. A text that repeats the prefix within a long run
 * would cause a new read of that run for each prefix; the last few runs of each set are remembered, so the search
 * stays linear.
 */
import { isUnspaced } from '../text/words-in-text.ts';

export type CharacterSet = Uint8Array;

/** A set of ASCII characters, given as the inside of a character class: `A-Za-z0-9_-`, a hyphen last. */
export function characterSet(ranges: string): CharacterSet {
  const set = new Uint8Array(128);
  for (let at = 0; at < ranges.length; at += 1) {
    const isRange = ranges[at + 1] === '-' && at + 2 < ranges.length;
    const first = ranges.charCodeAt(at);
    const last = isRange ? ranges.charCodeAt(at + 2) : first;
    set.fill(1, first, last + 1);
    if (isRange) at += 2;
  }
  return set;
}

/**
 * The limit for each set, so that the runs of other formats do not evict one. A single secret has at most five runs.
 */
const RUNS_REMEMBERED = 8;
const isHex = (unit: number) => (unit >= 48 && unit <= 57) || ((unit | 32) >= 97 && (unit | 32) <= 102);
const [BACKSLASH, PERCENT, PLUS, MINUS, U, X] = Array.from('\\%+-ux', (character) => character.charCodeAt(0));
/** The letters that follow the backslash in escapes such as `\n`. */
const ESCAPED_LETTERS = 'bfnrtv';

interface Run {
  readonly start: number;
  readonly end: number;
}

export class ScannedText {
  readonly text: string;
  readonly #runs = new Map<CharacterSet, Run[]>();
  readonly #mentions = new Map<string, boolean>();
  readonly #attempts = new Map<number, number>();
  readonly #nextPlaces = new Map<string, { readonly from: number; readonly at: number }>();

  constructor(text: string) {
    this.text = text;
  }

  /** Where the run of the set's characters that begins at `start` ends; `start` itself without one. */
  runEnd(set: CharacterSet, start: number): number {
    let runs = this.#runs.get(set);
    if (runs === undefined) this.#runs.set(set, (runs = []));
    for (const run of runs) {
      if (run.start <= start && start < run.end) return run.end;
    }
    let end = start;
    while (set[this.text.charCodeAt(end)] === 1) end += 1;
    if (runs.length === RUNS_REMEMBERED) runs.shift();
    runs.push({ start, end });
    return end;
  }

  mentions(literal: string): boolean {
    let known = this.#mentions.get(literal);
    if (known === undefined) this.#mentions.set(literal, (known = this.text.includes(literal)));
    return known;
  }

  /**
   * The first position of a literal at or after `from`; the length of the text without one. Linear for rising `from`.
   */
  next(literal: string, from: number): number {
    const known = this.#nextPlaces.get(literal);
    if (known !== undefined && known.from <= from && from <= known.at) return known.at;
    const found = this.text.indexOf(literal, from);
    const at = found < 0 ? this.text.length : found;
    this.#nextPlaces.set(literal, { from, at });
    return at;
  }

  /** Counts how often a position was tried. This bounds work that many anchors within one run would repeat. */
  isTriedOften(place: number, max: number): boolean {
    const attempts = (this.#attempts.get(place) ?? 0) + 1;
    this.#attempts.set(place, attempts);
    return attempts > max;
  }

  /**
   * The whole character before a position; empty at the start, after an escape, after the sign of a line in a diff
   * and in scripts without spaces between words.
   */
  characterBefore(at: number): string {
    if (at === 0) return '';
    const unit = this.text.charCodeAt(at - 1);
    if ((unit === PLUS || unit === MINUS) && this.#startsLine(at - 1)) return '';
    if (unit < 128 && this.#endsEscape(at, unit)) return '';
    const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff;
    const character = this.text.slice(Math.max(0, isSecondHalf ? at - 2 : at - 1), at);
    return unit >= 128 && isUnspaced(character) ? '' : character;
  }

  #startsLine(at: number): boolean {
    return at === 0 || '\r\n'.includes(this.text.charAt(at - 1));
  }

  /** Whether `\n`, `\x0a`, `\u000a` or `%0A` ends before a position. */
  #endsEscape(at: number, unit: number): boolean {
    const { text } = this;
    const second = text.charCodeAt(at - 2);
    if (second === BACKSLASH) return ESCAPED_LETTERS.includes(text.charAt(at - 1));
    if (!isHex(unit) || !isHex(second)) return false;
    const third = text.charCodeAt(at - 3);
    if (third === PERCENT || text.slice(Math.max(0, at - 5), at - 2) === '%25') return true;
    if (third === X) return text.charCodeAt(at - 4) === BACKSLASH;
    return (
      isHex(third) &&
      isHex(text.charCodeAt(at - 4)) &&
      text.charCodeAt(at - 5) === U &&
      text.charCodeAt(at - 6) === BACKSLASH
    );
  }
}
