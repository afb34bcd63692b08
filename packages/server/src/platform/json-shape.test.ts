import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shapeOf } from './json-shape.ts';

const wide = { depthMax: 1000, partsMax: 100_000 };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const shape = (text: string, bounds = wide) => shapeOf(bytesOf(text), bounds);

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, inner) => sum + countNames(inner), own);
}

describe('the shape of a document', () => {
  test('[T11] counts the names of fields, whatever the texts contain', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, spaced) => {
        const { names, escapesPlainly } = shape(JSON.stringify(value, null, spaced ? 2 : 0));
        expect({ names, escapesPlainly }).toEqual({ names: countNames(value), escapesPlainly: true });
      }),
    );
  });

  test('[T11] is the same wherever the scan of a large document is cut, and at any address', () => {
    const cutAt = 16 * 1024;
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.integer({ min: -80, max: 8 }),
        fc.integer({ min: 1, max: 3 }),
        (value, by, shift) => {
          const before = { text: 'a'.repeat(cutAt + by), value };
          const bytes = bytesOf(JSON.stringify(before));
          const shifted = new Uint8Array(bytes.length + shift);
          shifted.set(bytes, shift);
          const found = shapeOf(bytes, wide);
          expect(found).toMatchObject({ names: countNames(before), escapesPlainly: true, excess: null });
          expect(shapeOf(shifted.subarray(shift), wide)).toEqual(found);
        },
      ),
    );
  });

  test('[T11] counts duplicate names twice', () => {
    expect(shape('{"a":1,"a":2,"b":{"c":1,"c":1}}').names).toBe(5);
  });

  test('[T11] reports one level or part beyond the limits, and none within', () => {
    const bounds = { depthMax: 3, partsMax: 6 };
    expect(shape('[[[]]]', bounds).excess).toBeNull();
    expect(shape('[[{"a":[]}]]', bounds).excess).toBe('depth');
    expect(shape('[1,2,3,4,5,6]', bounds).excess).toBeNull();
    expect(shape('[1,2,3,4,5,6,7]', bounds).excess).toBe('parts');
    expect(shape('["[[[[[,,,,,,,"]', bounds).excess).toBeNull();
  });

  test.each([
    [String.raw`"\/"`, false],
    [String.raw`"\u0041"`, false],
    [String.raw`"\u007e"`, false],
    [String.raw`"\u0020"`, false],
    [String.raw`"\\u0041"`, true],
    [String.raw`"\u00e9\ud83d\u001f\u0141"`, true],
    [String.raw`"\"\\\n\t"`, true],
  ])('[T11] %s escapes no printable ASCII character except quotes and backslashes: %s', (text, plainly) => {
    expect(shape(text).escapesPlainly).toBe(plainly);
  });
});
