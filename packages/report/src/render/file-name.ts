/**
 * The name of an export, and its header for a download. Names consist of ASCII letters, digits and hyphens for any
 * name of a project, so they need no quoting in a header and are safe on any file system. Only types are imported: a
 * route can name a download without loading its renderer.
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

/** `report-<project>-<date>.<extension>`, or `report.<extension>` if the projection lacks one of them. */
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

/** Latin letters that do not decompose into a letter and a mark. */
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

/** A name without Latin letters and digits becomes `project`. */
function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœøđðþłħŧı]/g, (letter) => letters[letter] ?? '')
    .match(/[a-z0-9]+/g);
  const slug = (words ?? []).join('-');
  if (slug.length <= SLUG_LENGTH_MAX) return slug || 'project';
  // Cuts between words if there are several.
  const end = slug.lastIndexOf('-', SLUG_LENGTH_MAX);
  return slug.slice(0, end > 0 ? end : SLUG_LENGTH_MAX);
}
