/** Parsing in pieces has the outcome of parsing the whole, for every document. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInPieces } from './json-pieces.ts';
import { shapeOf } from './json-shape.ts';

const bounds = { depthMax: 1000, partsMax: 1_000_000 };
const cut = (text: string) => {
  const bytes = Buffer.from(text);
  const { pieces } = shapeOf(bytes, bounds);
  return { pieces, parse: () => parseInPieces(bytes, pieces) };
};

/** The result, or the name of the error. */
function outcome(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch (error) {
    return (error as Error).name;
  }
}

/** A text longer than a piece. */
const LONG = 'é"[{,'.repeat(4000);
const long = JSON.stringify(LONG);
const items = fc.array(fc.oneof(fc.jsonValue(), fc.constant(LONG)), { maxLength: 8 });
const documents = fc.oneof(
  fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.oneof(items, fc.jsonValue())),
  fc.array(items, { maxLength: 4 }),
  fc.jsonValue(),
);

describe('parsing in pieces', () => {
  test('[T11] has the result of parsing the whole', () => {
    fc.assert(
      fc.property(documents, fc.boolean(), (value, spaced) => {
        const text = JSON.stringify(value, null, spaced ? 2 : 0);
        expect(outcome(cut(text).parse)).toEqual({ value: JSON.parse(text) });
      }),
    );
  });

  test('[T11] fails for exactly those texts for which parsing the whole fails', () => {
    const parts = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"a"',
      '1',
      ' ',
      '"',
      '\\',
      long,
      `{"a":[${long},`,
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 14 }), (tokens) => {
        const text = tokens.join('');
        expect(outcome(cut(text).parse)).toEqual(outcome(() => JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['an empty list', '{"a":[]}'],
    ['a blank list', '{"a":[ \n ],"b":[[]]}'],
    ['the same name twice', `{"a":[${long},1],"a":[2,${long},3]}`],
    ['lists within a list', `[[${long},1],[2],[]]`],
    ['numbers beside pieces', `{"a":0,"b":[${long},1,2],"c":[0]}`],
  ])('[T11] takes %s', (_, text) => {
    expect(cut(text).parse()).toEqual(JSON.parse(text));
  });

  test.each([
    ['no item after a piece', `{"a":[${long},]}`],
    ['no item before a piece', `{"a":[,${long}]}`],
    ['only blanks as a piece', `{"a":[${' '.repeat(20_000)},${long}]}`],
    ['two commas', `{"a":[${long},,${long}]}`],
    ['another bracket at the end', `{"a":[${long},1}]`],
    ['a byte order mark', `\ufeff{"a":[${long}]}`],
  ])('[T11] rejects %s', (_, text) => {
    expect(cut(text).parse).toThrow(SyntaxError);
  });

  test('[T11] rejects bytes that are not UTF-8', () => {
    const bytes = Uint8Array.of(0x22, 0xff, 0x22);
    expect(() => parseInPieces(bytes, shapeOf(bytes, bounds).pieces)).toThrow(SyntaxError);
  });

  test('cuts long lists between items', () => {
    const { pieces } = cut(`{"a":[${long},1,${long},2]}`);
    expect(pieces).toHaveLength(3);
  });
});
