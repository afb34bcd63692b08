import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costlyRuns } from '../../test/costly.ts';
import { LogSyntaxError, scanLog, type ByteSource, type LongList } from './log-scanner.ts';

const encoder = new TextEncoder();

function sourceOf(text: string): ByteSource {
  const bytes = encoder.encode(text);
  return { length: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** The value that results from parsing the scanned parts of a text and combining them. */
function readBack(text: string, windowBytes: number): unknown {
  const source = sourceOf(text);
  const { rest, runs } = scanLog(source, windowBytes);
  const log = JSON.parse(rest) as { runs?: Record<string, unknown>[] };
  runs.forEach(({ lists }, index) => {
    for (const [name, slices] of Object.entries(lists)) {
      const elements = Array.from({ length: slices.length }, (_, at): unknown =>
        JSON.parse(new TextDecoder().decode(source.read(slices.startOf(at), slices.endOf(at)))),
      );
      const run = log.runs?.[index];
      expect(run?.[name]).toEqual([]);
      if (run) run[name] = elements;
    }
  });
  return log;
}

const listNames: LongList[] = ['results', 'artifacts', 'logicalLocations', 'threadFlowLocations'];
/** Texts that look like JSON structure. */
const tricky = fc.constantFrom('"', '{"results":[', ']}', 'runs', 'é🙂', '\\', '\\"', '');
/** Excludes backslashes: V8 confuses a key that is a backslash with an escaped one of an earlier object. */
const key = fc.oneof(tricky, fc.string()).filter((name) => !name.includes('\\'));
const scalar = fc.oneof(tricky, fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(key, tie('json'), { maxKeys: 3 }),
  ),
}));
/** A run in which any value can replace each list. */
const anyRun = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      Object.fromEntries([
        ...listNames.map((name) => [name, fc.oneof(fc.array(json, { maxLength: 4 }), json)]),
        ['tool', json],
        ['properties', fc.dictionary(key, json, { maxKeys: 3 })],
      ]),
      { requiredKeys: [] },
    ),
  },
  json,
);
const anyLog = fc.record(
  {
    version: fc.constant('2.1.0'),
    runs: fc.oneof(fc.array(anyRun, { maxLength: 3 }), json),
    properties: json,
  },
  { requiredKeys: [] },
);

describe('scanning a log in parts', () => {
  test('gives the same values as JSON.parse, for any window size and white space', () => {
    fc.assert(
      fc.property(
        anyLog,
        fc.integer({ min: 1, max: 64 }),
        fc.constantFrom(0, 2),
        (log, windowBytes, indent) => {
          const text = JSON.stringify(log, null, indent);
          expect(readBack(text, windowBytes)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: costlyRuns() },
    );
  });

  test('reports a log that ends too early as truncated, wherever it ends', () => {
    fc.assert(
      fc.property(anyLog, fc.double({ min: 0, max: 1, noNaN: true }), (log, part) => {
        const text = JSON.stringify(log);
        const bytes = encoder.encode(text);
        const cut = bytes.subarray(0, 1 + Math.floor(part * (bytes.length - 2)));
        const source: ByteSource = { length: cut.length, read: (start, end) => cut.subarray(start, end) };
        expect(() => scanLog(source)).toThrow(expect.objectContaining({ isTruncated: true }));
      }),
    );
  });

  test('replaces long parts that are never read with null', () => {
    const { rest } = scanLog(
      sourceOf('{"runs":[{"graphs":[{"nodes":[1,2]}],"webRequests":{"a":"}"},"tool":{}}]}'),
    );
    expect(JSON.parse(rest)).toEqual({ runs: [{ graphs: null, webRequests: null, tool: {} }] });
  });

  test('takes the last of two lists with the same name, and recognizes names with escapes', () => {
    expect(readBack('{"runs":[{"results":[1,2],"results":[3]}]}', 7)).toEqual({ runs: [{ results: [3] }] });
    expect(scanLog(sourceOf('{"runs":[{"\\u0072esults":[1,2]}]}')).runs[0]?.lists.results?.length).toBe(2);
  });

  test.each([
    ['nothing', ''],
    ['text', 'no such file'],
    ['a bracket of the other kind', '{"runs":[}]'],
    ['something after its end', '{"runs":[]} x'],
    ['two values', '{} {}'],
    ['a trailing comma', '{"runs":[{"results":[{},]}]}'],
    ['a missing element', '{"runs":[{"results":[{},,{}]}]}'],
    ['nesting without end', '['.repeat(1_000_000)],
  ])('rejects a log with %s as invalid, not as truncated', (_what, text) => {
    expect(() => scanLog(sourceOf(text))).toThrow(LogSyntaxError);
    expect(() => scanLog(sourceOf(text))).toThrow(expect.objectContaining({ isTruncated: false }));
  });
});
