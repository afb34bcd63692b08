/** Reproducible random numbers from a seed. */

export interface Chance {
  /** A number of at least 0 and less than 1. */
  next(): number;
  /** An integer of at least 0 and less than `below`. */
  below(below: number): number;
  shuffled<Value>(values: readonly Value[]): Value[];
}

/** Mulberry32: short, and random enough to choose points in time. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    shuffled(values) {
      const left = [...values];
      return values.flatMap(() => left.splice(below(left.length), 1));
    },
  };
}
