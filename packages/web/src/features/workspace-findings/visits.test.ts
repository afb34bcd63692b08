import { HOUR_MS, MINUTE_MS } from '@svc/contract/durations';
import { afterEach, expect, test, vi } from 'vitest';
import { beginVisit, extendVisit } from './visits.ts';

const START = Date.UTC(2026, 2, 4);

function storeOf(entries: Map<string, string>) {
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  };
}
const withStorage = () => vi.stubGlobal('localStorage', storeOf(new Map()));
afterEach(() => {
  vi.unstubAllGlobals();
});

test('the first visit has no previous visit, and the next visit gets the end of the first', () => {
  withStorage();
  expect(beginVisit('w', START)).toBeNull();
  extendVisit('w', null, START + HOUR_MS);
  expect(beginVisit('w', START + 9 * HOUR_MS)).toBe(START + HOUR_MS);
  expect(beginVisit('other', START + 9 * HOUR_MS)).toBeNull();
});

test('returning within two hours is the same visit', () => {
  withStorage();
  beginVisit('w', START);
  expect(beginVisit('w', START + HOUR_MS)).toBeNull();
  expect(beginVisit('w', START + 12 * HOUR_MS)).toBe(START + HOUR_MS);
  for (const minutes of [1, 90, 200])
    expect(beginVisit('w', START + 12 * HOUR_MS + minutes * MINUTE_MS)).toBe(START + HOUR_MS);
});

test.each(['{', '[]', '{"seenAt":"x"}', '{"seenAt":1e99}', '{"seenAt":5,"since":"x"}', 'null'])(
  'a stored value that is not a visit is ignored: %s',
  (value) => {
    vi.stubGlobal('localStorage', storeOf(new Map([['svc-visit-w', value]])));
    expect(beginVisit('w', START)).toBeNull();
  },
);

test('with blocked storage, visits are remembered until the page is left', () => {
  vi.stubGlobal('localStorage', null);
  expect(beginVisit('w', START)).toBeNull();
  expect(beginVisit('w', START + 9 * HOUR_MS)).toBe(START);
});
