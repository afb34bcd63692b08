/**
 * The shape of a JSON document, from its bytes in one pass before it is parsed: some documents of a few MiB occupy a
 * parser for seconds.
 */
export interface JsonBounds {
  readonly depthMax: number;
  /** The limit of objects, lists and commas together. */
  readonly partsMax: number;
}

export interface JsonShape {
  /** Which limit the document exceeds; the rest was not scanned. */
  readonly excess: 'depth' | 'parts' | null;
  /** The number of field names. If a parser keeps fewer, some were duplicates. */
  readonly names: number;
  /** No printable ASCII character is escaped except quotes and backslashes. */
  readonly escapesPlainly: boolean;
  /**
   * Cuts the lists that are fields of the document into pieces of whole items, some kilobytes each and without the
   * commas between them (`json-pieces.ts`).
   */
  readonly pieces: readonly JsonPiece[];
}

/** The positions of a piece's bytes, the end excluded. */
export interface JsonPiece {
  readonly start: number;
  readonly end: number;
}

/** The depth of the items' list: a field of the document. */
const CUT_DEPTH = 2;
const PIECE_BYTES = 16 * 1024;

const WORD_SHIFT = 2;
const WORD_BYTES = 1 << WORD_SHIFT;
/** From a byte's number to that of its lowest bit. */
const BITS_SHIFT = 3;
/** Times a byte: a word of four such bytes. */
const EACH = 0x01010101;

const QUOTE = 0x22;
const COMMA = 0x2c;
const SLASH = 0x2f;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LETTER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export function shapeOf(bytes: Uint8Array, bounds: JsonBounds): JsonShape {
  const scan = new Scan(bytes, bounds);
  let next = 0;
  while (next < bytes.length && scan.excess === null) next = scan.part(next);
  const { excess, names, escapesPlainly, pieces } = scan;
  return { excess, names, escapesPlainly, pieces };
}

/** V8 keeps the code that it compiles for a function with many calls. For one long loop it compiles again each time. */
const PART_BYTES = 16 * 1024;

class Scan {
  excess: JsonShape['excess'] = null;
  names = 0;
  escapesPlainly = true;
  readonly pieces: JsonPiece[] = [];
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #bounds: JsonBounds;
  #depth = 0;
  #parts = 0;
  /** Where the current piece begins; -1 outside the lists that are cut. */
  #pieceAt = -1;

  constructor(bytes: Uint8Array, bounds: JsonBounds) {
    this.#bytes = bytes;
    this.#words = wordsOf(bytes);
    this.#bounds = bounds;
  }

  /** Scans some bytes from a position outside strings. Returns the position that is left, which is outside them, too. */
  part(from: number): number {
    const [bytes, words, pieces] = [this.#bytes, this.#words, this.pieces];
    const { depthMax, partsMax } = this.#bounds;
    const { length } = bytes;
    const to = Math.min(length, from + PART_BYTES);
    let [depth, parts, pieceAt, names] = [this.#depth, this.#parts, this.#pieceAt, this.names];
    let excess: JsonShape['excess'] = null;
    let index = from;
    for (; index < to; index += 1) {
      const byte = bytes[index];
      if (byte === QUOTE) {
        index = nextMark(bytes, words, index + 1);
        while (index < length && bytes[index] === BACKSLASH) {
          if (this.escapesPlainly && isNeedlessEscape(bytes, index + 1)) this.escapesPlainly = false;
          index = nextMark(bytes, words, index + 2);
        }
      } else if (byte === COLON) names += 1;
      else if (byte === COMMA) {
        parts += 1;
        if (parts > partsMax) excess = 'parts';
        if (depth === CUT_DEPTH && pieceAt >= 0 && index - pieceAt >= PIECE_BYTES) {
          pieces.push({ start: pieceAt, end: index });
          pieceAt = index + 1;
        }
      } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
        parts += 1;
        depth += 1;
        if (parts > partsMax) excess = 'parts';
        if (depth > depthMax) excess = 'depth';
        if (depth === CUT_DEPTH) pieceAt = byte === OPEN_BRACKET ? index + 1 : -1;
      } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
        if (depth === CUT_DEPTH && pieceAt >= 0) {
          if (byte === CLOSE_BRACKET) pieces.push({ start: pieceAt, end: index });
          pieceAt = -1;
        }
        depth -= 1;
      }
      if (excess !== null) break;
    }
    [this.#depth, this.#parts, this.#pieceAt, this.names] = [depth, parts, pieceAt, names];
    this.excess = excess;
    return index;
  }
}

const isLittleEndian = new Uint16Array(Uint8Array.of(1, 0).buffer)[0] === 1;

/** Four bytes each, without those after the last four. None if they cannot be read as little-endian words. */
function wordsOf({ buffer, byteOffset, length }: Uint8Array): Int32Array {
  if (!isLittleEndian || byteOffset % WORD_BYTES !== 0) return new Int32Array(0);
  return new Int32Array(buffer, byteOffset, Math.floor(length / WORD_BYTES));
}

/** The next quote or backslash, or a position past the end. Reads four bytes at a time. */
function nextMark(bytes: Uint8Array, words: Int32Array, from: number): number {
  const count = words.length;
  let word = from >> WORD_SHIFT;
  // Reading past the end would make every read slower.
  if (word < count) {
    let marks = marksIn(words[word] ?? 0) & (-1 << ((from % WORD_BYTES) << BITS_SHIFT));
    while (marks === 0) {
      word += 1;
      if (word === count) break;
      marks = firstMarkIn(words[word] ?? 0);
    }
    if (marks !== 0) return (word << WORD_SHIFT) + (lowestBit(marks) >> BITS_SHIFT);
  }
  let index = Math.max(from, count * WORD_BYTES);
  while (index < bytes.length && bytes[index] !== QUOTE && bytes[index] !== BACKSLASH) index += 1;
  return index;
}

const lowestBit = (word: number) => 31 - Math.clz32(word & -word);

const LOW_BITS = 0x7f * EACH;
const HIGH_BITS = 0x80 * EACH;

/** The highest bit of each byte that is a quote or a backslash. */
const marksIn = (word: number) => zerosIn(word ^ (QUOTE * EACH)) | zerosIn(word ^ (BACKSLASH * EACH));
const zerosIn = (word: number) => ~(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS);

/** Like `marksIn`, with fewer operations; only the lowest bit is certain. */
const firstMarkIn = (word: number) =>
  firstZeroIn(word ^ (QUOTE * EACH)) | firstZeroIn(word ^ (BACKSLASH * EACH));
/** Subtracting one sets the highest bit of a byte that is zero, and it may borrow from the next byte. */
const firstZeroIn = (word: number) => (word - EACH) & ~word & HIGH_BITS;

/** `\/`, and `\u0020` to `\u007f`; also an escape that is cut off. */
function isNeedlessEscape(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] === SLASH) return true;
  if (bytes[at] !== LETTER_U) return false;
  if (at + 3 >= bytes.length) return true;
  if (bytes[at + 1] !== ZERO || bytes[at + 2] !== ZERO) return false;
  const third = bytes[at + 3] ?? 0;
  return third >= ZERO + 2 && third <= ZERO + 7;
}
