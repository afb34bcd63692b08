import { expect, test } from 'vitest';
import { freeBytes } from './free-bytes.ts';

const LARGE = 64 * 1024;

test.for([
  ['small bytes that fill their buffer', new Uint8Array(10)],
  ['large bytes that fill their buffer', new Uint8Array(LARGE)],
  ['a part of a large buffer', new Uint8Array(LARGE).subarray(0, 10)],
] as const)('%s are freed, and may be freed again', ([, bytes]) => {
  freeBytes(bytes);
  expect(bytes.buffer.byteLength).toBe(0);
  freeBytes(bytes);
  expect(bytes.buffer.byteLength).toBe(0);
});

test('a part of a small buffer, which may be a pool, is kept', () => {
  const part = new Uint8Array(LARGE - 1).fill(1).subarray(0, 10);
  freeBytes(part);
  expect([...part]).toEqual(Array.from({ length: 10 }, () => 1));
});
