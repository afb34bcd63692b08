/** The addresses of files in a log, in the spellings that tools use. */
import { normalizedFile } from '../identity/location.ts';
import type { WrittenPath } from './path-mappings.ts';

/** A `file:` address, a path from the root, a drive or a share. */
export function isAbsolute(path: string): boolean {
  return /^(?:file:|[/\\]|[A-Za-z]:[/\\])/i.test(path);
}

/** The maximum length of a path or an address in UTF-16 units: no system opens longer paths. */
const LENGTH_MAX = 4096;
const FOLDERS_MAX = 100;
/** Combining marks on one letter: normalizing them takes time quadratic in their number. */
const MARKS = /\p{M}{50}/u;

const SHORT = 50;

/** A path that is too long does not name a file, and would take disproportionately long to process. */
export function isTooLong(path: string): boolean {
  if (path.length > LENGTH_MAX) return true;
  if (path.length < SHORT) return false;
  return (path.match(SEPARATOR)?.length ?? 0) > FOLDERS_MAX || MARKS.test(path);
}

/** A separator, plain or percent-encoded once or twice. */
const SEPARATOR = /[/\\]|%(?:25)?(?:2f|5c)/gi;

export function isWeb(uri: string): boolean {
  return /^https?:/i.test(uri);
}

/** A URI with a scheme other than `file`. A drive letter is not a scheme. */
export function hasForeignScheme(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(uri) && !/^file:/i.test(uri);
}

/** An address with an invalid escape is left unchanged. */
export function decodedUri(uri: string): string {
  try {
    return decodeURIComponent(uri).toWellFormed();
  } catch {
    return uri;
  }
}

/** `jar:file:///app.jar!/A.class` without the part that marks the archive. */
export function withoutArchiveScheme(uri: string): string {
  return uri.replace(/^(?:(?:jar|zip|war|ear|wsjar|nested):){1,4}(?=file:|[/\\]|[^:]*!)/i, '');
}

/**
 * The readings of an address: first the standard one; then undecoded, decoded twice, and without the part after `#`,
 * for tools that ignore the standard.
 */
export function spellingsOf(uri: string): readonly string[] {
  const whole = isAbsolute(uri) ? uri : decodedUri(uri);
  const spellings = [
    whole,
    /^file:/i.test(uri) ? uri.replaceAll('%', '%25') : uri,
    decodedUri(uri),
    decodedUri(decodedUri(uri)),
    whole.replace(/#.*$/s, ''),
  ];
  return [...new Set(spellings)];
}

export interface Archived {
  readonly archive: string;
  /** The path within the archive. */
  readonly entry: string;
}

const ARCHIVED =
  // linear: each extension is tried once, and the rest matches anything
  /^(.+?\.(?:jar|war|ear|aar|apk|ipa|zip|whl|egg|nupkg|tar|tgz|tar\.gz))(?:!\/?|:\/?|\/)(.+)$/is;

/** Undefined if the path names no file in an archive. Of nested archives, the outermost is returned. */
export function archivedIn(path: string): Archived | undefined {
  const [, archive, entry] = ARCHIVED.exec(path) ?? [];
  return archive === undefined || entry === undefined ? undefined : { archive, entry };
}

/** @param given as in the log; its spelling reveals the system that it comes from. */
export function writtenPath(given: string): WrittenPath {
  const path = normalizedFile(given);
  const [, anchor = ''] = /^(\/\/|\/|[a-z]:)/.exec(path) ?? [];
  const segments = path
    .slice(anchor.length)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  const ignoresCase = /^[a-z]:$/.test(anchor) || given.includes('\\') || path.startsWith('/Users/');
  return { anchor, segments, ignoresCase, isForeign: hasForeignScheme(given) };
}
