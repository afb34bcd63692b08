/**
 * Finds many terms in many texts, in any case and spelling, in time that is linear in the text however the terms
 * overlap: an Aho-Corasick automaton over folded characters. An occurrence counts only if it is between two boundaries.
 *
 * The engine's own search is ten times faster than code in JavaScript, so it first searches for the beginnings of
 * terms.
 */
import type { Terms } from './anonymous-terms.ts';
import { isNameEnd, isNameStart } from './name-boundaries.ts';
import { nameEnd } from './name-joins.ts';
import { automatonOf, follow, type State } from './term-automaton.ts';
import { termHint } from './term-hint.ts';
import {
  asciiUnits,
  characterEnd,
  SPACE_UNIT,
  spellingsOfHost,
  spellingsOfName,
  unitsAt,
} from './term-spellings.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The parts of a text that are occurrences, in order; overlapping ones are merged. */
export type FindTerms = (text: string) => readonly Span[];

const NOTHING: readonly Span[] = [];

export function termSearch({ names, hosts }: Terms): FindTerms {
  const all = [...names.map(spellingsOfName), ...hosts.map(spellingsOfHost)];
  if (all.length === 0) return () => NOTHING;
  const spellings = all.flatMap((each) => each.spellings);
  const joined = all.flatMap((each) => each.joined);
  const root = automatonOf(spellings, joined);
  const { begins, isUnclear } = termHint([...spellings, ...joined.map(({ firstWord }) => firstWord)]);
  return (text) => {
    const found: Span[] = [];
    // A character may fold to others, so the whole text is searched.
    if (isUnclear(text)) {
      search(root, text, { from: 0, to: text.length, found });
      return found;
    }
    begins.lastIndex = 0;
    let hint = begins.exec(text);
    while (hint !== null) {
      const { index } = hint;
      begins.lastIndex = isNameStart(text, index)
        ? search(root, text, { from: index, to: index, found })
        : index + 1;
      hint = begins.exec(text);
    }
    return found;
  };
}

interface Search {
  readonly from: number;
  /** The search continues at least to here, and then while a spelling may have begun. */
  readonly to: number;
  readonly found: Span[];
}

/** Returns the position at which the search stopped. */
function search(root: State, text: string, { from, to, found }: Search): number {
  /** The start of each unit that was read; -1 for all but the first unit of a character that folds to several. */
  const starts: number[] = [];
  let state = root;
  let at = from;
  while (at < text.length && (at < to || at === from || state !== root)) {
    const unit = asciiUnits[text.charCodeAt(at)] ?? BEYOND_ASCII;
    let end = at + 1;
    // A mark may follow an ASCII character.
    if (unit === SPACE_UNIT || unit === BEYOND_ASCII || text.charCodeAt(end) >= 128) {
      end = characterEnd(text, at);
      let start = at;
      for (const part of unitsAt(text, at, end)) {
        state = follow(state, part);
        starts.push(start);
        start = NO_START;
      }
    } else {
      state = follow(state, unit);
      starts.push(at);
    }
    if (state.isEnd || state.shorter !== undefined) coverEndingAt(state, text, { starts, end, found });
    if (state.firstWord !== undefined) coverNamesAfter(state, text, { starts, end, found });
    at = end;
  }
  return at;
}

const BEYOND_ASCII = -1;
const NO_START = -1;

interface Reading {
  readonly starts: readonly number[];
  readonly end: number;
  readonly found: Span[];
}

/** Covers the longest spelling that ends here and is between boundaries. */
function coverEndingAt(state: State, text: string, { starts, end, found }: Reading): void {
  let ending = state.isEnd ? state : state.shorter;
  if (ending === undefined || !isNameEnd(text, end)) return;
  for (; ending !== undefined; ending = ending.shorter) {
    const start = starts[starts.length - ending.depth] ?? NO_START;
    if (start === NO_START || !isNameStart(text, start)) continue;
    cover(found, start, end);
    return;
  }
}

/** Covers the longest name of each first word that ends here. */
function coverNamesAfter(state: State, text: string, { starts, end, found }: Reading): void {
  for (let word = state.firstWord; word !== undefined; word = word.fallback?.firstWord) {
    const start = starts[starts.length - word.depth] ?? NO_START;
    if (start !== NO_START && isNameStart(text, start)) cover(found, start, nameEnd(word, text, end));
  }
}

/** A name reaches further than what was read, so it can contain later occurrences, or overlap them. */
function cover(spans: Span[], start: number, end: number): void {
  if (end < start) return;
  let covered = { start, end };
  for (let last = spans.at(-1); last !== undefined && last.end > covered.start; last = spans.at(-1)) {
    covered = { start: Math.min(covered.start, last.start), end: Math.max(covered.end, last.end) };
    spans.pop();
  }
  spans.push(covered);
}
