/**
 * SHA-256 (FIPS 180-4) for browsers. Theirs is asynchronous, which would make every identity asynchronous. Takes the place
 * of sha256.ts where the bundler resolves `#sha256` for a browser.
 */
export function sha256Hex(given: string | Uint8Array): string {
  return [...digestOf(given)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const SHORT_BYTES = 12;

/** 96 bits of a SHA-256, one byte to a character. */
export function shortHash(text: string): string {
  return String.fromCharCode(...digestOf(text).subarray(0, SHORT_BYTES));
}

const BLOCK_BYTES = 64;
const ROUNDS = 64;
/** The end of the last block: a bit, and the length in bits. */
const PADDING_BYTES_MIN = 9;

function digestOf(from: string | Uint8Array): Uint8Array {
  const given = typeof from === 'string' ? new TextEncoder().encode(from) : from;
  const blocks = Math.ceil((given.length + PADDING_BYTES_MIN) / BLOCK_BYTES);
  const bytes = new Uint8Array(blocks * BLOCK_BYTES);
  bytes.set(given);
  bytes[given.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(bytes.length - 8, BigInt(given.length) * 8n);
  const state = Uint32Array.from(initialState);
  const words = new Uint32Array(ROUNDS);
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) addBlock(state, words, view, at);
  const digest = new DataView(new ArrayBuffer(state.byteLength));
  state.forEach((word, index) => {
    digest.setUint32(index * 4, word);
  });
  return new Uint8Array(digest.buffer);
}

function addBlock(state: Uint32Array, words: Uint32Array, view: DataView, from: number): void {
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(from + index * 4);
  for (let index = 16; index < ROUNDS; index += 1) {
    const early = words[index - 15] ?? 0;
    const late = words[index - 2] ?? 0;
    const mixedEarly = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const mixedLate = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] ?? 0) + mixedEarly + (words[index - 7] ?? 0) + mixedLate;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < ROUNDS; index += 1) {
    const chosen = (e & f) ^ (~e & g);
    const sumOfE = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + sumOfE + chosen + (constants[index] ?? 0) + (words[index] ?? 0)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word;
}

/** Rotates 32 bits to the right. */
function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits of the fractional part of a root. */
function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

const primes = firstPrimes(ROUNDS);
const constants = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const initialState = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  return found;
}
