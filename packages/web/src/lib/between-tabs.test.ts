import { afterEach, expect, test, vi } from 'vitest';
import { openChannel, withLock } from './between-tabs.ts';

const { signal } = new AbortController();
const deny = () => {
  throw new DOMException('No.', 'SecurityError');
};
const browsers = [
  ['has no locks', undefined],
  ['denies locks', { request: () => Promise.reject(new DOMException('No.', 'SecurityError')) }],
  ['denies locks immediately', { request: deny }],
] as const;

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each(browsers)('a tab whose browser %s works alone', async (_name, locks) => {
  vi.stubGlobal('navigator', { locks });
  const hold = vi.fn<() => Promise<void>>(() => Promise.resolve());
  await withLock('own', signal, hold);
  expect(hold).toHaveBeenCalledOnce();
});

test.each(browsers)('a tab whose browser %s does nothing once it is aborted', async (_name, locks) => {
  vi.stubGlobal('navigator', { locks });
  const hold = vi.fn<() => Promise<void>>(() => Promise.resolve());
  await withLock('own', AbortSignal.abort(), hold);
  expect(hold).not.toHaveBeenCalled();
});

test('a lock is held by one tab at a time, and a failure while it is held is passed on', async () => {
  const released = Promise.withResolvers<void>();
  const steps: string[] = [];
  const first = withLock('shared', signal, async () => {
    steps.push('first');
    await released.promise;
    throw new Error('It failed.');
  });
  const second = withLock('shared', signal, () => Promise.resolve(void steps.push('second')));
  const aborted = new AbortController();
  const third = withLock('shared', aborted.signal, () => Promise.resolve(void steps.push('third')));
  aborted.abort();
  await third;
  expect(steps).toEqual(['first']);
  released.resolve();
  await expect(first).rejects.toThrow('It failed.');
  await second;
  expect(steps).toEqual(['first', 'second']);
});

test.each([
  ['has no channels', undefined],
  ['denies channels', deny],
])('a tab whose browser %s gets none', (_name, channel) => {
  vi.stubGlobal('BroadcastChannel', channel);
  expect(openChannel('own', () => undefined)).toBeNull();
});
