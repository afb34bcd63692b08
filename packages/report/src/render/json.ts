/**
 * The projection as a file. It is indented, since people read such files and compare them line by line; the cost is a
 * quarter of the size, most of which compression recovers.
 */
import type { ReportProjection } from '@svc/contract';

/** Keys are in the order of the projection, and the last line ends with a line break. */
export function renderJson(projection: ReportProjection): string {
  return `${JSON.stringify(projection, undefined, 2)}\n`;
}
