/** Statistics of measurements. */

/** The smallest value that at least this part of all values does not exceed; NaN without values. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle value, or the mean of the two in the middle; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  const high = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return (low + high) / 2;
}
