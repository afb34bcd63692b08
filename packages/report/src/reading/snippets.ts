/** The language of a snippet of code, and the numbers of its lines. */
import type { ProjectedEvidence, ProjectedFinding } from '@svc/contract';
import { languageOfFile } from './languages.ts';
import { spanIn } from './spans.ts';

type Affected = ProjectedFinding['affected'];

export interface LineNumbers {
  /** The number of the first line. */
  readonly first: number;
  /** The first and last of the relevant lines. */
  readonly marked?: readonly [from: number, to: number];
}

const ofTheFile: ReadonlySet<string> = new Set(['source', 'configuration', 'dependency']);

/** Commands and responses are not in the file's language. */
export function languageOf(
  { kind, location = '' }: ProjectedEvidence,
  { file = '' }: Affected,
): string | undefined {
  return languageOfFile(location) ?? (ofTheFile.has(kind) ? languageOfFile(file) : undefined);
}

/**
 * The numbers of a snippet's lines, where they are certain: its location, or the finding's, names exactly as many
 * lines. The finding's lines are marked within a longer snippet.
 */
export function linesOf(
  { snippet = '', location = '' }: ProjectedEvidence,
  { file, lineStart, lineEnd = lineStart }: Affected,
): LineNumbers | undefined {
  if (lineStart === undefined && location === '') return undefined;
  const count = snippet.replace(/\r?\n$/, '').split(/\r\n|\r|\n/).length;
  const { path, lineStart: start, lineEnd: end = start } = spanIn(location);
  const isSameFile = file !== undefined && (path === file || location === '');
  const isFinding = isSameFile && (start === undefined || start === lineStart);
  let first: number | undefined;
  if (start !== undefined && end !== undefined && end - start + 1 === count) first = start;
  else if (isFinding && lineStart !== undefined && (lineEnd ?? 0) - lineStart + 1 === count)
    first = lineStart;
  if (first === undefined || first < 1) return undefined;
  if (!isSameFile || lineStart === undefined || lineEnd === undefined) return { first };
  const last = first + count - 1;
  const isAll = lineStart <= first && lineEnd >= last;
  return isAll ? { first } : { first, marked: [lineStart, lineEnd] };
}
