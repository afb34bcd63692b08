/** Writes and reads the packed forms of finding facts, byte after byte. */
const SIZE_MIN = 1024;
const TIME_BYTES = 6;
const BYTE_VALUES = 256;
const GROUP_BITS = 7;
const GROUP_MORE = 1 << GROUP_BITS;

export class ByteWriter {
  #bytes = new Uint8Array(SIZE_MIN);
  #length = 0;

  byte(value: number): void {
    this.#makeRoom(1);
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  /** A whole number of at most 53 bits; small ones take one byte. */
  count(value: number): void {
    let rest = value;
    while (rest >= GROUP_MORE) {
      this.byte((rest % GROUP_MORE) | GROUP_MORE);
      rest = Math.floor(rest / GROUP_MORE);
    }
    this.byte(rest);
  }

  /** Milliseconds since 1970; earlier times are written as 1970. */
  time(ms: number): void {
    let rest = Math.max(0, ms);
    const digits: number[] = [];
    for (let place = 0; place < TIME_BYTES; place += 1) {
      digits.push(rest % BYTE_VALUES);
      rest = Math.floor(rest / BYTE_VALUES);
    }
    for (const digit of digits.toReversed()) this.byte(digit);
  }

  bytes(given: Uint8Array): void {
    this.#makeRoom(given.length);
    this.#bytes.set(given, this.#length);
    this.#length += given.length;
  }

  /** Writes the length of what another writer has written, then that. Empties the other writer. */
  take(other: ByteWriter): void {
    this.count(other.#length);
    this.bytes(other.#bytes.subarray(0, other.#length));
    other.#length = 0;
  }

  /** All bytes written so far. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #makeRoom(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** Reads what `ByteWriter` wrote. Reading past the end throws a TypeError. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw damaged();
    this.#at += 1;
    return value;
  }

  count(): number {
    let value = 0;
    for (let unit = 1; ; unit *= GROUP_MORE) {
      const group = this.byte();
      value += (group % GROUP_MORE) * unit;
      if (group < GROUP_MORE) return value;
    }
  }

  time(): number {
    let ms = 0;
    for (let place = 0; place < TIME_BYTES; place += 1) ms = ms * BYTE_VALUES + this.byte();
    return ms;
  }

  bytes(length: number): Uint8Array {
    this.skip(length);
    return this.#bytes.slice(this.#at - length, this.#at);
  }

  skip(length: number): void {
    if (this.#at + length > this.#bytes.length) throw damaged();
    this.#at += length;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}

function damaged(): TypeError {
  return new TypeError('The packed bytes are damaged.');
}
