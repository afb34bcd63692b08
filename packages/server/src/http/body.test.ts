import { AppError } from '#app-error';
import { parseJson } from '#http/body';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const DEPTH_MAX = 64;
const PARTS_MAX = 20_000;

/** The value as JSON, or the status of the rejection. */
function outcomeOf(parse: () => unknown): string {
  try {
    return JSON.stringify(parse());
  } catch (error) {
    if (error instanceof AppError) return `rejected ${error.code} ${error.status}`;
    if (error instanceof SyntaxError) return 'rejected BAD_REQUEST 400';
    throw error;
  }
}

const ours = (text: string | Uint8Array) => outcomeOf(() => parseJson(Buffer.from(text)));
const theirs = (text: string) => outcomeOf(() => JSON.parse(text));
const REJECTED = 'rejected BAD_REQUEST 400';

describe('reading JSON', () => {
  test('[D2] within the limits, the reader returns what the parser returns', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), (text) => {
        expect(ours(text)).toBe(theirs(text));
      }),
    );
  });

  test('[D2] the reader rejects what the parser rejects, and never fails otherwise', () => {
    const shreds = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        'null',
        '1e5',
        '-',
        '\\u12',
        ' ',
        '"a"',
        '\u0000',
        '\u2028',
        'é',
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          shreds.map((parts) => parts.join('')),
        ),
        (text) => {
          fc.pre(text.isWellFormed());
          expect(ours(text)).toBe(theirs(text));
        },
      ),
    );
  });

  test('[D2] any bytes lead to a value or a rejection', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(ours(bytes)).toMatch(/^(?:rejected BAD_REQUEST 400$|[[{"tfn\d-])/);
      }),
    );
  });

  test('[D2] bytes that are not UTF-8 are rejected, even within a string', () => {
    const invalid = fc.constantFrom(
      [0xff],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe2, 0x82],
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), invalid, (text, bytes) => {
        const [open = '', close = ''] = JSON.stringify(text)
          .split(/(?<=^")|(?="$)/)
          .filter((part) => part === '"');
        expect(ours(Buffer.concat([Buffer.from(open), Buffer.from(bytes), Buffer.from(close)]))).toBe(
          REJECTED,
        );
      }),
    );
  });

  test('[D2] nesting is limited', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = (depth: number) =>
        `${open.repeat(depth)}${open === '[' ? '' : '1'}${close.repeat(depth)}`;
      expect(ours(nested(DEPTH_MAX))).toBe(nested(DEPTH_MAX));
      expect(ours(nested(DEPTH_MAX + 1))).toBe(REJECTED);
    }
  });

  test('[D2] the number of parts is limited', () => {
    const split = (parts: number) => `[${Array.from({ length: parts }, () => '0').join(',')}]`;
    expect(ours(split(PARTS_MAX))).toBe(split(PARTS_MAX));
    expect(ours(split(PARTS_MAX + 1))).toBe(REJECTED);
  });

  test('[D2] brackets within a string do not count as nesting', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('[', '{', ',', '"', '\\', ']', '}', '\\"')), (parts) => {
        const text = JSON.stringify([parts.join('').repeat(200), { [parts.join('')]: 0 }]);
        expect(ours(text)).toBe(text);
      }),
    );
  });

  test('[D2] the largest hostile bodies are rejected because of their shape', () => {
    const size = 1024 * 1024;
    for (const part of ['[', '{"a":', '[[],', '[{},', '{},', '[0,', ',']) {
      expect(ours(part.repeat(size / part.length))).toBe(REJECTED);
    }
  });
});
