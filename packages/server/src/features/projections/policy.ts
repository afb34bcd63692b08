/** Which prepared projections a report has, and which findings each of them lists. */

/** The maximum number of prepared projections of a report. A share without one of them reads the whole report. */
export const PREPARED_MAX = 32;

/**
 * @param used digests of the policies of active shares, in the order in which they get rows.
 * @param present digests of the existing rows.
 */
export function rowsToChange(
  used: readonly string[],
  present: readonly string[],
): { readonly added: readonly string[]; readonly released: readonly string[] } {
  const isUsed = new Set(used);
  const isPresent = new Set(present);
  const released = present.filter((digest) => !isUsed.has(digest));
  const missing = [...isUsed].filter((digest) => !isPresent.has(digest));
  return { added: missing.slice(0, Math.max(0, PREPARED_MAX - present.length + released.length)), released };
}

const BITS = 8;

/** One bit for each item: 1 if it is listed. */
export function packedBits<Item>(items: readonly Item[], isListed: (item: Item) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(items.length / BITS));
  for (const [index, item] of items.entries()) {
    const at = Math.floor(index / BITS);
    if (isListed(item)) bits[at] = (bits[at] ?? 0) | (1 << (index % BITS));
  }
  return bits;
}

export function hasBit(bits: Uint8Array, index: number): boolean {
  return (((bits[Math.floor(index / BITS)] ?? 0) >> (index % BITS)) & 1) === 1;
}
