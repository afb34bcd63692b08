/**
 * Columns of a region, as the log numbers them: from 1, the end being the column after the last character. The run's
 * `columnKind` says whether they count UTF-16 units or code points; the numbers are kept unchanged.
 */
import { fields, natural, type Fields } from './parts.ts';

export interface Columns {
  readonly start: number;
  /** Set only where the region has an end. */
  readonly end?: number;
}

/** Undefined where the tool gives none. An end that precedes the start is left out. */
export function columnsOf(location: unknown): Columns | undefined {
  const region = fields(fields(fields(location)['physicalLocation'])['region']);
  const end = columnIn(region, 'endColumn');
  const start = columnIn(region, 'startColumn') ?? (end === undefined ? undefined : 1);
  if (start === undefined) return undefined;
  const [first, last] = [natural(region['startLine']), natural(region['endLine'])];
  const isOneLine = last === undefined || first === undefined || last <= first;
  return end === undefined || (isOneLine && end < start) ? { start } : { start, end };
}

function columnIn(region: Fields, name: string): number | undefined {
  const column = natural(region[name]);
  return column === 0 ? undefined : column;
}

export interface Span {
  readonly lineStart?: number;
  readonly lineEnd?: number;
  readonly columns?: Columns | undefined;
}

/** `:7`, `:7:3` or `:7:3-9:12`; empty without a line. */
export function spanText({ lineStart, lineEnd = lineStart, columns }: Span): string {
  if (lineStart === undefined) return '';
  if (columns === undefined) return `:${lineStart}`;
  const start = `:${lineStart}:${columns.start}`;
  return columns.end === undefined ? start : `${start}-${lineEnd}:${columns.end}`;
}
