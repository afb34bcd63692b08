import { describe, expect, test } from 'vitest';
import { log, result, run, type Part } from '../../test/sarif.ts';
import { matchFindings, type MatchOptions } from './matching.ts';
import { importSarif } from '../sarif/import.ts';

/** The findings of the rule `no-eval` in these files: one for each line with `eval`. */
function scanned(
  files: Readonly<Record<string, readonly string[]>>,
  more: (line: string) => Part = () => ({}),
) {
  const results = Object.entries(files).flatMap(([file, lines]) =>
    lines.flatMap((line, index) => (line.includes('eval') ? [result(more(line), file, index + 1)] : [])),
  );
  return importSarif(log(run(results)), { linesOf: (file) => files[file] }).findings;
}

/** The lines of matched findings as pairs, earlier and now. */
function matchedLines(
  before: ReturnType<typeof scanned>,
  now: ReturnType<typeof scanned>,
  options?: MatchOptions,
): [number | undefined, number | undefined][] {
  return matchFindings(before, now, options)
    .map((match): [number | undefined, number | undefined] => [
      match.before.affected.lineStart,
      match.now.affected.lineStart,
    ])
    .toSorted(([one = 0], [other = 0]) => one - other);
}

const body = ['start();', 'eval(a);', 'stop();'];

describe('a finding matches', () => {
  test('when its lines have moved', () => {
    expect(matchedLines(scanned({ a: body }), scanned({ a: ['new();', ...body] }))).toEqual([[2, 3]]);
  });

  test('when one neighbouring line was edited, but not when both were', () => {
    const before = scanned({ a: body });
    expect(matchedLines(before, scanned({ a: body.with(0, 'begin();') }))).toEqual([[2, 2]]);
    expect(matchedLines(before, scanned({ a: body.with(2, 'end();') }))).toEqual([[2, 2]]);
    expect(matchedLines(before, scanned({ a: ['begin();', 'eval(a);', 'end();'] }))).toEqual([]);
  });

  test('when git knows that its line has not changed, regardless of the lines around it', () => {
    const before = scanned({ a: body });
    const now = scanned({ a: ['', 'begin();', 'eval(a);', 'end();'] });
    expect(matchedLines(before, now, { lineNow: (_file, line) => line + 1 })).toEqual([[2, 3]]);
  });

  test('when its file was renamed, or its code was moved to another file', () => {
    const before = scanned({ a: body });
    const renamed = new Map([['a', 'b']]);
    expect(matchedLines(before, scanned({ b: body.with(0, 'begin();') }), { renamed })).toEqual([[2, 2]]);
    expect(matchedLines(before, scanned({ b: ['more();', ...body] }))).toEqual([[2, 3]]);
  });

  test('only if exactly one finding can be the same', () => {
    const before = scanned({ a: body });
    expect(matchedLines(before, scanned({ b: body, c: body }))).toEqual([]);
    expect(matchedLines(before, scanned({ a: body, b: body }))).toEqual([[2, 2]]);
  });

  test('when its tool begins to write fingerprints, adds another, or stops', () => {
    const plain = scanned({ a: body });
    const one = scanned({ a: body }, () => ({ partialFingerprints: { z: '1' } }));
    const two = scanned({ a: ['x();', 'eval(a);', 'y();'] }, () => ({
      partialFingerprints: { a: '2', z: '1' },
    }));
    for (const [before, now] of [
      [plain, one],
      [one, plain],
      [one, two],
      [two, one],
    ] as const)
      expect(matchedLines(before, now)).toEqual([[2, 2]]);
  });
});

describe('findings in equal lines', () => {
  const twice = [...body, 'eval(a);', 'stop();', 'eval(a);', 'stop();'];

  test('match the nearest ones', () => {
    const first = ['stop();', 'eval(a);', 'stop();'];
    const before = scanned({ a: [...first, ...Array<string>(40).fill('x();'), ...first] });
    const now = scanned({ a: [...Array<string>(38).fill('x();'), ...first] });
    expect(matchedLines(before, now)).toEqual([[45, 40]]);
    expect(matchedLines(now, before)).toEqual([[40, 45]]);
  });

  test('match when one of them is removed or added', () => {
    const all = scanned({ a: twice });
    const without = scanned({ a: twice.toSpliced(3, 2) });
    expect(matchFindings(all, without)).toHaveLength(2);
    expect(matchFindings(without, all)).toHaveLength(2);
    // With known lines, the remaining finding is not confused with the removed one.
    const lineNow = (_file: string, line: number) =>
      line === 4 || line === 5 ? undefined : line > 5 ? line - 2 : line;
    expect(matchedLines(all, without, { lineNow })).toEqual([
      [2, 2],
      [6, 4],
    ]);
  });
});

