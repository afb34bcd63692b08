/**
 * Runs one piece of work in each tick of the event loop. When many requests arrive together, others wait only for one
 * piece, not for all.
 */
import pLimit from 'p-limit';

export function createOnePerTick(): <Result>(work: () => Result | Promise<Result>) => Promise<Result> {
  const limit = pLimit(1);
  const nextTick = () => new Promise<void>((resolve) => void setImmediate(resolve));
  return <Result>(work: () => Result | Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      void limit(async () => {
        // The caller gets the result now; only the next piece waits for the tick.
        await Promise.resolve().then(work).then(resolve, reject);
        await nextTick();
      });
    });
}
