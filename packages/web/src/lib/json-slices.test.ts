import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonSlices } from './json-slices.ts';

/** Splits the text anywhere, as a network may. */
function slicesOf(text: string, cuts: readonly number[]): unknown {
  const slices = new JsonSlices();
  const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((one, other) => one - other);
  let start = 0;
  for (const end of [...ends, text.length]) {
    slices.add(text.slice(start, end));
    start = end;
  }
  return slices.end();
}

const cuts = fc.array(fc.nat(), { maxLength: 20 });
/**
 * Keys that keep their order: an integer key would come first. None contains a backslash; values cover that. Once V8 13
 * has parsed the key `\\`, it confuses other escaped keys with it.
 */
const key = fc.oneof(
  fc.constantFrom('findings', 'report', '"', '\n', '{', '[]'),
  fc.string().map((text) => `k${text.replaceAll('\\', '')}`),
);
const { json } = fc.letrec<{ json: unknown; list: unknown; object: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    anyText(),
    fc.constantFrom('}', ']', '{"', '\\"', '1e999'),
    fc.constantFrom<unknown>(null, true, 0, -1.5, 1e300),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('json'), { maxLength: 6 }),
  object: fc.dictionary(key, tie('json'), { maxKeys: 6, noNullPrototype: true }),
}));

test('JSON in any pieces parses like the whole', () => {
  fc.assert(
    fc.property(json, cuts, fc.constantFrom(undefined, 2), (value, where, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(slicesOf(text, where)).toEqual(JSON.parse(text));
    }),
  );
});

test('JsonSlices accepts and parses the same as JSON.parse', () => {
  const outcomeOf = (parse: () => unknown) => {
    try {
      return { value: parse() };
    } catch (error) {
      return { isRejected: error instanceof SyntaxError };
    }
  };
  const broken = fc.array(fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '"a"', '1', '\\', 'null', ' '), {
    maxLength: 14,
  });
  fc.assert(
    fc.property(broken, cuts, (parts, where) => {
      const text = parts.join('');
      expect(outcomeOf(() => slicesOf(text, where))).toEqual(outcomeOf(() => JSON.parse(text)));
    }),
  );
});

test('incomplete JSON is rejected wherever it ends', () => {
  const text = JSON.stringify({
    report: { findings: [{ id: 'F-1' }, { id: 'F-2', tags: ['a'] }] },
    more: [1],
  });
  for (let length = 0; length < text.length; length += 1)
    expect(() => slicesOf(text.slice(0, length), [])).toThrow(SyntaxError);
});
