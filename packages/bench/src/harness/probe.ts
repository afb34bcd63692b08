/** Measures `health` during other load. */
import { Worker } from 'node:worker_threads';
import { percentile } from './statistics.ts';

export interface ProbeResult {
  readonly asked: number;
  /** The number of requests that were not answered with 200. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface Probe {
  stop(): Promise<ProbeResult>;
}

interface Sample {
  readonly latencyMs: number;
  readonly status: number;
}

export function startProbe(port: number, askedEveryMs = 25): Probe {
  const samples: Sample[] = [];
  const worker = new Worker(new URL('probe-worker.ts', import.meta.url), {
    workerData: { port, askedEveryMs },
  });
  worker.on('message', (sample: Sample) => samples.push(sample));
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('exit', () => resolve());
    worker.once('error', reject);
  });
  return {
    async stop() {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage('stop');
      await ended;
      const latenciesMs = samples.map(({ latencyMs }) => latencyMs);
      return {
        asked: samples.length,
        failed: samples.filter(({ status }) => status !== 200).length,
        p50Ms: percentile(latenciesMs, 0.5),
        p99Ms: percentile(latenciesMs, 0.99),
        maxMs: Math.max(0, ...latenciesMs),
      };
    },
  };
}
