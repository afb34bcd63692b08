import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namesIn } from './json-names.ts';

test('[T11] every field of a document counts, whatever its name and depth', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      // The document itself counts as the field of an object.
      let counted = -1;
      JSON.parse(text, function (this: unknown, _, inner: unknown) {
        if (!Array.isArray(this)) counted += 1;
        return inner;
      });
      expect(namesIn(JSON.parse(text))).toBe(counted);
    }),
  );
  expect(namesIn(JSON.parse('{"__proto__":{"a":null},"":[{"b":[]}],"toString":1}'))).toBe(5);
});
