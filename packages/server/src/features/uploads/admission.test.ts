import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAdmission, type Admission } from './admission.ts';

const MIB = 1024 * 1024;
/** The size of a body. Three such bodies fit. */
const LARGE = 8 * MIB;
let admission: Admission;

beforeEach(() => {
  vi.useFakeTimers();
  admission = createAdmission(LARGE);
});
afterEach(() => {
  vi.useRealTimers();
});

interface Entry {
  state: 'waiting' | 'admitted' | 'rejected';
  leave: () => void;
}

/** Asks for admission, and records the result so far. */
function enter(userId: string, sizeBytes = LARGE): Entry {
  const entry: Entry = { state: 'waiting', leave: () => undefined };
  admission.enter(userId, sizeBytes).then(
    (leave) => Object.assign(entry, { state: 'admitted', leave }),
    () => (entry.state = 'rejected'),
  );
  return entry;
}

/** Runs what is ready; no time passes. */
const settle = () => vi.advanceTimersByTimeAsync(0);
const statesOf = (entries: readonly Entry[]) => entries.map(({ state }) => state);

describe('capacity for bodies', () => {
  test('[T11] admits as many large bodies as fit, and the rest in order of arrival', async () => {
    const entries = ['a', 'b', 'c', 'd', 'e'].map((user) => enter(user));
    await settle();
    expect(statesOf(entries)).toEqual(['admitted', 'admitted', 'admitted', 'waiting', 'waiting']);
    entries[1]?.leave();
    await settle();
    expect(statesOf(entries)).toEqual(['admitted', 'admitted', 'admitted', 'admitted', 'waiting']);
  });

  test('[T11] is released once, even if a body leaves twice', async () => {
    const entries = ['a', 'b', 'c', 'd', 'e'].map((user) => enter(user));
    await settle();
    entries[0]?.leave();
    entries[0]?.leave();
    await settle();
    expect(statesOf(entries).filter((state) => state === 'waiting')).toHaveLength(1);
  });

  test('[T11] of twenty bodies of one user two are admitted, six wait and twelve are rejected immediately', async () => {
    const entries = Array.from({ length: 20 }, () => enter('a'));
    await settle();
    const count = (state: string) => entries.filter((entry) => entry.state === state).length;
    expect([count('admitted'), count('waiting'), count('rejected')]).toEqual([2, 6, 12]);
  });

  test('[T11] a user with many waiting bodies does not delay another', async () => {
    Array.from({ length: 8 }, () => enter('a'));
    const other = enter('b');
    await settle();
    expect(other.state).toBe('admitted');
  });

  test('[T11] is kept for small bodies while large ones use up theirs', async () => {
    ['a', 'b', 'c', 'd'].map((user) => enter(user));
    const small = enter('a', 50_000);
    await settle();
    expect(small.state).toBe('admitted');
  });

  test('[T11] a large body that waits is not overtaken forever by smaller ones', async () => {
    const first = ['a', 'b', 'c'].map((user) => enter(user));
    const large = enter('d');
    const smaller = enter('e', MIB);
    await settle();
    expect(statesOf([large, smaller])).toEqual(['waiting', 'waiting']);
    first[0]?.leave();
    await settle();
    expect(large.state).toBe('admitted');
  });

  test('[T11] a body that waits for ten seconds is rejected, and leaves no trace', async () => {
    const first = ['a', 'b', 'c'].map((user) => enter(user));
    const late = enter('d');
    await vi.advanceTimersByTimeAsync(9999);
    expect(late.state).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(late.state).toBe('rejected');
    first.forEach(({ leave }) => leave());
    const next = ['e', 'f', 'g'].map((user) => enter(user));
    await settle();
    expect(statesOf(next)).toEqual(['admitted', 'admitted', 'admitted']);
  });

  test('[D2] a rejection contains the time to wait', async () => {
    Array.from({ length: 8 }, () => enter('a'));
    await expect(admission.enter('a', LARGE)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 5000,
    });
  });

  test('a body larger than the whole capacity is admitted alone', async () => {
    admission = createAdmission(100 * MIB);
    const entries = [enter('a', 100 * MIB), enter('b', 100 * MIB)];
    await settle();
    expect(statesOf(entries)).toEqual(['admitted', 'waiting']);
  });
});
