/**
 * The shape of a JSON document, from its bytes in one pass before it is parsed: some documents of a few MiB occupy a parser
 * for seconds.
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
}

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

/** Scans a document as it arrives, in chunks of any size. */
export interface ShapeScanner {
  /** @param chunk any bytes; for bytes that are not JSON the result has no meaning. */
  add(chunk: Uint8Array): void;
  shape(): JsonShape;
}

export function createShapeScanner(bounds: JsonBounds): ShapeScanner {
  let state: State = { ...START };
  return {
    add(chunk) {
      if (state.excess === null) state = scanned(chunk, state, bounds);
    },
    shape: () => ({ excess: state.excess, names: state.names, escapesPlainly: state.escapesPlainly }),
  };
}

interface State extends JsonShape {
  readonly depth: number;
  readonly parts: number;
  readonly inText: boolean;
  /** The last byte was a backslash in a text. */
  readonly isEscaped: boolean;
}

const START: State = {
  excess: null,
  names: 0,
  escapesPlainly: true,
  depth: 0,
  parts: 0,
  inText: false,
  isEscaped: false,
};

/** Works on copies of the state, and skips texts in a loop of their own, which is several times faster. */
function scanned(chunk: Uint8Array, state: State, { depthMax, partsMax }: JsonBounds): State {
  let { depth, parts, names, inText, escapesPlainly } = state;
  const { length } = chunk;
  let excess: JsonShape['excess'] = null;
  let isEscaped = state.isEscaped && length === 0;
  if (state.isEscaped && length > 0 && isNeedlessEscape(chunk, 0)) escapesPlainly = false;
  for (let index = state.isEscaped ? 1 : 0; index < length; index += 1) {
    if (inText) {
      let inner = 0;
      // Reading past the end would make every read slower.
      for (; index < length; index += 1) {
        inner = chunk[index] ?? 0;
        if (inner === QUOTE || inner === BACKSLASH) break;
      }
      if (index === length) break;
      if (inner === QUOTE) {
        inText = false;
        continue;
      }
      index += 1;
      if (index === length) isEscaped = true;
      else if (escapesPlainly && isNeedlessEscape(chunk, index)) escapesPlainly = false;
      continue;
    }
    const byte = chunk[index];
    if (byte === QUOTE) inText = true;
    else if (byte === COLON) names += 1;
    else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
    else if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      parts += 1;
      if (byte !== COMMA) depth += 1;
      if (parts > partsMax) excess = 'parts';
      if (depth > depthMax) excess = 'depth';
      if (excess !== null) break;
    }
  }
  return { excess, names, escapesPlainly, depth, parts, inText, isEscaped };
}

export function shapeOf(bytes: Uint8Array, bounds: JsonBounds): JsonShape {
  const scanner = createShapeScanner(bounds);
  scanner.add(bytes);
  return scanner.shape();
}

/** `\/`, and `\u0020` to `\u007f`; also an escape that is split between chunks, which is not known yet. */
function isNeedlessEscape(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] === SLASH) return true;
  if (bytes[at] !== LETTER_U) return false;
  if (at + 3 >= bytes.length) return true;
  if (bytes[at + 1] !== ZERO || bytes[at + 2] !== ZERO) return false;
  const third = bytes[at + 3] ?? 0;
  return third >= ZERO + 2 && third <= ZERO + 7;
}
