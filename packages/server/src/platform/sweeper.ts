/** Jobs that run again and again while the service is up: what has expired is removed by them. */
import type { Log } from './log.ts';
import { describeError } from './log.ts';

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

export interface Sweeper {
  /** Waits for the runs under way, and starts no more. */
  stop(): Promise<void>;
}

export function startSweeper(jobs: readonly Job[], log: Log): Sweeper {
  const underWay = new Set<Promise<void>>();
  const timers = jobs.map((job) => {
    let running = false;
    const timer = setInterval(() => {
      if (running) return;
      running = true;
      const run = runOnce(job, log).finally(() => {
        running = false;
        underWay.delete(run);
      });
      underWay.add(run);
    }, job.everyMs);
    return timer.unref();
  });
  return {
    async stop() {
      timers.forEach((timer) => clearInterval(timer));
      await Promise.all(underWay);
    },
  };
}

async function runOnce(job: Job, log: Log): Promise<void> {
  try {
    await job.run();
  } catch (error) {
    log.error('job failed', { job: job.name, error: describeError(error) });
  }
}
