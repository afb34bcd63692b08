/** Writes items in groups: items that arrive while one group is being written form the next group. */
const GROUP_MAX = 500;

interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** @returns a function that adds an item; its promise resolves once the item is written, or rejects with its group. */
export function inGroups<Item>(
  write: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  const gathered: Waiting<Item>[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    for (let group = gathered.splice(0, GROUP_MAX); group.length > 0; group = gathered.splice(0, GROUP_MAX)) {
      try {
        await write(group.map(({ item }) => item));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    writing = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      gathered.push({ item, resolve, reject });
      if (writing) return;
      writing = true;
      // Waits for everything that arrives in this tick.
      setImmediate(() => void writeAll());
    });
}
