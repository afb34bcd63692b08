/** The known word that is closest to a mistyped one. */

/** @returns undefined unless a known word is close: at most two typos away, and fewer for a short word. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let found: string | undefined;
  let slipsFound = Math.min(SLIPS_MAX, Math.floor(word.length * SLIPS_PER_CHARACTER)) + 1;
  for (const candidate of known) {
    const slips = slipsBetween(word.toLowerCase(), candidate.toLowerCase());
    if (slips < slipsFound) [found, slipsFound] = [candidate, slips];
  }
  return found;
}

const SLIPS_MAX = 2;
const SLIPS_PER_CHARACTER = 0.4;
/** No known word is longer, and the time grows with the square of the length. */
const LENGTH_MAX = 64;

/** Counts characters that were omitted, added, changed, or swapped with their neighbour. */
function slipsBetween(one: string, other: string): number {
  if (Math.max(one.length, other.length) > LENGTH_MAX) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed, swapped));
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? Infinity;
}
