import { createLog } from '#platform/log';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { STOP_AFTER_DRAIN_MS, stopService, type StoppedService } from './stop.ts';

// Timers follow the clock that tests move.
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const DRAIN_MS = 10_000;

/** Stops a service whose requests and release take the given times, and returns what happened when. */
async function stopOf(requestsMs: number, releaseMs: number) {
  const began = Date.now();
  const happened: [what: string, afterMs: number][] = [];
  const note = (what: string) => void happened.push([what, Date.now() - began]);
  const log = createLog('info', { write: (line) => note((JSON.parse(line) as { msg: string }).msg) });
  const service: StoppedService = {
    log,
    http: { underWay: () => (Date.now() - began < requestsMs ? 1 : 0) },
    announceStop: () => note('not ready'),
    endStreams: () => note('streams end'),
    close: (graceMs) => {
      note(`release, ${graceMs} ms of grace`);
      return new Promise((resolve) => setTimeout(resolve, releaseMs));
    },
  };
  const ended = stopService(service, DRAIN_MS).then(() => note('end'));
  await vi.advanceTimersByTimeAsync(60_000);
  await ended;
  return happened;
}

test('[D15] a stop waits for requests under way, and for the release', async () => {
  expect(await stopOf(12_000, 700)).toEqual([
    ['not ready', 0],
    ['streams end', DRAIN_MS],
    ['release, 8000 ms of grace', 12_000],
    ['stopped', 12_700],
    ['end', 12_700],
  ]);
});

test('[D15] a request and a store that hang delay a stop no longer than promised', async () => {
  expect(await stopOf(3_600_000, 3_600_000)).toEqual([
    ['not ready', 0],
    ['streams end', DRAIN_MS],
    ['release, 0 ms of grace', DRAIN_MS + 10_000],
    ['stopped before all work ended', DRAIN_MS + STOP_AFTER_DRAIN_MS],
    ['end', DRAIN_MS + STOP_AFTER_DRAIN_MS],
  ]);
});
