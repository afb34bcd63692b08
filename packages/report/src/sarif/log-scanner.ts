/**
 * Finds the parts of a SARIF log in its bytes without building any values, so that a log of hundreds of megabytes
 * can be read result by result. It finds where the elements of each run's long lists begin and end, and the rest of
 * the log, which is small. `JSON.parse` decides whether each of these is valid JSON.
 */
import { NESTING_MAX, withoutDeepParts } from './deep-parts.ts';
import {
  QUOTE,
  BACKSLASH,
  COMMA,
  COLON,
  OPEN_BRACE,
  CLOSE_BRACE,
  OPEN_BRACKET,
  CLOSE_BRACKET,
  SPACE,
} from './json-bytes.ts';
import { Slices } from './slices.ts';

/** The bytes of a log, in memory or in a file. */
export interface ByteSource {
  readonly length: number;
  /** The bytes between two positions; they do not change later. */
  read(start: number, end: number): Uint8Array;
}

/** The lists of a run whose elements are read one by one. */
export type LongList = 'results' | 'artifacts' | 'logicalLocations' | 'threadFlowLocations';

export interface ScannedRun {
  readonly lists: Readonly<Partial<Record<LongList, Slices>>>;
}

export interface ScannedLog {
  /** The log as JSON text, with its long lists empty and with `null` for what is never read. */
  readonly rest: string;
  /** One for each element of `runs`. */
  readonly runs: readonly ScannedRun[];
  /** How many values are nested deeper than any reader looks. */
  readonly deepParts: number;
}

/**
 * Why bytes are not a log: they are truncated, the rest is too large, or a character is not allowed at its position.
 */
export class LogSyntaxError extends Error {
  override readonly name = 'LogSyntaxError';
  readonly isTruncated: boolean;
  readonly isTooLong: boolean;

  constructor({ isTruncated = false, isTooLong = false } = {}) {
    super('The log cannot be read.');
    this.isTruncated = isTruncated;
    this.isTooLong = isTooLong;
  }
}

const WINDOW_BYTES = 1024 * 1024;
/** The log without its long lists: mostly descriptions of rules. */
const REST_BYTES_MAX = 64 * 1024 * 1024;
/** The maximum number of objects and lists in the rest: each takes many times the bytes of its brackets. */
const REST_VALUES_MAX = 4_000_000;
/** Brackets at greater depths are only counted, and their kinds are not checked. */
const CHECKED_DEPTH_MAX = 2000;

const longLists: ReadonlySet<string> = new Set<LongList>([
  'results',
  'artifacts',
  'logicalLocations',
  'threadFlowLocations',
]);
/** Parts of a run that are never read, and that can be long. */
const unread: ReadonlySet<string> = new Set([
  'addresses',
  'graphs',
  'policies',
  'runAggregates',
  'translations',
  'webRequests',
  'webResponses',
]);

/** The characters of numbers, `true`, `false` and `null`. */
const isLiteralCharacter = new Uint8Array(256);
for (const sign of '0123456789+-.eEtrufalsn') isLiteralCharacter[sign.charCodeAt(0)] = 1;

/** The depths of the log, its runs, one run, and a long list of a run. */
const LOG = 1;
const RUNS = 2;
const RUN = 3;
export const LIST = 4;

/**
 * @param windowBytes how many bytes are read at a time
 * @throws LogSyntaxError
 */
export function scanLog(source: ByteSource, windowBytes = WINDOW_BYTES): ScannedLog {
  return new LogScanner(source).scan(windowBytes);
}

class LogScanner {
  readonly #source: ByteSource;
  readonly #rest: Uint8Array[] = [];
  #restBytes = 0;
  /** Where the next bytes to add to the rest begin; undefined within a long list or a skipped part. */
  #restFrom: number | undefined = 0;

