import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readStoredRun, slowerThan } from './stored-run.ts';

const ratio = (measured: number, details: Record<string, number> = {}) => ({
  target: 'P5',
  name: 'sync',
  measured,
  unit: '×' as const,
  bound: { sense: 'at least', value: 0.7 } as const,
  rounds: [measured - 0.02, measured, measured + 0.02],
  details,
});
const time = (measured: number, spread: number) => ({
  ...ratio(measured),
  name: 'health',
  unit: 'ms' as const,
  bound: { sense: 'at most', value: 20 } as const,
  rounds: [measured - spread, measured, measured + spread],
});

describe('the figures that became slower', () => {
  test('are ratios that fell and times that rose by more than a tenth', () => {
    expect(slowerThan([ratio(0.6), time(10, 0)], [ratio(0.5), time(12, 0)])).toEqual([
      { name: 'sync', what: '×', before: 0.6, now: 0.5 },
      { name: 'health', what: 'ms', before: 10, now: 12 },
    ]);
    expect(slowerThan([ratio(0.6), time(10, 0)], [ratio(0.57), time(10.5, 0)])).toEqual([]);
    expect(slowerThan([ratio(0.5), time(12, 0)], [ratio(0.6), time(10, 0)])).toEqual([]);
  });

  test('exclude differences within the spread of the stored rounds', () => {
    expect(slowerThan([time(10, 2)], [time(12, 0)])).toEqual([]);
    expect(slowerThan([time(10, 2)], [time(15, 0)])).toHaveLength(1);
  });

  test('include processor time relative to that of the floor', () => {
    const before = ratio(0.6, { processorUs: 5000, floorProcessorUs: 2500 });
    const now = ratio(0.6, { processorUs: 6000, floorProcessorUs: 2500 });
    expect(slowerThan([before], [now])).toEqual([
      { name: 'sync', what: '× the processor time of the floor', before: 2, now: 2.4 },
    ]);
  });

  test('exclude rows that the stored run lacks', () => {
    expect(slowerThan([], [ratio(0.1)])).toEqual([]);
  });
});

describe('a stored run', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'svc-stored-run-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const stored = (text: string) => {
    const file = path.join(folder, 'bench.json');
    writeFileSync(file, text);
    return () => readStoredRun(file);
  };

  test('is read as it was written', () => {
    expect(stored(JSON.stringify({ smoke: false, results: [ratio(0.5)] }))()).toEqual([ratio(0.5)]);
  });

  test.each([
    ['{', 'is not JSON'],
    ['null', 'holds no results'],
    ['{"results":[{"name":"sync"}]}', 'holds no results'],
    [JSON.stringify({ smoke: true, results: [] }), 'was written with --smoke'],
  ])('%s is rejected: it %s', (text, message) => {
    expect(stored(text)).toThrow(message);
  });
});
