/**
 * Encodes a text that comes in parts. Each part is encoded when it arrives, so that a large document never also exists
 * as one string.
 */
const BYTES_MIN = 64 * 1024;
/** The most bytes that one UTF-16 unit takes in UTF-8. */
const BYTES_PER_UNIT_MAX = 3;

/** Thrown before memory for excess bytes is allocated. */
export class TooManyBytes extends Error {}

/**
 * The bytes have a buffer of their own, outside any pool, so that it can be transferred to another thread.
 * @throws TooManyBytes
 */
export function bytesOfParts(parts: Iterable<string>, bytesMax = Infinity): Buffer<ArrayBuffer> {
  let bytes = Buffer.allocUnsafeSlow(BYTES_MIN);
  let length = 0;
  for (const part of parts) {
    if (bytes.length < length + part.length * BYTES_PER_UNIT_MAX) {
      const needed = length + Buffer.byteLength(part);
      if (needed > bytesMax) throw new TooManyBytes();
      if (bytes.length < needed)
        bytes = Buffer.from(bytes.buffer.transfer(Math.max(needed, Math.min(bytes.length * 2, bytesMax))));
    }
    length += bytes.write(part, length);
    if (length > bytesMax) throw new TooManyBytes();
  }
  return Buffer.from(bytes.buffer.transfer(length));
}
