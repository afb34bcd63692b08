/**
 * A text that is being searched for secrets, with what the search learns about it on the way.
 *
 * Most secrets are a prefix and a run of characters of one set. A text that repeats the prefix within a long run would
 * have that run read again from each of them; the last few runs are remembered, so the search stays linear.
 */
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

/** How many runs are remembered: one more than a single secret has. */
const RUNS_REMEMBERED = 4;

interface Run {
  readonly set: CharacterSet;
  readonly start: number;
  readonly end: number;
}

export class ScannedText {
  readonly text: string;
  readonly #runs: Run[] = [];
  readonly #mentions = new Map<string, boolean>();

  constructor(text: string) {
    this.text = text;
  }

  /** Where the run of the set's characters that begins at `start` ends; `start` itself when there is none. */
  runEnd(set: CharacterSet, start: number): number {
    for (const run of this.#runs) {
      if (run.set === set && run.start <= start && start < run.end) return run.end;
    }
    let end = start;
    while (set[this.text.charCodeAt(end)] === 1) end += 1;
    if (this.#runs.length === RUNS_REMEMBERED) this.#runs.shift();
    this.#runs.push({ set, start, end });
    return end;
  }

  mentions(literal: string): boolean {
    let known = this.#mentions.get(literal);
    if (known === undefined) this.#mentions.set(literal, (known = this.text.includes(literal)));
    return known;
  }

  /** The whole character before a place; empty at the start. */
  characterBefore(at: number): string {
    if (at === 0) return '';
    const unit = this.text.charCodeAt(at - 1);
    const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff;
    return this.text.slice(Math.max(0, isSecondHalf ? at - 2 : at - 1), at);
  }
}
