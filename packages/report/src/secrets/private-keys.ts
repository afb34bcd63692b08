/**
 * Private keys in their textual encodings: PEM (RFC 7468) with any label, OpenPGP, SSH2 and PuTTY. Also where each
 * line is quoted, commented, indented or part of a diff, where line ends are escaped, and where the end is cut off.
 * Between a header and a footer, a line of base64 is enough, in any context.
 */
import type { SecretFormat, SecretSpan } from './secret-format.ts';
import type { ScannedText } from './scanned-text.ts';

/** The minimum number of base64 characters in a key. */
const KEY_LENGTH_MIN = 16;
/** A block with a footer further away counts as cut off. */
const BLOCK_LENGTH_MAX = 65_536;

/** A space, unchanged or as forms and addresses encode it. */
const GAP = String.raw`(?: |%20|\+)`;
const PEM_LABEL = `${GAP}?(?:[A-Z0-9][A-Z0-9_-]{0,30}${GAP}){0,4}PRIVATE${GAP}KEY(?:${GAP}BLOCK)?-----`;
// linear: at most four words of bounded length
const PEM_HEADER = new RegExp(`-----BEGIN${PEM_LABEL}`, 'y');
// linear: at most four words of bounded length
const PEM_FOOTER = new RegExp(`-{5,7}END${PEM_LABEL}`, 'y');
const SSH2_HEADER = /---- BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY ----/y;
const SSH2_FOOTER = /-{4,6} END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY ----/y;
const PUTTY_HEADER = /Private-Lines: ?\d{1,4}/y;
const PUTTY_FOOTER = /Private-(?:MAC|Hash): ?[0-9a-f]{40,64}/y;

/** What may be between two lines of a key: the line end, escaped or not, and the code around a line. */
const BREAK = String.raw`[\r\n]|\\+(?:[nr]|u000[aAdD]|x0[aAdD])|%0[aAdD]|&#(?:1[03]|[xX][aAdD]);|<br ?/?>`;
// linear: one character or one short escape at a time
const SEPARATOR = new RegExp(
  String.raw`${BREAK}|\\+(?:t|u0009|u0022|u002[bB])|%20|%22|&(?:quot|apos|gt);|[ \t\v\f"'\x60,;|>#%!*+\\/.-]`,
  'y',
);
// linear: a choice of short literals
const LINE_BREAK = new RegExp(`^(?:${BREAK})$`);
const RUN = /[A-Za-z0-9+/=]{1,65536}/y;
/** `Proc-Type: 4,ENCRYPTED`, `Version: GnuPG v2`, with the text up to the end of the line. */
const HEADER_FIELD = /[A-Z][A-Za-z0-9-]{1,30}: [^\r\n\\]{0,200}/y;
const QUOTE = /["'`]/g;
/** At least 40 characters, because names in code are shorter. */
const KEY_LINE = /[A-Za-z0-9+/]{40,}/g;
/** An ordinary word, as in prose that follows a header. */
const PLAIN_WORD = /^[A-Z]?[a-z]+$/;

interface Encoding {
  readonly anchor: string;
  readonly header: RegExp;
  readonly footer: RegExp;
  /** What every footer begins with. */
  readonly footerAnchor: string;
}

const encodings: readonly Encoding[] = [
  { anchor: '-----BEGIN', header: PEM_HEADER, footer: PEM_FOOTER, footerAnchor: '-----' },
  { anchor: '---- BEGIN', header: SSH2_HEADER, footer: SSH2_FOOTER, footerAnchor: '----' },
  { anchor: 'Private-Lines:', header: PUTTY_HEADER, footer: PUTTY_FOOTER, footerAnchor: 'Private-' },
];

export const privateKeyFormats: readonly SecretFormat[] = encodings.map((encoding) => ({
  kind: 'private-key',
  anchors: [encoding.anchor],
  locate: (scanned, at) => locateKey(scanned, at, encoding),
}));

function locateKey(scanned: ScannedText, at: number, encoding: Encoding): SecretSpan | undefined {
  const { header, footer, footerAnchor } = encoding;
  const { text } = scanned;
  header.lastIndex = at;
  if (!header.test(text)) return undefined;
  const start = header.lastIndex;
  const limit = scanned.next(footerAnchor, start);
  footer.lastIndex = limit;
  const footerEnd = limit - start <= BLOCK_LENGTH_MAX && footer.test(text) ? footer.lastIndex : undefined;
  const end = keyEnd(text, start, Math.min(limit, start + BLOCK_LENGTH_MAX));
  if (end !== undefined) return { start: at, end: footerEnd ?? end };
  if (footerEnd === undefined || !holdsKeyLine(text.slice(start, limit))) return undefined;
  return { start: at, end: footerEnd };
}

/** Distinguishes base64 from paths and names in code. */
function holdsKeyLine(text: string): boolean {
  for (const [line] of text.matchAll(KEY_LINE)) {
    if (/\d/.test(line) && /[a-z]/.test(line) && /[A-Z]/.test(line)) return true;
  }
  return false;
}

/** The end of the lines of a key that begin at `start`; undefined when no key begins there. */
function keyEnd(text: string, start: number, limit: number): number | undefined {
  let at = start;
  let end: number | undefined;
  let length = 0;
  for (;;) {
    const separator = skipSeparators(text, at, limit, length === 0);
    RUN.lastIndex = separator.end;
    const run = RUN.exec(text)?.[0].slice(0, limit - separator.end) ?? '';
    if (run === '' || separator.isOutsideQuotes) return end;
    // A short piece belongs to the key if it has its own line, or continues directly as in `ab\/cd`.
    const isLine = separator.hasBreak || separator.end === at || isJoined(text, at, separator.end);
    if ((run.length < KEY_LENGTH_MIN && !isLine) || PLAIN_WORD.test(run)) return end;
    length += run.length;
    at = separator.end + run.length;
    if (length >= KEY_LENGTH_MIN) end = at;
  }
}

/** A slash that JSON escapes. */
function isJoined(text: string, from: number, to: number): boolean {
  return text.startsWith('\\/', from) && to - from === 2;
}

interface Separators {
  readonly end: number;
  readonly hasBreak: boolean;
  /** A quote was closed and none opened: what follows is code. */
  readonly isOutsideQuotes: boolean;
}

function skipSeparators(text: string, from: number, limit: number, mayHaveFields: boolean): Separators {
  let at = from;
  let hasBreak = false;
  while (at < limit) {
    SEPARATOR.lastIndex = at;
    const separator = SEPARATOR.exec(text)?.[0];
    if (separator !== undefined) {
      hasBreak ||= LINE_BREAK.test(separator);
      at += separator.length;
      continue;
    }
    if (!mayHaveFields || !hasBreak) break;
    HEADER_FIELD.lastIndex = at;
    const field = HEADER_FIELD.exec(text)?.[0];
    if (field === undefined) break;
    at += field.length;
  }
  const quotes = text.slice(from, Math.min(at, limit)).match(QUOTE)?.length ?? 0;
  return { end: Math.min(at, limit), hasBreak, isOutsideQuotes: quotes % 2 === 1 };
}
