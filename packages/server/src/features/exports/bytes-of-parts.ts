/**
 * A text that comes in parts, as bytes. Each part is written while it is at hand, so that a large document is never one
 * text as well.
 */
const BYTES_MIN = 64 * 1024;
/** Of a unit of a text, in UTF-8. */
const BYTES_PER_UNIT_MAX = 3;

/** Thrown before the bytes that are too many are made. */
export class TooManyBytes extends Error {}

/**
 * The bytes are alone in their buffer and never in a pool, so that they can be handed to another thread.
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
        bytes = resized(bytes, Math.max(needed, Math.min(bytes.length * 2, bytesMax)));
    }
    length += bytes.write(part, length);
    if (length > bytesMax) throw new TooManyBytes();
  }
  return resized(bytes, length);
}

function resized(bytes: Buffer<ArrayBuffer>, length: number): Buffer<ArrayBuffer> {
  const other = Buffer.allocUnsafeSlow(length);
  bytes.copy(other);
  return other;
}
