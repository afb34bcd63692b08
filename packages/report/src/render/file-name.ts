/**
 * What an export is called and how it is announced. Names are made of ASCII letters, digits and hyphens, whatever a project
 * is called, so they need no quoting in a header and mean nothing to any file system. Nothing but types is imported: a route
 * can name a download without loading what writes it.
 */
import type { ExportFormat, ReportProjection } from '@svc/contract';

export const contentTypes: Readonly<Record<ExportFormat, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  sarif: 'application/json; charset=utf-8',
};

const extensions: Readonly<Record<ExportFormat, string>> = {
  html: 'html',
  json: 'json',
  markdown: 'md',
  sarif: 'sarif',
};

/** `report-<project>-<date>.<extension>`, or without the two where the projection does not hold them. */
export function fileNameOf(
  { project, generatedAt }: Pick<ReportProjection, 'project' | 'generatedAt'>,
  format: ExportFormat,
): string {
  const date = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?=T)/.exec(generatedAt ?? '')?.[0];
  const parts = project && date !== undefined ? ['report', slugOf(project.name), date] : ['report'];
  return `${parts.join('-')}.${extensions[format]}`;
}

/** The value of `Content-Disposition` (RFC 6266) for a download of that name. */
export function contentDispositionOf(fileName: string): string {
  return `attachment; filename="${fileName.replaceAll(/[^0-9A-Za-z._-]/g, '-')}"`;
}

const SLUG_LENGTH_MAX = 60;

/** Latin letters that are no letter with a mark. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
};

/** A name of other letters alone has none in ASCII, and is called `project`. */
function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœøđðþłħŧı]/g, (letter) => letters[letter] ?? '')
    .match(/[a-z0-9]+/g);
  const slug = (words ?? []).join('-');
  if (slug.length <= SLUG_LENGTH_MAX) return slug || 'project';
  // The cut leaves whole words where there is more than one.
  const end = slug.lastIndexOf('-', SLUG_LENGTH_MAX);
  return slug.slice(0, end > 0 ? end : SLUG_LENGTH_MAX);
}
