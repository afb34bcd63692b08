/** Reads without a pause, by several readers, while something is ended: what the reads returned before and after it. */

export type Read = () => Promise<string>;

export interface ReadsAround {
  /** The outcomes of the reads that finished before `end` was called. */
  readonly before: readonly string[];
  /** The outcomes of the reads that began after `end` had finished. */
  readonly after: readonly string[];
}

const BEFORE_EACH = 3;
const AFTER_EACH = 5;
const TRIED_MS_MAX = 60_000;

/** Returns each outcome once. Every reader reads several times before the end, and after it. */
export async function readsAround(
  readers: readonly Read[],
  end: () => Promise<unknown>,
): Promise<ReadsAround> {
  const deadline = performance.now() + TRIED_MS_MAX;
  let endBegan = Infinity;
  let ended = Infinity;
  let warm = 0;
  let isEnough: () => void = () => undefined;
  const areWarm = new Promise<void>((resolve) => (isEnough = resolve));
  const before = new Set<string>();
  const after = new Set<string>();

  async function readOn(read: Read): Promise<void> {
    let countBefore = 0;
    let countAfter = 0;
    while (countAfter < AFTER_EACH) {
      if (performance.now() > deadline) throw new Error('reading took too long');
      const began = performance.now();
      const outcome = await read();
      if (began > ended) {
        after.add(outcome);
        countAfter += 1;
      } else if (performance.now() < endBegan) {
        before.add(outcome);
        countBefore += 1;
        if (countBefore === BEFORE_EACH) warm += 1;
        if (warm === readers.length) isEnough();
      }
    }
  }

  const reading = Promise.all(readers.map(readOn));
  await Promise.race([areWarm, reading]);
  endBegan = performance.now();
  await end();
  ended = performance.now();
  await reading;
  return { before: [...before].toSorted(), after: [...after].toSorted() };
}
