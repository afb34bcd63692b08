/**
 * How deeply nested a report may be and how many parts it may have: more than any real report has, and few enough for a
 * parser.
 */
import type { JsonBounds } from '#platform/json-shape';

export const DEPTH_MAX = 64;
/** A normal report of the default size limit has a tenth of this number of parts. */
const PARTS_MIN = 100_000;
const BYTES_PER_PART = 12;

export function bodyBounds(sizeBytes: number): JsonBounds {
  return { depthMax: DEPTH_MAX, partsMax: Math.max(PARTS_MIN, Math.ceil(sizeBytes / BYTES_PER_PART)) };
}
