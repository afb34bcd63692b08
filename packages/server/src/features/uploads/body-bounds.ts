/** How deep and how finely divided a report may be: beyond what any report is, and within what a parser takes well. */
import type { JsonBounds } from '#platform/json-shape';

export const DEPTH_MAX = 64;
/** A report of the default size limit has a tenth of this where its findings say anything. */
const PARTS_MIN = 100_000;
const BYTES_PER_PART = 12;

export function bodyBounds(sizeBytes: number): JsonBounds {
  return { depthMax: DEPTH_MAX, partsMax: Math.max(PARTS_MIN, Math.ceil(sizeBytes / BYTES_PER_PART)) };
}
