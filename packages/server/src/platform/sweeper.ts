/** Periodic jobs, such as deleting what has expired. A job runs in one replica at a time, unless it is local. */
import type { Database } from './database/database.ts';
import type { JobResult } from './metrics/metrics.ts';
import { noTelemetry, type Telemetry } from './telemetry/telemetry.ts';
import type { Log } from './log.ts';
import { describeError } from './log.ts';

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** Each replica runs the job, because it is about the memory or the files of the process. */
  readonly isLocal?: boolean;
  run(): Promise<void>;
}

export interface Sweeper {
  /** Waits for the jobs under way, and starts no more. */
  stop(): Promise<void>;
}

/** A service that is restarted often would never run jobs with so long an interval, so they also run after its start. */
const SELDOM_MS = 3_600_000;
/** How long after the start these jobs first run. The start has finished by then. */
const FIRST_RUN_MS = 60_000;

export interface SweeperPorts {
  readonly log: Log;
  readonly database: Pick<Database, 'runAlone'>;
  readonly telemetry?: Telemetry;
}

export function startSweeper(jobs: readonly Job[], ports: SweeperPorts): Sweeper {
  const underWay = new Set<Promise<void>>();
  const { metrics } = ports.telemetry ?? noTelemetry;
  const timers = jobs.flatMap((job) => {
    metrics.expectJob(job.name);
    let running = false;
    const run = () => {
      if (running) return;
      running = true;
      const ended = runOnce(job, ports).finally(() => {
        running = false;
        underWay.delete(ended);
      });
      underWay.add(ended);
    };
    const ofJob = [setInterval(run, job.everyMs).unref()];
    if (job.everyMs >= SELDOM_MS) ofJob.push(setTimeout(run, FIRST_RUN_MS).unref());
    return ofJob;
  });
  return {
    async stop() {
      // Clears intervals and timeouts.
      timers.forEach((timer) => clearTimeout(timer));
      await Promise.all(underWay);
    },
  };
}

async function runOnce(job: Job, { log, database, telemetry = noTelemetry }: SweeperPorts): Promise<void> {
  const { metrics, tracing } = telemetry;
  const began = performance.now();
  let result: JobResult = 'failed';
  try {
    await tracing.task(`job ${job.name}`, async () => {
      try {
        const isRun = job.isLocal ? await runHere(job) : await database.runAlone(job.name, () => job.run());
        result = isRun ? 'done' : 'elsewhere';
      } catch (error) {
        log.error('job failed', { job: job.name, error: describeError(error) });
        throw error;
      }
    });
  } catch {
    // Logged above, within the trace.
  }
  metrics.job(job.name, result, (performance.now() - began) / 1000);
}

async function runHere(job: Job): Promise<true> {
  await job.run();
  return true;
}
