/** Ports whose calls are measured. */
import type { Blobs } from '../blobs/blobs.ts';
import type { Counters } from '../counters/counters.ts';
import type { Metrics } from './metrics.ts';

export function measuredBlobs(blobs: Blobs, metrics: Metrics): Blobs {
  const timed = timerFor('blobs', metrics);
  return {
    put: (name, parts) => timed('put', blobs.put(name, parts)),
    get: (name) => timed('get', blobs.get(name)),
    delete: (name) => timed('delete', blobs.delete(name)),
    list: (writtenBefore) => blobs.list(writtenBefore),
    tidy: (begunBefore) => timed('tidy', blobs.tidy(begunBefore)),
    check: () => timed('check', blobs.check()),
  };
}

export function measuredCounters(counters: Counters, metrics: Metrics): Counters {
  const timed = timerFor('counters', metrics);
  return {
    take: (key, budget) => timed('take', counters.take(key, budget)),
    peek: (key, budget) => timed('peek', counters.peek(key, budget)),
    giveBack: (take) => timed('giveBack', counters.giveBack(take)),
    confirm: (take) => timed('confirm', counters.confirm(take)),
    takeSliding: (key, weight, budget) => timed('takeSliding', counters.takeSliding(key, weight, budget)),
    check: () => timed('check', counters.check()),
    sweep: () => timed('sweep', counters.sweep()),
  };
}

function timerFor(dependency: string, metrics: Metrics) {
  return async <Result>(operation: string, call: Promise<Result>): Promise<Result> => {
    const began = performance.now();
    let isOk = false;
    try {
      const result = await call;
      isOk = true;
      return result;
    } finally {
      metrics.call(dependency, operation, isOk, (performance.now() - began) / 1000);
    }
  };
}
