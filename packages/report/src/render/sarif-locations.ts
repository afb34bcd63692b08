/**
 * The location of a finding or its evidence in SARIF: an address under the root of the repository that is always
 * relative and always percent-encoded, and a region with both ends. A location outside the repository does not count as
 * a file.
 */
import type { PhysicalLocation, Region } from 'sarif';
import { spanIn } from '../reading/spans.ts';
import { normalizedFile } from '../identity/location.ts';

/** The name of the repository's root in `originalUriBaseIds`. */
export const ROOT_ID = 'SRCROOT';
/** The root itself, for a finding without a file. */
export const ROOT_URI = '.';

/** Readers keep line numbers in 32 bits. */
const LINE_MAX = 2 ** 31 - 2;

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Paths that are not relative: the root of a system, a drive, or steps out of the repository. */
const OUTSIDE = /^(?:\/|[a-z]:(?:\/|$)|\.\.(?:\/|$))/i;
/** The usual names of files, with nothing to resolve or to encode. */
const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
/** Characters that `encodeURIComponent` encodes and that a segment may contain. */
const HARMLESS = /%(?:24|26|2B|2C|3B|3D|40)/g;

/** The URI of a file, relative to the root of the repository; undefined for a location that is not a file in it. */
export function fileUri(file = ''): string | undefined {
  if (PLAIN.test(file)) return file;
  if (file.trim() === '' || (ADDRESS.test(file) && !/^file:/i.test(file))) return undefined;
  const path = normalizedFile(file.toWellFormed());
  if (path === '.' || OUTSIDE.test(path)) return undefined;
  return path.split('/').map(encodedSegment).join('/');
}

function encodedSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll(HARMLESS, decodeURIComponent);
}

/** An absolute address of a web page or a repository, without its user; undefined for anything else. */
export function absoluteUri(given: string): string | undefined {
  const [, host, path] = SCP.exec(given) ?? [];
  const address = host === undefined ? given : `ssh://${host}/${path ?? ''}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!PROTOCOLS.has(url.protocol) || url.hostname === '') return undefined;
  const port = url.port === '' ? '' : `:${url.port}`;
  const name = url.hostname.startsWith('[') ? url.hostname : encodedRest(url.hostname);
  return `${url.protocol}//${name}${port}${encodedRest(url.pathname)}${encodedRest(url.search)}`;
}

/** `git@host:path`, as Git's remotes are often written. */
const SCP = /^(?:[\w.-]{1,80}@)?([\w-]{1,80}(?:\.[\w-]{1,80}){1,8}):(?!\/\/)([^\s\\]{1,500})$/;
const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'ssh:', 'git:']);

/** Browsers accept more in an address than the standard does. */
function encodedRest(part: string): string {
  return part
    .replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replaceAll(/[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]/gu, encodeURIComponent);
}

export interface Lines {
  readonly start: number;
  readonly end: number;
}

/** Undefined for an invalid first line. The last line is never before the first. */
export function linesOf(start?: number, end?: number): Lines | undefined {
  if (start === undefined || !isLine(start)) return undefined;
  return { start, end: end !== undefined && isLine(end) && end > start ? end : start };
}

function isLine(line: number): boolean {
  return Number.isInteger(line) && line >= 1 && line <= LINE_MAX;
}

/** Columns as a scanner numbered them: from 1, the end being the column after the last character. */
export interface Columns {
  readonly start: number;
  readonly end?: number;
}

/** Whole lines, unless the columns are known. */
export function regionOf({ start, end }: Lines, columns?: Columns, snippet?: string): Region {
  const isForward = columns?.end !== undefined && (end > start || columns.end >= columns.start);
  return {
    startLine: start,
    ...(columns && { startColumn: columns.start }),
    endLine: end,
    ...(isForward && { endColumn: columns.end }),
    ...(snippet !== undefined && { snippet: { text: snippet } }),
  };
}

export function physicalLocation(uri: string, region?: Region): PhysicalLocation {
  return { artifactLocation: { uri, uriBaseId: ROOT_ID }, ...(region && { region }) };
}

export interface EvidenceLocation {
  readonly uri: string;
  readonly lines?: Lines;
  readonly columns?: Columns;
}

const FILE_NAME = /[^\s/\\]\.[A-Za-z0-9_]{1,16}$/;
/** A request, not a file: `GET /orders`. */
const REQUEST = /^[A-Z]{3,8} \S/;

/** The file in a location in free form; undefined for a location without a file. */
export function evidenceLocation(location = ''): EvidenceLocation | undefined {
  if (REQUEST.test(location)) return undefined;
  const { path, lineStart, lineEnd, columnStart, columnEnd } = spanIn(location);
  if (lineStart === undefined && !FILE_NAME.test(location)) return undefined;
  const uri = fileUri(path);
  if (uri === undefined) return undefined;
  const lines = linesOf(lineStart, lineEnd);
  if (lines === undefined) return { uri };
  const columns = columnsFrom(columnStart, columnEnd);
  return { uri, lines, ...(columns && { columns }) };
}

function columnsFrom(start: number | undefined, end: number | undefined): Columns | undefined {
  if (start === undefined || !isLine(start)) return undefined;
  return end !== undefined && isLine(end) ? { start, end } : { start };
}
