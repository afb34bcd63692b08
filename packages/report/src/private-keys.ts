/** Private keys in their textual encodings (RFC 7468), also within JSON, and those whose end was cut off. */
import { characterSet, type ScannedText } from './scanned-text.ts';

const BODY = characterSet('A-Za-z0-9+/=\\ \t\n\v\f\r');
const HEADER = /-----BEGIN ?(?:(?:RSA|DSA|EC|OPENSSH|PGP) )?PRIVATE KEY(?: BLOCK)?-----/y;
const FOOTER = /-----END ?(?:(?:RSA|DSA|EC|OPENSSH|PGP) )?PRIVATE KEY(?: BLOCK)?-----/y;
/** Line ends, as they are and as JSON writes them. */
const LINE_ENDS = /\s|\\[nrt]/g;
const BASE64 = /^[A-Za-z0-9+/]+=*$/;
/** How a DER sequence and OpenSSH's own format begin. */
const BEGINNINGS = ['MI', 'b3BlbnNzaC1rZXktdjE'];
/** Placeholders are shorter; the smallest real key is not. */
const BODY_LENGTH_MIN = 100;

export function locatePrivateKey(
  scanned: ScannedText,
  at: number,
): { start: number; end: number } | undefined {
  HEADER.lastIndex = at;
  if (!HEADER.test(scanned.text)) return undefined;
  const bodyStart = HEADER.lastIndex;
  const bodyEnd = scanned.runEnd(BODY, bodyStart);
  const body = scanned.text.slice(bodyStart, bodyEnd).replace(LINE_ENDS, '');
  const isKey =
    body.length >= BODY_LENGTH_MIN &&
    BASE64.test(body) &&
    BEGINNINGS.some((beginning) => body.startsWith(beginning));
  if (!isKey) return undefined;
  FOOTER.lastIndex = bodyEnd;
  return { start: at, end: FOOTER.test(scanned.text) ? FOOTER.lastIndex : bodyEnd };
}
