/**
 * The location of a finding in a normalized form. It stays the same when a repository moves, a tool spells a path
 * differently, or a request names another record.
 */

export interface Path {
  /** `/`, a drive such as `c:`, a share such as `//server/share`; empty for a relative path. */
  readonly anchor: string;
  readonly segments: readonly string[];
}

/** The beginning of a path outside of the repository, after which only the name of the file is kept. */
export const OUTSIDE = '[outside]/';

/** Whether files of different folders may have this path. */
export function isNamedOnly(file: string): boolean {
  return file.startsWith(OUTSIDE);
}

/** Whether a normalized path is in the repository, so that git knows its history. */
export function isInRepository(file: string): boolean {
  if (isNamedOnly(file)) return false;
  const { anchor, segments } = parsedPath(file);
  return anchor === '' && segments[0] !== '..';
}

const DRIVE = /^[A-Za-z]:(?=\/|$)/;
const SHARE = /^\/\/[^/]+\/[^/]+/;

/**
 * The path relative to the root of the repository, with forward slashes and without `.` and `..`. Accepts paths of any
 * system and `file:` URIs. A file outside of the repository keeps its absolute path.
 */
export function normalizedFile(file: string, repositoryRoot?: string): string {
  if (file === '') return '';
  if (repositoryRoot === undefined) return normalizedAlone(file);
  return within(parsedPath(file), parsedPath(repositoryRoot)) ?? normalizedAlone(file);
}

/** A cache of normalized paths: many findings of a log are in the same file, and each needs its path several times. */
const known = new Map<string, string>();
const KNOWN_MAX = 1000;

function normalizedAlone(file: string): string {
  let normalized = known.get(file);
  if (normalized === undefined) {
    normalized = writtenFile(parsedPath(file));
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(file, normalized);
  }
  return normalized;
}

/** A location in free form, such as `src/a.ts:12`: only a path under the root of the repository is rewritten. */
export function normalizedLocation(location: string, repositoryRoot?: string): string {
  if (repositoryRoot === undefined) return location;
  return within(parsedPath(location), parsedPath(repositoryRoot)) ?? location;
}

export function parsedPath(given: string): Path {
  const text = slashed(given.normalize('NFC'));
  const anchor = (DRIVE.exec(text) ?? SHARE.exec(text))?.[0] ?? (text.startsWith('/') ? '/' : '');
  const segments: string[] = [];
  for (const segment of text.slice(anchor.length).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (anchor === '') segments.push(segment);
  }
  return { anchor: anchor.toLowerCase(), segments };
}

/** The path with forward slashes, from a path or a `file:` URI of any system. */
function slashed(text: string): string {
  const path = (/^file:/i.test(text) ? pathOfUri(text) : text).replaceAll('\\', '/');
  // `\\?\` marks a long Windows path.
  return path.startsWith('//?/') ? path.slice('//?/'.length) : path;
}

function pathOfUri(uri: string): string {
  const [, authority = '', path = ''] = /^file:(?:\/\/([^/]*))?(.*)$/is.exec(uri) ?? [];
  const decoded = decodedOrAsIs(path);
  if (/^\/[A-Za-z]:(?:\/|$)/.test(decoded)) return decoded.slice(1);
  return authority === '' || authority.toLowerCase() === 'localhost' ? decoded : `//${authority}${decoded}`;
}

function decodedOrAsIs(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The path from the root; undefined for a path that is not under it. Only Windows paths ignore case. */
function within(path: Path, root: Path): string | undefined {
  if (root.anchor === '' || path.anchor !== root.anchor) return undefined;
  const same =
    root.anchor === '/'
      ? (one: string, other: string) => one === other
      : (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const isUnder = root.segments.every((segment, index) => same(segment, path.segments[index] ?? ''));
  if (!isUnder) return undefined;
  return path.segments.slice(root.segments.length).join('/') || '.';
}

export function writtenFile({ anchor, segments }: Path): string {
  const rest = segments.join('/');
  if (anchor === '') return rest || '.';
  return anchor === '/' ? `/${rest}` : `${anchor}/${rest}`;
}

/**
 * Lower-case, without the query, and with `{}` for each segment that names a record or is a parameter:
 * `/orders/17?full` and `/orders/{id}` are one route.
 */
export function normalizedRoute(route: string): string {
  const [path = ''] = route.split('?', 1);
  const segments = path.trim().split('/');
  const kept = segments.map((segment) => (namesRecord(segment) ? '{}' : segment.toLowerCase()));
  return kept.filter((segment, index) => segment !== '' || index === 0).join('/') || '/';
}

const PLACEHOLDER = /^(?::.+|\{.*\}|<.*>|\[.*\])$/s;
const NUMBER = /^[0-9]+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ULID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/i;
const HEX = /^[0-9a-f]{7,}$/i;
const TOKEN = /^[A-Za-z0-9_.~=-]{16,}$/;

/** Hexadecimal text shorter than this may be a word, unless it has two digits. */
const CERTAIN_HASH_LENGTH = 16;

function namesRecord(segment: string): boolean {
  return (
    PLACEHOLDER.test(segment) ||
    NUMBER.test(segment) ||
    UUID.test(segment) ||
    ULID.test(segment) ||
    isHash(segment) ||
    isLongToken(segment)
  );
}

function isHash(segment: string): boolean {
  return HEX.test(segment) && (segment.length >= CERTAIN_HASH_LENGTH || /[0-9].*[0-9]/s.test(segment));
}

/** Sixteen or more characters that are not words; `oauth2-authorization-callback` is words. */
function isLongToken(segment: string): boolean {
  return TOKEN.test(segment) && !segment.split(/[_.~=-]/).every(isMadeOfWords);
}

/** Letters in camel case such as `getUserById`, perhaps with a version at the end; also short parts such as `2fa`. */
function isMadeOfWords(part: string): boolean {
  if (part.length <= 4) return true;
  const letters = part.replace(/(?<![0-9])[0-9]{1,2}$/, '');
  if (!/^[A-Za-z]+$/.test(letters)) return false;
  const humps = letters.split(/(?<=[a-z])(?=[A-Z])/);
  return humps.filter((hump) => /^(?:[A-Z]?[a-z]{2,30}|[A-Z]{1,30})$/.test(hump)).length * 2 >= humps.length;
}

/** Scheme, host and port, in lower case and without a trailing slash. */
export function normalizedOrigin(origin: string): string {
  const text = origin.trim().toLowerCase();
  return text.endsWith('/') ? text.slice(0, -1) : text;
}
