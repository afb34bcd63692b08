/** Crockford base32 and base62, the alphabets of ids and tokens. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The first `length` characters of the bytes in upper-case Crockford base32, five bits for each character, high bits
 * first.
 */
export function crockford(bytes: Uint8Array, length: number): string {
  // One string from codes: appending would create a string for each character.
  const codes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5 && codes.length < length) {
      bits -= 5;
      codes.push(CROCKFORD.charCodeAt((value >>> bits) & 31));
    }
    value &= (1 << bits) - 1;
  }
  if (codes.length < length) codes.push(CROCKFORD.charCodeAt((value << (5 - bits)) & 31));
  return String.fromCharCode(...codes);
}

/** The first `count` bytes of upper-case Crockford base32. Null for other characters, and if there are fewer bytes. */
export function fromCrockford(text: string, count: number): Uint8Array | null {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const character of text) {
    const five = CROCKFORD.indexOf(character);
    if (five < 0) return null;
    value = (value << 5) | five;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push(value >>> bits);
    value &= (1 << bits) - 1;
  }
  return bytes.length < count ? null : Uint8Array.from(bytes.slice(0, count));
}

/** `count` base62 characters, each equally likely, from a source of random bytes. */
export function base62(count: number, bytes: (count: number) => Uint8Array): string {
  let text = '';
  while (text.length < count) {
    for (const byte of bytes(count)) {
      // 248 is the largest multiple of 62 in a byte. Higher values would make some characters more likely.
      if (byte < 248 && text.length < count) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** A whole number in base62, padded to `length` characters. */
export function base62Number(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text;
  return text;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text of the bytes, with a byte order mark if they begin with one.
 * @throws TypeError when they are not valid UTF-8; no byte is replaced.
 */
export function strictUtf8(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}
