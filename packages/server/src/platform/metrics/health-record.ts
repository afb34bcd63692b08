/**
 * What one process remembers of its own health, for administrators: the last run of each job, error codes of the last
 * day, and what waits for capacities. It works even when the metrics are off.
 */
import { HOUR_MS, type Clock } from '../clock.ts';
import type { JobResult, Metrics } from './metrics.ts';

const HOURS = 24;

export interface JobRecord {
  readonly name: string;
  /** Null until the job first runs in this process. */
  readonly last: { readonly at: number; readonly result: JobResult; readonly tookMs: number } | null;
}

export interface QueueRecord {
  readonly name: string;
  readonly waiting: number;
  /** Since the process started. */
  readonly rejected: number;
}

export interface HealthRecord {
  /** Remembers everything that it receives, and passes it to the metrics. */
  readonly metrics: Metrics;
  readonly startedAt: number;
  jobs(): JobRecord[];
  /** Error responses by code in this hour and the 23 hours before it, the most frequent first. */
  errors(): { readonly code: string; readonly count: number }[];
  queues(): QueueRecord[];
}

export function createHealthRecord(clock: Clock, metrics: Metrics): HealthRecord {
  const jobs = new Map<string, JobRecord['last']>();
  const queues = new Map<string, { waiting: number; rejected: number }>();
  const hours = new Map<number, Map<string, number>>();
  const thisHour = () => Math.floor(clock.now() / HOUR_MS);

  function forgetOldHours(): void {
    const first = thisHour() - HOURS + 1;
    for (const hour of hours.keys()) if (hour < first) hours.delete(hour);
  }

  function countError(code: string): void {
    const hour = thisHour();
    let counts = hours.get(hour);
    if (!counts) {
      forgetOldHours();
      counts = new Map<string, number>();
      hours.set(hour, counts);
    }
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }

  return {
    startedAt: clock.now(),
    metrics: {
      ...metrics,
      request(request) {
        metrics.request(request);
        if (request.code !== undefined) countError(request.code);
      },
      job(name, result, seconds) {
        metrics.job(name, result, seconds);
        jobs.set(name, { at: clock.now(), result, tookMs: Math.round(seconds * 1000) });
      },
      expectJob(name) {
        metrics.expectJob(name);
        jobs.set(name, null);
      },
      capacity(name) {
        const meter = metrics.capacity(name);
        const queue = { waiting: 0, rejected: 0 };
        queues.set(name, queue);
        return {
          waiting(change) {
            meter.waiting(change);
            queue.waiting += change;
          },
          rejected() {
            meter.rejected();
            queue.rejected += 1;
          },
        };
      },
    },
    jobs: () => [...jobs].map(([name, last]) => ({ name, last })),
    errors() {
      forgetOldHours();
      const sums = new Map<string, number>();
      for (const counts of hours.values())
        for (const [code, count] of counts) sums.set(code, (sums.get(code) ?? 0) + count);
      return [...sums]
        .map(([code, count]) => ({ code, count }))
        .toSorted((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1));
    },
    queues: () => [...queues].map(([name, queue]) => ({ name, ...queue })),
  };
}
