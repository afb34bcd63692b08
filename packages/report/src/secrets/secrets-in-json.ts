/**
 * Proves from the bytes of a JSON document that none of its texts contains a secret, in a tenth of the time of
 * checking each text.
 *
 * A text contains a secret only where one of the anchors occurs, and in the document an anchor occurs as JSON
 * escapes it. So the bytes are searched for anchors in pairs, as texts are (anchor-table.ts), behind a filter that
 * looks at two pairs (pair-windows.ts). Where an anchor occurs, the whole text around it is checked. A document that
 * escapes characters without need is not read at all: it may contain anything.
 */
import { anchorTable, OTHER_CHARACTER, type AnchorTable } from './anchor-table.ts';
import { FIRST_MASK, pairWindows, SECOND_SHIFT } from './pair-windows.ts';
import type { Follow } from './secret-format.ts';
import { hasSecret, secretAnchors } from './secrets.ts';

/** Checks what follows an anchor in the document; false when no secret continues like that. */
type MayGoOn = (bytes: Uint8Array, at: number) => boolean;

interface Landmark {
  readonly anchor: Uint8Array;
  /** The distance from the anchor's start to its pair. */
  readonly offset: number;
  readonly bit: number;
  readonly mayGoOn: MayGoOn;
}

const code = (character: string) => character.charCodeAt(0);
const bytesOf = (text: string) => Uint8Array.from(text, code);

const [QUOTE, APOSTROPHE, BACKSLASH, SLASH, COLON, AT, UNDERSCORE, SPACE, EQUALS, GREATER, ZERO, NINE] =
  bytesOf(`"'\\/:@_ =>09`) as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
const LOWER_CASE = 0x20;
const BEYOND_ASCII = 0x80;

/** An escape or an unchecked character may represent anything that continues a secret. */
const isUnclear = (byte: number) => byte === BACKSLASH || byte >= BEYOND_ASCII;

function skip(bytes: Uint8Array, at: number, letters: readonly number[]): number {
  const isThere = letters.every((letter, index) => ((bytes[at + index] ?? 0) | LOWER_CASE) === letter);
  return isThere ? at + letters.length : at;
}

const ACCESS = [...bytesOf('access')];
const ID = [...bytesOf('id')];
/** The first digits of an account id, which a hyphen may follow. */
const ACCOUNT_DIGITS = 4;
/** The maximum length of a name, a colon, a password and an `@` in the formats. */
const CREDENTIALS_LENGTH_MAX = 600;

/** `secret_access_key`, in any case. */
const isSecretAccessKey: MayGoOn = (bytes, at) => {
  const next = bytes[at] === UNDERSCORE ? at + 1 : at;
  return skip(bytes, next, ACCESS) > next;
};

/** The letters of escaped white space. */
const SPACE_LETTERS = new Set(bytesOf('nrtf'));

const spacesEnd = (bytes: Uint8Array, at: number) => {
  let end = at;
  for (;;) {
    if (bytes[end] === SPACE) end += 1;
    else if (bytes[end] === BACKSLASH && SPACE_LETTERS.has(bytes[end + 1] ?? 0)) end += 2;
    else return end;
  }
};

/** A document escapes a quote, not an apostrophe. */
const quoteEnd = (bytes: Uint8Array, at: number) => {
  if (bytes[at] === APOSTROPHE) return at + 1;
  return bytes[at] === BACKSLASH && bytes[at + 1] === QUOTE ? at + 2 : at;
};

/** `account_id = 1234`, in any case and with any quotes. */
const isAccountId: MayGoOn = (bytes, at) => {
  const named = skip(bytes, bytes[at] === UNDERSCORE ? at + 1 : at, ID);
  const sign = spacesEnd(bytes, quoteEnd(bytes, named));
  if (bytes[sign] !== COLON && bytes[sign] !== EQUALS) return isUnclear(bytes[sign] ?? 0);
  const isArrow = bytes[sign] === EQUALS && bytes[sign + 1] === GREATER;
  const spaces = spacesEnd(bytes, sign + (isArrow ? 2 : 1));
  const value = quoteEnd(bytes, spaces);
  // It may be white space before the value. A digit is never escaped, so behind a quote it is something else.
  if (value === spaces && isUnclear(bytes[value] ?? 0)) return true;
  for (let next = value; next < value + ACCOUNT_DIGITS; next += 1) {
    const byte = bytes[next] ?? 0;
    if (byte < ZERO || byte > NINE) return false;
  }
  return true;
};

/** A name, a colon, a password and an `@`. */
const isAddressWithSecret: MayGoOn = (bytes, at) => {
  let hasColon = false;
  const end = Math.min(bytes.length, at + CREDENTIALS_LENGTH_MAX);
  for (let next = at; next < end; next += 1) {
    const byte = bytes[next] ?? 0;
    if (isUnclear(byte)) return true;
    if (byte === QUOTE || byte === SLASH || byte === SPACE) break;
    if (byte === COLON) hasColon = true;
    if (byte === AT && hasColon) return true;
  }
  return false;
};

function following(follow: Follow | undefined): MayGoOn {
  if (follow === undefined) return () => true;
  const { set, length } = follow;
  return (bytes, at) => {
    for (let next = at; next < at + length; next += 1) {
      if (set[bytes[next] ?? 0] !== 1) return false;
    }
    return true;
  };
}

/** Checks for anchors that are ordinary words in reports. */
const continuations: Readonly<Record<string, MayGoOn>> = {
  SECRET: isSecretAccessKey,
  Secret: isSecretAccessKey,
  secret: isSecretAccessKey,
  ACCOUNT: isAccountId,
  Account: isAccountId,
  account: isAccountId,
  '://': isAddressWithSecret,
};

