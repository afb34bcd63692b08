/**
 * Counters that never deny a call because their store is unavailable: they count in the process meanwhile. So a limit
 * holds for each process alone, and what was counted before the outage does not count. For limits against floods only:
 * guesses of a secret must not pass uncounted.
 */
import { isUnavailable } from '../unavailable.ts';
import type { Counters, Take } from './counters.ts';

export function createLenientCounters(store: Counters, inProcess: Counters): Counters {
  const takenInProcess = new WeakSet<Take>();

  async function orInProcess<Result>(call: (counters: Counters) => Promise<Result>): Promise<Result> {
    try {
      return await call(store);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return call(inProcess);
    }
  }

  /** A take of the store stays as it is while the store is unavailable. */
  async function settle(take: Take, call: (counters: Counters) => Promise<void>): Promise<void> {
    if (takenInProcess.has(take)) return call(inProcess);
    try {
      await call(store);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }

  return {
    take: (key, budget) =>
      orInProcess(async (counters) => {
        const result = await counters.take(key, budget);
        if (result.ok && counters === inProcess) takenInProcess.add(result.take);
        return result;
      }),
    peek: (key, budget) => orInProcess((counters) => counters.peek(key, budget)),
    takeSliding: (key, weight, budget) =>
      orInProcess((counters) => counters.takeSliding(key, weight, budget)),
    giveBack: (take) => settle(take, (counters) => counters.giveBack(take)),
    confirm: (take) => settle(take, (counters) => counters.confirm(take)),
    check: () => store.check(),
    async sweep() {
      await inProcess.sweep();
      await store.sweep();
    },
  };
}
