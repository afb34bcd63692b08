/** What is known of a snippet of code beside its text: its language, and the numbers of its lines. */
import type { ProjectedEvidence, ProjectedFinding } from '../projections.ts';
import { languageOfFile } from './languages.ts';

type Affected = ProjectedFinding['affected'];

export interface LineNumbers {
  /** The number of the first line. */
  readonly first: number;
  /** The first and last of the lines that matter. */
  readonly marked?: readonly [from: number, to: number];
}

const ofTheFile: ReadonlySet<string> = new Set(['source', 'configuration', 'dependency']);

/** What ran, and what it answered, is in no language of the file. */
export function languageOf(
  { kind, location = '' }: ProjectedEvidence,
  { file = '' }: Affected,
): string | undefined {
  return languageOfFile(location) ?? (ofTheFile.has(kind) ? languageOfFile(file) : undefined);
}

const PLACE = /^(.*):(\d{1,8})(?:-(\d{1,8}))?$/s;

/**
 * The numbers of a snippet's lines, where they are certain: its place, or that of the finding, names exactly as many lines.
 * Those of the finding are marked within a longer snippet.
 */
export function linesOf(
  { snippet = '', location = '' }: ProjectedEvidence,
  { file, lineStart, lineEnd = lineStart }: Affected,
): LineNumbers | undefined {
  if (lineStart === undefined && location === '') return undefined;
  const count = snippet.replace(/\r?\n$/, '').split(/\r\n|\r|\n/).length;
  const [, path = location, startText, endText = startText] = PLACE.exec(location) ?? [];
  const [start, end] = [Number(startText), Number(endText)];
  const isSameFile = file !== undefined && (path === file || location === '');
  const isFinding = isSameFile && (startText === undefined || start === lineStart);
  let first: number | undefined;
  if (end - start + 1 === count) first = start;
  else if (isFinding && lineStart !== undefined && (lineEnd ?? 0) - lineStart + 1 === count)
    first = lineStart;
  if (first === undefined || first < 1) return undefined;
  if (!isSameFile || lineStart === undefined || lineEnd === undefined) return { first };
  const last = first + count - 1;
  const isAll = lineStart <= first && lineEnd >= last;
  return isAll ? { first } : { first, marked: [lineStart, lineEnd] };
}
