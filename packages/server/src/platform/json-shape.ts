/**
 * The shape of a JSON document from its bytes, in one pass, before a parser gets it: some documents of a few MiB hold a
 * parser up for seconds.
 */
export interface JsonBounds {
  readonly depthMax: number;
  /** Objects, lists and commas together. */
  readonly partsMax: number;
}

export interface JsonShape {
  /** What goes beyond the bounds; the rest of the document was not looked at. */
  readonly excess: 'depth' | 'parts' | null;
  /** Names of fields. A parser that keeps fewer has dropped some that came twice. */
  readonly names: number;
  /** No printable ASCII character is escaped but for quotes and backslashes. */
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

/** @param bytes any; of those that are not JSON it says nothing that matters. */
export function shapeOf(bytes: Uint8Array, { depthMax, partsMax }: JsonBounds): JsonShape {
  let depth = 0;
  let parts = 0;
  let names = 0;
  let inText = false;
  let escapesPlainly = true;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inText) {
      if (byte === QUOTE) inText = false;
      else if (byte === BACKSLASH) {
        index += 1;
        if (escapesPlainly && isNeedlessEscape(bytes, index)) escapesPlainly = false;
      }
    } else if (byte === QUOTE) inText = true;
    else if (byte === COLON) names += 1;
    else if (byte === COMMA) parts += 1;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      parts += 1;
      if (depth > depthMax) return { excess: 'depth', names, escapesPlainly };
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
    if (parts > partsMax) return { excess: 'parts', names, escapesPlainly };
  }
  return { excess: null, names, escapesPlainly };
}

/** `\/`, and `\u0020` to `\u007f`. */
function isNeedlessEscape(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] === SLASH) return true;
  if (bytes[at] !== LETTER_U || bytes[at + 1] !== ZERO || bytes[at + 2] !== ZERO) return false;
  const third = bytes[at + 3] ?? 0;
  return third >= ZERO + 2 && third <= ZERO + 7;
}
