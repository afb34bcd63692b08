/** Runs a few tasks at a time. */

/**
 * Runs `run` for each item, at most `most` at a time, in their order.
 * @returns the results in the order of the items.
 * @throws what `run` throws; the remaining items are then not started.
 */
export async function atOnce<Item, Result>(
  items: readonly Item[],
  most: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  let hasFailed = false;
  const runNext = async (): Promise<void> => {
    for (let at = next++; at < items.length && !hasFailed; at = next++) {
      try {
        results[at] = await run(items[at] as Item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, runNext));
  return results;
}
