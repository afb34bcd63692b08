/** Evidence in its order: what it shows, where, and the code with the lines that matter. */
import type { ProjectedEvidence, ProjectedFinding } from '@svc/contract';
import { languageOfFile } from '../languages.ts';
import type { CodeWriter, LineNumbers } from './code.ts';
import { proseHtml } from './prose.ts';
import { joined, markup, type Html } from './template.ts';
import { words } from './words.ts';

type Affected = ProjectedFinding['affected'];

/** @param label names the finding and the list, for those who come upon the code by itself. */
export function evidenceHtml(
  items: readonly ProjectedEvidence[],
  affected: Affected,
  label: string,
  code: CodeWriter,
): Html {
  return markup`<ol class="evidence">${items.map((item, index) => itemHtml(item, affected, `${label} ${index + 1}`, code))}</ol>`;
}

function itemHtml(item: ProjectedEvidence, affected: Affected, label: string, code: CodeWriter): Html {
  const { kind, description, snippet, location, redacted } = item;
  const source = joined(' · ', [
    markup`<b>${words[kind]}</b>`,
    location ? markup`<code>${location}</code>` : undefined,
    redacted ? markup`Secrets taken out` : undefined,
  ]);
  const block = snippet
    ? code({
        text: snippet,
        label: `Code, ${label}`,
        language: languageOf(item, affected),
        lines: linesOf(item, affected),
      })
    : undefined;
  return markup`<li><p class="source">${source}</p>${proseHtml(description, label, code)}${block}</li>`;
}

const ofTheFile: ReadonlySet<string> = new Set(['source', 'configuration', 'dependency']);

/** What ran, and what it answered, is in no language of the file. */
function languageOf({ kind, location = '' }: ProjectedEvidence, { file = '' }: Affected): string | undefined {
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
