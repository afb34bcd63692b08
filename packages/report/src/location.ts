/**
 * Where a finding is, in a form that stays the same when a repository moves, a tool spells a path another way, or a
 * request names another record: the part of a finding's identity that depends on place.
 */

interface Path {
  /** `/`, a drive such as `c:`, a share such as `//server/share`; empty for a relative path. */
  readonly anchor: string;
  readonly segments: readonly string[];
}

const DRIVE = /^[A-Za-z]:(?=\/|$)/;
const SHARE = /^\/\/[^/]+\/[^/]+/;

/**
 * Relative to the root of the repository where the file is under it, with forward slashes and without `.` and `..`.
 * Takes paths of any system and `file:` URIs. A file elsewhere keeps its absolute path.
 */
export function normalizedFile(file: string, repositoryRoot?: string): string {
  if (file === '') return '';
  const path = pathOf(file);
  const relative = repositoryRoot === undefined ? undefined : within(path, pathOf(repositoryRoot));
  return relative ?? written(path);
}

/** A place in free form, such as `src/a.ts:12`: only a path under the root of the repository is rewritten. */
export function normalizedPlace(place: string, repositoryRoot?: string): string {
  if (repositoryRoot === undefined) return place;
  return within(pathOf(place), pathOf(repositoryRoot)) ?? place;
}

function pathOf(given: string): Path {
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

/** A path with forward slashes, whatever it was spelled as. */
function slashed(text: string): string {
  const path = (/^file:/i.test(text) ? pathOfUri(text) : text).replaceAll('\\', '/');
  // `\\?\` says that a Windows path may be long.
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

/** The path from the root; undefined for one that is not under it. Only Windows takes letters of either case as equal. */
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

function written({ anchor, segments }: Path): string {
  const rest = segments.join('/');
  if (anchor === '') return rest || '.';
  return anchor === '/' ? `/${rest}` : `${anchor}/${rest}`;
}

/**
 * Lower-case, without the query, and with `{}` for each segment that names a record or stands for one, so that
 * `/orders/17?full` and `/orders/{id}` are one place.
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

/** Sixteen or more characters that do not read as words: `oauth2-authorization-callback` does. */
function isLongToken(segment: string): boolean {
  return TOKEN.test(segment) && !segment.split(/[_.~=-]/).every(readsAsWords);
}

/** Letters, perhaps with a version at their end, of which most stand as in `getUserById`; short parts too, as `2fa`. */
function readsAsWords(part: string): boolean {
  if (part.length <= 4) return true;
  const letters = part.replace(/(?<![0-9])[0-9]{1,2}$/, '');
  if (!/^[A-Za-z]+$/.test(letters)) return false;
  const humps = letters.split(/(?<=[a-z])(?=[A-Z])/);
  return humps.filter((hump) => /^(?:[A-Z]?[a-z]{2,30}|[A-Z]{1,30})$/.test(hump)).length * 2 >= humps.length;
}

/** A scheme, host and port, whose case and closing slash say nothing. */
export function normalizedOrigin(origin: string): string {
  const text = origin.trim().toLowerCase();
  return text.endsWith('/') ? text.slice(0, -1) : text;
}
