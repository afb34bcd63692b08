import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openParts } from './read-bounded.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'svc-parts-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

test('a file that is read in parts returns the right bytes for any order and size of the parts', () => {
  const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, index) => (index * 31) % 251));
  const file = path.join(folder, 'parts');
  fs.writeFileSync(file, bytes);
  using parts = openParts(file);
  const position = fc.oneof(
    fc.nat({ max: bytes.length }),
    fc.constantFrom(0, 1, 256 * 1024, 2 * 256 * 1024, bytes.length),
  );
  fc.assert(
    fc.property(position, position, (one, other) => {
      const [start, end] = one < other ? [one, other] : [other, one];
      expect(parts.read(start, end).equals(bytes.subarray(start, end))).toBe(true);
    }),
  );
});
