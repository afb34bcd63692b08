/**
 * Frees the memory of some bytes now. The garbage collector sees only small objects, and would let many large buffers
 * accumulate first.
 *
 * @param bytes no longer used, and alone in their buffer. If they do not fill a buffer of less than 64 KiB, they are
 * skipped, because it may be a pool.
 */
export function freeBytes(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength === 0) return;
  if (buffer.byteLength >= LARGE_BYTES_MIN || buffer.byteLength === bytes.byteLength) buffer.transfer(0);
}

/** Smaller ones may be in a pool with others. */
const LARGE_BYTES_MIN = 64 * 1024;
