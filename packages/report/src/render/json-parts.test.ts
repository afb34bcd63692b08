import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonParts } from './json-parts.ts';

test('[P2] the parts are the JSON text that the engine makes', () => {
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

test('[P2] each item of a list is a part, and what is undefined is none', () => {
  expect([...jsonParts({ a: [1, { b: 2 }], c: undefined })]).toEqual(['{"a":[', '1', ',{"b":2}', ']', '}']);
});
