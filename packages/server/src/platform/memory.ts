/**
 * Gives the memory of some bytes back now. A collector that sees only the small objects that stand for them would let many
 * large ones pile up first.
 *
 * @param bytes that nobody uses any more, alone in their buffer; shared buffers are left alone.
 */
export function freeBytes(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= LARGE_BYTES_MIN) buffer.transfer(0);
}

/** Smaller ones may lie in a pool with others. */
const LARGE_BYTES_MIN = 64 * 1024;