  /** The open brackets, outermost first. */
  readonly #open = new Uint8Array(CHECKED_DEPTH_MAX);
  #depth = 0;
  #deepParts = 0;
  #restValues = 0;
  #isOver = false;
  /** Where the current string began. */
  #stringFrom: number | undefined;
  /** A window ended after a backslash within a string. */
  #isEscaped = false;
  /** The last string of the log or of a run, which may be a key. */
  #lastString: readonly [start: number, end: number] | undefined;
  #logKey = '';
  #runKey = '';
  #isInRuns = false;
  #runs: { lists: Partial<Record<LongList, Slices>> }[] = [];
  #list: Slices | undefined;
  #elementFrom: number | undefined;
  #elementTo = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  scan(windowBytes: number): ScannedLog {
    const { length } = this.#source;
    for (let from = 0; from < length; from += windowBytes) {
      const window = this.#source.read(from, Math.min(length, from + windowBytes));
      this.#readWindow(window, from);
      this.#keepRest(window, from);
    }
    if (!this.#isOver)
      throw new LogSyntaxError({ isTruncated: this.#depth > 0 && this.#open[0] === OPEN_BRACE });
    return { rest: this.#restText(), runs: this.#runs, deepParts: this.#deepParts };
  }

  #restText(): string {
    if (this.#deepParts === 0) return textOf(this.#rest);
    const { json } = withoutDeepParts(joined(this.#rest, this.#restBytes));
    return textOf([json]);
  }

  #readWindow(window: Uint8Array, from: number): void {
    let at = this.#stringFrom === undefined ? 0 : this.#endOfString(window, 0, from);
    while (at < window.length) {
      const byte = window[at] as number;
      if (byte > SPACE) {
        if (byte === QUOTE) {
          this.#beginValue(from + at);
          this.#stringFrom = from + at;
          at = this.#endOfString(window, at + 1, from);
          continue;
        }
        this.#readSign(byte, from + at, window, from);
      }
      at += 1;
    }
  }

  #endOfString(window: Uint8Array, start: number, from: number): number {
    let at = start;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at += 1;
    }
    for (;;) {
      const quote = window.indexOf(QUOTE, at);
      const end = quote < 0 ? window.length : quote;
      let backslashes = 0;
      while (end - backslashes > at && window[end - backslashes - 1] === BACKSLASH) backslashes += 1;
      const isEscaped = backslashes % 2 === 1;
      if (quote < 0) {
        this.#isEscaped = isEscaped;
        return window.length;
      }
      at = quote + 1;
      if (isEscaped) continue;
      if (this.#depth === LOG || this.#depth === RUN) this.#lastString = [this.#stringFrom ?? 0, from + at];
      this.#stringFrom = undefined;
      this.#elementTo = from + at;
      return at;
    }
  }

  #readSign(byte: number, at: number, window: Uint8Array, from: number): void {
    switch (byte) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        this.#beginValue(at);
        this.#enter(byte, at, window, from);
        return;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        this.#leave(byte, at);
        return;
      case COMMA:
        this.#afterComma(at);
        return;
      case COLON:
        this.#afterKey(at, window, from);
        return;
      default:
        if (isLiteralCharacter[byte] === 0) throw new LogSyntaxError();
        this.#beginValue(at);
        this.#elementTo = at + 1;
    }
  }

  #beginValue(at: number): void {
    if (this.#isOver) throw new LogSyntaxError();
    if (this.#list && this.#depth === LIST) this.#elementFrom ??= at;
  }

  #enter(byte: number, at: number, window: Uint8Array, from: number): void {
    if (this.#depth === NESTING_MAX) this.#deepParts += 1;
    if (this.#restFrom !== undefined) this.#restValues += 1;
    if (this.#restValues > REST_VALUES_MAX) throw new LogSyntaxError({ isTooLong: true });
    if (byte === OPEN_BRACKET && this.#depth === LOG && this.#logKey === 'runs') {
      this.#isInRuns = true;
      this.#runs = [{ lists: {} }];
    }
    if (this.#depth < CHECKED_DEPTH_MAX) this.#open[this.#depth] = byte;
    this.#depth += 1;
    const isList =
      byte === OPEN_BRACKET && this.#isInRuns && this.#depth === LIST && longLists.has(this.#runKey);
    if (!isList) return;
    this.#list = new Slices();
    this.#elementFrom = undefined;
    const run = this.#runs.at(-1);
    if (run) run.lists[this.#runKey as LongList] = this.#list;
    this.#endRest(at + 1, window, from);
  }

  #leave(byte: number, at: number): void {
    const opening = byte === CLOSE_BRACE ? OPEN_BRACE : OPEN_BRACKET;
    const isChecked = this.#depth <= CHECKED_DEPTH_MAX;
    if (this.#depth === 0 || (isChecked && this.#open[this.#depth - 1] !== opening))
      throw new LogSyntaxError();
    if (this.#depth === LIST && this.#list) {
      this.#endElement({ isLast: true });
      this.#list = undefined;
      this.#restFrom = at;
    } else if (this.#depth === RUN && this.#isInRuns) {
      this.#restFrom ??= at;
      this.#runKey = '';
    } else if (this.#depth === RUNS && this.#isInRuns) {
      this.#isInRuns = false;
    }
    this.#depth -= 1;
    this.#elementTo = at + 1;
    if (this.#depth === 0) this.#isOver = true;
  }

  #afterComma(at: number): void {
    if (this.#depth === LIST && this.#list) this.#endElement({ isLast: false });
    else if (this.#depth === RUN && this.#isInRuns) this.#restFrom ??= at;
    else if (this.#depth === RUNS && this.#isInRuns) this.#runs.push({ lists: {} });
  }

  #afterKey(at: number, window: Uint8Array, from: number): void {
    if (this.#lastString === undefined) return;
    const [start, end] = this.#lastString;
    if (this.#depth === LOG) this.#logKey = keyIn(this.#source.read(start, end));
    else if (this.#depth === RUN && this.#isInRuns) {
      this.#runKey = keyIn(this.#source.read(start, end));
      if (unread.has(this.#runKey)) this.#endRest(at + 1, window, from, 'null');
    }
    this.#lastString = undefined;
  }

  #endElement({ isLast }: { readonly isLast: boolean }): void {
    if (this.#elementFrom !== undefined) this.#list?.add(this.#elementFrom, this.#elementTo);
    else if (!isLast || this.#list?.length !== 0) throw new LogSyntaxError();
    this.#elementFrom = undefined;
  }

  /** Ends the current part of the rest, and adds a replacement for what follows in the log. */
  #endRest(end: number, window: Uint8Array, from: number, instead = ''): void {
    if (this.#restFrom === undefined) return;
    this.#add(window.slice(Math.max(0, this.#restFrom - from), end - from));
    if (instead !== '') this.#add(new TextEncoder().encode(instead));
    this.#restFrom = undefined;
  }

  /** Adds the remaining bytes of the window to the rest. */
  #keepRest(window: Uint8Array, from: number): void {
    if (this.#restFrom === undefined) return;
    this.#add(window.slice(Math.max(0, this.#restFrom - from)));
    this.#restFrom = from + window.length;
  }

  #add(bytes: Uint8Array): void {
    this.#restBytes += bytes.length;
    if (this.#restBytes > REST_BYTES_MAX) throw new LogSyntaxError({ isTooLong: true });
    if (bytes.length > 0) this.#rest.push(bytes);
  }
}

function keyIn(bytes: Uint8Array): string {
  try {
    return String(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return '';
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function textOf(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8');
  return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
}