describe('what git knows about a line', () => {
  const hashed = () => ({ fingerprints: { 'contextHash/v1': 'the same of all' } });
  const gone = { first: 1, last: 0 };

  test('overrides the fingerprint of a tool that hashes equal lines equally', () => {
    const before = scanned({ a: ['x();', 'eval(a);', 'y();'] }, hashed);
    const now = scanned({ a: ['y();', 'z();', 'eval(a);', 'w();'] }, hashed);
    expect(matchedLines(before, now, { lineNow: () => gone })).toEqual([]);
    expect(matchedLines(before, now, { lineNow: () => ({ first: 3, last: 3 }) })).toEqual([[2, 3]]);
    expect(matchedLines(before, now)).toEqual([[2, 3]]);
  });

  test('overrides one equal neighbouring line, but not two', () => {
    const before = scanned({ a: body });
    const lineNow = () => gone;
    expect(matchedLines(before, scanned({ a: body.with(0, 'begin();') }), { lineNow })).toEqual([]);
    expect(matchedLines(before, scanned({ a: ['new();', ...body] }), { lineNow })).toEqual([[2, 3]]);
  });

  test('does not keep a finding at its old location if its line and neighbours are elsewhere', () => {
    const other = ['begin();', 'eval(a);', 'stop();'];
    const before = scanned({ a: body, b: other });
    const now = scanned({ a: other, b: body });
    const files = matchFindings(before, now, { lineNow: () => ({ first: 1, last: 3 }) });
    expect(
      files.map((match) => [match.before.affected.file, match.now.affected.file].join()).toSorted(),
    ).toEqual(['a,b', 'b,a']);
  });

  test('lets a deleted line match in a new file only if the match is unique', () => {
    const twice = ['x();', 'eval(a);', 'y();', ...body, 'x();', 'eval(a);', 'y();'];
    const lineNow = () => gone;
    const before = scanned({ a: twice });
    const all = [
      [2, 3],
      [5, 6],
      [8, 9],
    ];
    expect(matchedLines(before, scanned({ b: ['new();', ...twice] }), { lineNow })).toEqual(all);
    // One of two equal findings is gone, and which one is unknown.
    expect(matchedLines(before, scanned({ b: twice.slice(3) }), { lineNow })).toEqual([[5, 2]]);
    // The file `b` is not new: it existed before.
    const both = scanned({ a: twice, b: ['eval(b);'] });
    expect(matchedLines(both, scanned({ b: twice }), { lineNow })).toEqual([[5, 5]]);
  });

  test('does not override the fingerprint of a submitted finding', () => {
    const submitted = (lineStart: number) => [
      { fingerprint: 'f'.repeat(64), affected: { file: 'a', lineStart }, tags: [] },
    ];
    expect(matchFindings(submitted(2), submitted(9), { lineNow: () => gone })).toHaveLength(1);
  });
});

describe('findings do not match', () => {
  test('when the code was copied to another file, and git knows that the old line has not changed', () => {
    const before = scanned({ a: body });
    const copied = scanned({ b: body });
    expect(matchedLines(before, copied, { lineNow: (_file, line) => line })).toEqual([]);
    expect(matchedLines(before, copied, { lineNow: () => ({ first: 1, last: 0 }) })).toEqual([[2, 2]]);
  });

  const shown = (findings: ReturnType<typeof scanned>) =>
    findings.map((finding) => ({ ...finding, affected: { ...finding.affected, file: '[outside]/a.js' } }));

  test('when files outside of the repository have the same name', () => {
    const [one, other] = [scanned({ '/one/a.js': body }), scanned({ '/other/a.js': body })];
    expect(matchedLines(one, other)).toEqual([]);
    expect(matchedLines(shown(one), shown(other))).toEqual([]);
    expect(matchedLines(shown(one), shown(other), { lineNow: (_file, line) => line })).toEqual([]);
    expect(matchedLines(shown(one), shown(one))).toEqual([[2, 2]]);
    expect(matchedLines(one, shown(one))).toEqual([[2, 2]]);
  });

  test('when one of 70 with equal tool fingerprints is fixed and another one gets its number', () => {
    const hashed = () => ({ fingerprints: { 'contextHash/v1': 'the same of all' } });
    const lines = (first: number) =>
      Array.from({ length: 70 }, (_, index) => [`step(${first + index});`, 'eval(a);']).flat();
    const [before, now] = [scanned({ a: lines(0) }, hashed), scanned({ a: lines(100) }, hashed)];
    expect(now.map(({ fingerprint }) => fingerprint)).toEqual(before.map(({ fingerprint }) => fingerprint));
    expect(matchedLines(before, now, { lineNow: () => ({ first: 1, last: 0 }) })).toEqual([]);
  });
});

describe('a finding with a weak identity', () => {
  const weak = (...lines: number[]) =>
    importSarif(log(run(lines.map((line) => result({}, 'src/a.ts', line))))).findings;

  test('matches at the same line only', () => {
    expect(matchedLines(weak(7), weak(7))).toEqual([[7, 7]]);
    expect(matchedLines(weak(7), weak(8))).toEqual([]);
  });
});
