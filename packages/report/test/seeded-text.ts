/** Pseudorandom text, the same for the same seed. */
import { createHash } from 'node:crypto';

export const DIGITS = '0123456789';
export const HEX = '0123456789abcdef';
export const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const LETTERS = CAPITALS + LOWER;
export const BASE62 = DIGITS + LETTERS;
export const BASE64 = `${LETTERS}${DIGITS}+/`;
export const BASE64URL = `${LETTERS}${DIGITS}-_`;

export class SeededText {
  readonly #seed: string;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #block = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  number(below: number): number {
    if (this.#at + 4 > this.#bytes.length) {
      this.#bytes = createHash('sha512')
        .update(`${this.#seed}/${(this.#block += 1)}`)
        .digest();
      this.#at = 0;
    }
    this.#at += 4;
    return this.#bytes.readUInt32BE(this.#at - 4) % below;
  }

  of(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet.charAt(this.number(alphabet.length))).join('');
  }

  between(alphabet: string, min: number, max: number): string {
    return this.of(alphabet, min + this.number(max - min + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.number(items.length)]!;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.number(256)));
  }

  uuid(): string {
    const hex = this.of(HEX, 32);
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `a${hex.slice(17, 20)}`,
      hex.slice(20),
    ].join('-');
  }
}
