/**
 * Options of `LRUCache` for a maximum number of entries. Its own option `max` allocates the memory of all entries when the
 * cache is created; with these, the memory grows with the entries.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 }) as const;