interface Tables extends Omit<AnchorTable<MayGoOn>, 'groups'> {
  readonly windows: Int32Array;
  readonly groups: readonly (readonly Landmark[])[];
}

let made: Tables | undefined;
/** Made at the first search: a service that has just started needs neither their memory nor the time to make them. */
const tables = (): Tables => (made ??= makeTables());

function makeTables(): Tables {
  // Anchors as in a document, where quotes and backslashes are escaped.
  const { groups, ...sides } = anchorTable(
    secretAnchors().map(({ anchor, follow }) => ({
      anchor: JSON.stringify(anchor).slice(1, -1),
      follow,
      value: continuations[anchor] ?? following(follow),
    })),
  );
  return {
    ...sides,
    windows: pairWindows(groups.flat()),
    groups: groups.map((group) =>
      group.map(({ anchor, offset, bit, value }) => ({
        anchor: bytesOf(anchor),
        offset,
        bit,
        mayGoOn: value,
      })),
    ),
  };
}

/**
 * False when no text and no field name in the document contains a secret; true when one may contain a secret. Few
 * documents without a secret return true.
 *
 * @param bytes a valid JSON document in UTF-8.
 * @param escapesPlainly no printable ASCII character in it is written as `\/` or `\u0041`, except for `\"` and `\\`.
 */
export function mayHoldSecret(bytes: Uint8Array, escapesPlainly: boolean): boolean {
  if (!escapesPlainly) return true;
  const searched = tables();
  // Pairs are read at even addresses.
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  const pairs = new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.length >> 1);
  const count = pairs.length;
  let next = 0;
  while (next < count) {
    next = searchPart(searched, aligned, pairs, next);
    if (next === FOUND) return true;
  }
  // The last pair may have no other after it.
  return (
    count > 0 &&
    firstsOf(searched.windows, pairs, count - 1) !== 0 &&
    searchedUntil(searched, aligned, count * 2 - 2) === FOUND
  );
}

/** V8 keeps the code that it compiles for a function with many calls. For one long loop it compiles again each time. */
const PAIRS_OF_PART = 16 * 1024;

/** Searches some of the pairs. Returns the first pair that is left, or `FOUND`. */
function searchPart(searched: Tables, bytes: Uint8Array, pairs: Uint16Array, from: number): number {
  const { windows } = searched;
  const to = Math.min(pairs.length, from + PAIRS_OF_PART);
  let next = from;
  /** Up to this pair, nothing is left to be searched. */
  let last = Math.max(-1, from - 2);
  while (next < to) {
    const index = nextSecond(windows, pairs, next, to);
    if (index === to) break;
    let end = last < index - 1 ? searchedUntil(searched, bytes, index * 2 - 2) : NONE;
    if (end === NONE) end = searchedUntil(searched, bytes, index * 2);
    if (end === FOUND) return FOUND;
    // Continues after a text that was checked as a whole.
    last = end === NONE ? index : end >> 1;
    next = last + 1;
  }
  return Math.max(next, to);
}

/** The first pair that may be the second of two, or `to`. */
function nextSecond(windows: Int32Array, pairs: Uint16Array, from: number, to: number): number {
  // Anything may precede the first pair.
  let first = from === 0 ? FIRST_MASK : firstsOf(windows, pairs, from - 1);
  for (let index = from; index < to; index += 1) {
    const window = windows[pairs[index] ?? 0] ?? 0;
    if ((first & (window >> SECOND_SHIFT)) !== 0) return index;
    first = window & FIRST_MASK;
  }
  return to;
}

/** The buckets in which a pair may be the first of two. */
function firstsOf(windows: Int32Array, pairs: Uint16Array, index: number): number {
  return (windows[pairs[index] ?? 0] ?? 0) & FIRST_MASK;
}

/** Values in place of a position: a secret was found; no text was searched. */
const FOUND = -1;
const NONE = -2;

/** Where the searched text around a pair ends; otherwise `FOUND` or `NONE`. */
function searchedUntil(
  { groupOfPair, groups, before, behind }: Tables,
  bytes: Uint8Array,
  at: number,
): number {
  const group = groupOfPair[(asciiAt(bytes, at) << 7) | asciiAt(bytes, at + 1)] ?? 0;
  if (group === 0) return NONE;
  const row = group << 7;
  const bits = (before[row | asciiAt(bytes, at - 1)] ?? 0) & (behind[row | asciiAt(bytes, at + 2)] ?? 0);
  if (bits === 0) return NONE;
  for (const landmark of groups[group] ?? []) {
    if ((bits & landmark.bit) === 0 || !standsAt(bytes, at - landmark.offset, landmark)) continue;
    const { text, end } = textAround(bytes, at);
    return hasSecret(text) ? FOUND : end;
  }
  return NONE;
}

function asciiAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? OTHER_CHARACTER;
  return byte < BEYOND_ASCII ? byte : OTHER_CHARACTER;
}

function standsAt(bytes: Uint8Array, at: number, { anchor, mayGoOn }: Landmark): boolean {
  for (let index = 0; index < anchor.length; index += 1) {
    if (bytes[at + index] !== anchor[index]) return false;
  }
  return mayGoOn(bytes, at + anchor.length);
}

const utf8 = new TextDecoder();

/** The text at a position within a string of the document, and the position of its closing quote. */
function textAround(bytes: Uint8Array, at: number): { text: string; end: number } {
  let start = at;
  do start = bytes.lastIndexOf(QUOTE, start - 1);
  while (isEscaped(bytes, start));
  let end = at - 1;
  do end = bytes.indexOf(QUOTE, end + 1);
  while (isEscaped(bytes, end));
  return { text: JSON.parse(utf8.decode(bytes.subarray(start, end + 1))) as string, end };
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let backslashes = 0;
  while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
