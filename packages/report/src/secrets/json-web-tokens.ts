/**
 * JSON Web Tokens with a signature (RFC 7515), also encoded again in base64, as Kubernetes stores them, and encrypted
 * ones (RFC 7516). A token counts when its header is JSON that names an algorithm other than `none`.
 */
import { characterSet, type ScannedText } from './scanned-text.ts';
import type { SecretFormat, SecretSpan } from './secret-format.ts';

const BASE64URL = characterSet('A-Za-z0-9_-');
const BASE64 = characterSet('A-Za-z0-9+/=');
const ALPHANUMERIC = /[A-Za-z0-9]/;
/** How JSON objects begin in base64: `{"`, and `{` with a line end or a space. */
const HEADER_ANCHORS = ['eyJ', 'eyAi', 'ewog', 'ewoJ', 'ew0K'];
const HEADER_LENGTH_MAX = 4096;
const SIGNATURE_LENGTH_MIN = 10;
/** The parts of a compact encrypted token: header, key, initialization vector, ciphertext, tag. */
const ENCRYPTED_PARTS = 5;
const ATTEMPTS_MAX = 4;

export const jsonWebTokenFormats: readonly SecretFormat[] = [
  {
    kind: 'json-web-token',
    anchors: HEADER_ANCHORS,
    follow: { set: BASE64URL, length: 10 },
    locate: locateToken,
  },
  {
    kind: 'json-web-token',
    anchors: ['ZXlK'],
    follow: { set: BASE64, length: 32 },
    locate: locateEncoded,
  },
];

function locateToken(scanned: ScannedText, at: number): SecretSpan | undefined {
  const { text } = scanned;
  const headerEnd = scanned.runEnd(BASE64URL, at);
  if (text.charAt(headerEnd) !== '.' || headerEnd - at > HEADER_LENGTH_MAX) return undefined;
  if (ALPHANUMERIC.test(scanned.characterBefore(at)) || scanned.isTriedOften(headerEnd, ATTEMPTS_MAX))
    return undefined;
  const header = decoded(text.slice(at, headerEnd));
  if (typeof header?.['alg'] !== 'string' || header['alg'].toLowerCase() === 'none') return undefined;
  const ends = partEnds(scanned, headerEnd);
  const [payloadEnd, signatureEnd] = ends;
  if (typeof header['enc'] === 'string' && ends.length === ENCRYPTED_PARTS - 1)
    return { start: at, end: ends.at(-1) ?? headerEnd };
  if (payloadEnd === undefined || signatureEnd === undefined) return undefined;
  const hasSignature = signatureEnd - payloadEnd > SIGNATURE_LENGTH_MIN;
  return payloadEnd - headerEnd > 1 && hasSignature ? { start: at, end: signatureEnd } : undefined;
}

/** Where the parts after the header end. */
function partEnds(scanned: ScannedText, headerEnd: number): number[] {
  const ends: number[] = [];
  let end = headerEnd;
  while (ends.length < ENCRYPTED_PARTS - 1 && scanned.text.charAt(end) === '.') {
    end = scanned.runEnd(BASE64URL, end + 1);
    ends.push(end);
  }
  return ends;
}

const ENCODED_LENGTH_MAX = 16_384;
const WHOLE_TOKEN = /^([\w-]{16,4096})\.[\w-]{10,12000}\.[\w-]{10,4096}\s{0,4}$/;

function locateEncoded(scanned: ScannedText, at: number): SecretSpan | undefined {
  const end = scanned.runEnd(BASE64, at);
  if (end - at > ENCODED_LENGTH_MAX || /[A-Za-z0-9+/]/.test(scanned.characterBefore(at))) return undefined;
  let token: string;
  try {
    token = atob(scanned.text.slice(at, end));
  } catch {
    return undefined;
  }
  const [, header = ''] = WHOLE_TOKEN.exec(token) ?? [];
  const { alg } = decoded(header) ?? {};
  return typeof alg === 'string' && alg.toLowerCase() !== 'none' ? { start: at, end } : undefined;
}

function decoded(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
