/** An Aho-Corasick automaton over folded units, of everything that is searched for. */
import type { JoinedName, Units } from './term-spellings.ts';

export interface State {
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
  /** Where the next word of a name begins, after any join or nothing. Its states have no fallback. */
  loose: State | undefined;
  /** Where the next word of a name begins, after a join that is neither a letter nor a digit. */
  apart: State | undefined;
  /** The longest suffix of the input, possibly all of it, that is the first word of a name. */
  firstWord: State | undefined;
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
    loose: undefined,
    apart: undefined,
    firstWord: undefined,
  };
}

/** @returns its first state. */
export function automatonOf(spellings: readonly Units[], names: readonly JoinedName[]): State {
  const root = stateAt(0);
  for (const spelling of spellings) reached(root, spelling).isEnd = true;
  for (const { firstWord, words, join } of names) {
    let state = reached(root, firstWord);
    for (const word of words) state = reached((state[join] ??= stateAt(0)), word);
    state.isEnd = true;
  }
  const waiting = [root];
  // The list grows while it is walked: states come in the order of their depth.
  for (const state of waiting) {
    for (const [unit, next] of waysFrom(state)) {
      const fallback = state.fallback === undefined ? root : follow(state.fallback, unit);
      next.fallback = fallback;
      next.shorter = fallback.isEnd ? fallback : fallback.shorter;
      next.firstWord = (next.loose ?? next.apart) ? next : fallback.firstWord;
      waiting.push(next);
    }
  }
  return root;
}

/** Adds the states for units that no other spelling has. */
function reached(from: State, units: Units): State {
  let state = from;
  for (const unit of units) state = step(state, unit) ?? connected(state, unit);
  return state;
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

export function step(state: State, unit: number): State | undefined {
  return state.unit === unit ? state.next : state.others?.get(unit);
}

/** The state after a unit, or after the longest suffix of the input that it continues. */
export function follow(from: State, unit: number): State {
  for (let state = from; ;) {
    const next = step(state, unit);
    if (next !== undefined) return next;
    if (state.fallback === undefined) return state;
    state = state.fallback;
  }
}
