/**
 * Finds many terms in many texts, in any case and spelling, in time that is linear in the text however the terms
 * overlap: an Aho-Corasick automaton over folded characters. An occurrence counts only if it is between two boundaries.
 *
 * The engine's own search is ten times faster than code in JavaScript, so it first searches for the beginnings of
 * terms.
 */
import { isNameBoundary } from './name-boundaries.ts';
import { termHint } from './term-hint.ts';
import { asciiUnits, clusterEnd, SPACE_UNIT, spellingsOf, unitsOfCluster } from './term-spellings.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The parts of a text that are occurrences, in order; overlapping ones are merged. */
export type FindTerms = (text: string) => readonly Span[];

const NOTHING: readonly Span[] = [];

export function termSearch(terms: readonly string[]): FindTerms {
  const spellings = terms.flatMap(spellingsOf);
  if (spellings.length === 0) return () => NOTHING;
  const root = automatonOf(spellings);
  const { begins, isUnclear } = termHint(spellings);
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
      begins.lastIndex = isNameBoundary(text, index)
        ? search(root, text, { from: index, to: index, found })
        : index + 1;
      hint = begins.exec(text);
    }
    return found;
  };
}

interface State {
  /** The number of units that lead to this state; at the end of a spelling, its length. */
  readonly depth: number;
  /** Most states have one transition, which needs no map. */
  unit: number;
  next: State | undefined;
  others: Map<number, State> | undefined;
  /** The state for a unit that does not match: the longest suffix of the input that begins a spelling. */
  fallback: State | undefined;
  isEnd: boolean;
  /** The longest shorter spelling that ends here too. */
  shorter: State | undefined;
}

function stateAt(depth: number): State {
  return {
    depth,
    unit: -2,
    next: undefined,
    others: undefined,
    fallback: undefined,
    isEnd: false,
    shorter: undefined,
  };
}

function automatonOf(spellings: readonly (readonly number[])[]): State {
  const root = stateAt(0);
  for (const spelling of spellings) {
    let state = root;
    for (const unit of spelling) state = step(state, unit) ?? connected(state, unit);
    state.isEnd = true;
  }
  const waiting = [root];
  // The list grows while it is walked: states come in the order of their depth.
  for (const state of waiting) {
    for (const [unit, next] of waysFrom(state)) {
      next.fallback = state.fallback === undefined ? root : follow(state.fallback, unit);
      next.shorter = next.fallback.isEnd ? next.fallback : next.fallback.shorter;
      waiting.push(next);
    }
  }
  return root;
}

function connected(state: State, unit: number): State {
  const next = stateAt(state.depth + 1);
  if (state.next === undefined) {
    state.unit = unit;
    state.next = next;
  } else {
    (state.others ??= new Map()).set(unit, next);
  }
  return next;
}

function* waysFrom({ unit, next, others }: State): Iterable<readonly [number, State]> {
  if (next !== undefined) yield [unit, next];
  if (others !== undefined) yield* others;
}

function step(state: State, unit: number): State | undefined {
  return state.unit === unit ? state.next : state.others?.get(unit);
}

function follow(from: State, unit: number): State {
  for (let state = from; ;) {
    const next = step(state, unit);
    if (next !== undefined) return next;
    if (state.fallback === undefined) return state;
    state = state.fallback;
  }
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
      end = clusterEnd(text, at);
      let start = at;
      for (const part of unitsOfCluster(text.slice(at, end))) {
        state = follow(state, part);
        starts.push(start);
        start = NO_START;
      }
    } else {
      state = follow(state, unit);
      starts.push(at);
    }
    coverEndingAt(state, text, { starts, end, found });
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
  if (ending === undefined || !isNameBoundary(text, end)) return;
  for (; ending !== undefined; ending = ending.shorter) {
    const start = starts[starts.length - ending.depth] ?? -1;
    if (start < 0 || !isNameBoundary(text, start)) continue;
    cover(found, start, end);
    return;
  }
}

/** Occurrences are in the order of their ends, so one can contain several earlier ones. */
function cover(spans: Span[], start: number, end: number): void {
  let from = start;
  for (let last = spans.at(-1); last !== undefined && last.end > from; last = spans.at(-1)) {
    from = Math.min(from, last.start);
    spans.pop();
  }
  spans.push({ start: from, end });
}
