/**
 * Where a finding or its evidence is, as SARIF says it: an address under the root of the repository that is always
 * relative and always percent-encoded, and a region with both ends. What lies outside the repository is no file of it.
 */
import type { PhysicalLocation, Region } from 'sarif';
import { normalizedFile } from '../location.ts';

/** The name of the repository's root in `originalUriBaseIds`. */
export const ROOT_ID = 'SRCROOT';
/** The root itself, for what is in no file. */
export const ROOT_URI = '.';

/** Readers keep line numbers in 32 bits. */
const LINE_MAX = 2 ** 31 - 2;

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
/** What a path keeps from being relative: the root of a system, a drive, or steps out of the repository. */
const OUTSIDE = /^(?:\/|[a-z]:(?:\/|$)|\.\.(?:\/|$))/i;
/** What most files are called: nothing to resolve, and nothing to encode. */
const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
/** Of what `encodeURIComponent` encodes, that which a segment may hold as it is. */
const HARMLESS = /%(?:24|26|2B|2C|3B|3D|40)/g;

/** Relative to the root of the repository; undefined for what is in no file of it. */
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

/** An absolute address of the web or of a repository, without who signs in there; undefined for anything else. */
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

/** Browsers let more stand in an address than the standard of addresses does. */
function encodedRest(part: string): string {
  return part
    .replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replaceAll(/[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]/gu, encodeURIComponent);
}

export interface Lines {
  readonly start: number;
  readonly end: number;
}

/** Undefined where the first line is none that a file can have; the last one is not before it. */
export function linesOf(start?: number, end?: number): Lines | undefined {
  if (start === undefined || !isLine(start)) return undefined;
  return { start, end: end !== undefined && isLine(end) && end > start ? end : start };
}

function isLine(line: number): boolean {
  return Number.isInteger(line) && line >= 1 && line <= LINE_MAX;
}

/**
 * From the start of the first line to the end of the last, as far as a quote tells where that is; else to the end of
 * its first character, which every file has that has the line.
 */
export function regionOf({ start, end }: Lines, snippet?: string): Region {
  const quoted = snippet?.trimEnd().split('\n') ?? [];
  const last = quoted.length === end - start + 1 ? (quoted.at(-1) ?? '').trimEnd() : '';
  return {
    startLine: start,
    startColumn: 1,
    endLine: end,
    endColumn: Math.max(last.length, 1) + 1,
    ...(snippet !== undefined && { snippet: { text: snippet } }),
  };
}

export function physicalLocation(uri: string, region?: Region): PhysicalLocation {
  return { artifactLocation: { uri, uriBaseId: ROOT_ID }, ...(region && { region }) };
}

export interface EvidencePlace {
  readonly uri: string;
  readonly lines?: Lines;
}

/** What follows the file in `src/a.ts:12`, `src/a.ts:12-15` and `src/a.ts:12:3`. */
const LINES = /^:([0-9]{1,10})(?:-([0-9]{1,10})|:[0-9]{1,10})?$/;
const FILE_NAME = /[^\s/\\]\.[A-Za-z0-9_]{1,16}$/;
/** A request, and not a file: `GET /orders`. */
const REQUEST = /^[A-Z]{3,8} \S/;

/** The file that a place in free form names; undefined for one that names something else. */
export function evidencePlace(location = ''): EvidencePlace | undefined {
  if (REQUEST.test(location)) return undefined;
  const numbersAt = endWithoutNumbers(location);
  const named = LINES.exec(location.slice(numbersAt));
  if (named === null && !FILE_NAME.test(location)) return undefined;
  const uri = fileUri(named === null ? location : location.slice(0, numbersAt));
  if (uri === undefined) return undefined;
  const [, start, end] = named ?? [];
  const lines = linesOf(numberOf(start), numberOf(end));
  return { uri, ...(lines && { lines }) };
}

/** Where the digits, colons and hyphens at the end of a text begin. */
function endWithoutNumbers(text: string): number {
  let end = text.length;
  while (end > 0 && '0123456789:-'.includes(text.charAt(end - 1))) end -= 1;
  return end;
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}
