import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NESTING_MAX, withoutDeepParts } from './deep-parts.ts';

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

function pruned(text: string, depth?: number) {
  const { json, removed } = withoutDeepParts(encoder.encode(text), depth);
  return { text: decoder.decode(json), removed };
}

const nested = (levels: number, inner: string) =>
  `${'[{"a":'.repeat(levels / 2)}${inner}${'}]'.repeat(levels / 2)}`;

test('JSON within the depth limit is unchanged', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(pruned(text)).toEqual({ text, removed: 0 });
    }),
  );
  const most = nested(NESTING_MAX, '"[[{{\\"["');
  expect(pruned(most)).toEqual({ text: most, removed: 0 });
});

test('each value that is nested too deep becomes null', () => {
  const inner = '1,"b":[],"c":{"d":[1,"]}\\\\"]},"e":[[[[]]]],"f":2';
  expect(pruned(nested(NESTING_MAX, inner))).toEqual({
    text: nested(NESTING_MAX, '1,"b":null,"c":null,"e":null,"f":2'),
    removed: 3,
  });
  expect(pruned('[[1],[2]]', NESTING_MAX - 1)).toEqual({ text: '[null,null]', removed: 2 });
});

test('a million levels become null without a stack overflow', () => {
  const { text, removed } = pruned(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`);
  expect(removed).toBe(1);
  expect(text).toBe(`${'['.repeat(NESTING_MAX)}null${']'.repeat(NESTING_MAX)}`);
});

test('JSON that ends too early within a removed part is still invalid', () => {
  expect(() => JSON.parse(pruned('['.repeat(5000)).text) as unknown).toThrow(SyntaxError);
});
