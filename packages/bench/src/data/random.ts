/** Pseudo-random numbers that are the same in every run. */
export interface Draw {
  /** An integer, both bounds included. */
  between(least: number, most: number): number;
  of<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** The generator is mulberry32. */
export function createDraw(seed: number): Draw {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return { between, of: (items) => items[between(0, items.length - 1)] ?? items[0] };
}
