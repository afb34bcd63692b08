import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonParts } from './json-parts.ts';

test('[P2] the joined parts equal JSON.stringify', () => {
  const value = fc.dictionary(
    fc.string(),
    fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.constant(undefined)),
  );
  fc.assert(
    fc.property(value, (object) => {
      expect([...jsonParts(object)].join('')).toBe(JSON.stringify(object));
    }),
  );
});

test('[P2] each item of a list is a part, and undefined is left out', () => {
  expect([...jsonParts({ a: [1, { b: 2 }], c: undefined })]).toEqual(['{"a":[', '1', ',{"b":2}', ']', '}']);
});
