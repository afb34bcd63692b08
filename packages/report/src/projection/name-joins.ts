/**
 * Names whose words are joined in a text by any one character, by an escape, or by nothing. The search finds their first
 * words; from there, all ways to read on are tried. A name has few words, so these are few.
 */
import { isNameEnd } from './name-boundaries.ts';
import { step, type State } from './term-automaton.ts';
import { characterEnd, unitsAt } from './term-spellings.ts';
import { isWordAt } from '../text/words-in-text.ts';

/**
 * The end of the longest name that ends at a boundary; -1 if there is none.
 * @param state at the end of a word of the name, which ends at `at`.
 */
export function nameEnd(state: State, text: string, at: number): number {
  const touching = state.loose === undefined ? -1 : endOfWords(state.loose, text, at);
  if (at >= text.length) return touching;
  const end = characterEnd(text, at);
  const first = text[at];
  if (first !== '\\' && first !== '%')
    return Math.max(touching, endAfterJoin(state, text, { end, isLetter: isWordAt(text, at) }));
  const ends = new Set([end, ...escapeEnds(text, at)]);
  return Math.max(
    touching,
    ...[...ends].map((next) => endAfterJoin(state, text, { end: next, isLetter: false })),
  );
}

interface Join {
  readonly end: number;
  readonly isLetter: boolean;
}

function endAfterJoin({ loose, apart }: State, text: string, { end, isLetter }: Join): number {
  const afterAny = loose === undefined ? -1 : endOfWords(loose, text, end);
  return apart === undefined || isLetter ? afterAny : Math.max(afterAny, endOfWords(apart, text, end));
}

/** @param from where the next word may begin. */
function endOfWords(from: State, text: string, start: number): number {
  let longest = -1;
  let state = from;
  for (let at = start; at < text.length;) {
    const end = characterEnd(text, at);
    for (const unit of unitsAt(text, at, end)) {
      const next = step(state, unit);
      if (next === undefined) return longest;
      state = next;
    }
    if (state.isEnd && isNameEnd(text, end)) longest = end;
    if (state.loose ?? state.apart) longest = Math.max(longest, nameEnd(state, text, end));
    at = end;
  }
  return longest;
}

/**
 * Escapes, also with the backslashes or percent signs doubled by a second encoding: `\-`, `\n`, `\\`, `\x20`, `\u0020`,
 * `\u{20}`, `\040`; `%20`, with the bytes that continue a character as in `%C2%B7`; `%u0020`.
 */
const ESCAPES = [
  /\\[^]/uy,
  /\\{2,4}/y,
  /\\{2,4}[a-zA-Z]/y,
  /\\{1,4}(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|U[0-9a-fA-F]{8}|[0-7]{3})/y,
  /%(?:25){0,4}[0-9a-fA-F]{2}(?:%(?:25){0,4}[89abAB][0-9a-fA-F]){0,3}/y,
  /%u[0-9a-fA-F]{4}/y,
];

function* escapeEnds(text: string, at: number): Iterable<number> {
  for (const escape of ESCAPES) {
    escape.lastIndex = at;
    if (escape.test(text)) yield escape.lastIndex;
  }
}
