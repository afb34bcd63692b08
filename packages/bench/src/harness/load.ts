/** A closed loop of requests: each connection sends its next request when the answer to its last is there. */
import { Pool, type Dispatcher } from 'undici';
import { processorTimeMs } from './process-usage.ts';
import { percentile } from './statistics.ts';

export interface LoadOptions {
  readonly url: string;
  /** Of the server, for the processor time that it spends. */
  readonly pid: number;
  readonly connections: number;
  readonly durationMs: number;
  readonly request: (index: number) => LoadRequest;
}

export interface LoadRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The server's processor time for one request: less disturbed by neighbours than the throughput is. */
  readonly processorUsPerRequest: number;
}

/** @throws when an answer is not 200: then it is not what was meant to be measured. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const pool = new Pool(options.url, { connections: options.connections, pipelining: 1 });
  const latenciesMs: number[] = [];
  let sent = 0;
  const processorBeganMs = processorTimeMs(options.pid);
  const began = performance.now();
  const ends = began + options.durationMs;

  async function loop(): Promise<void> {
    while (performance.now() < ends) {
      const request = options.request(sent);
      sent += 1;
      const asked = performance.now();
      const status = await statusOf(pool, request);
      if (status !== 200) throw new Error(`${request.path} answered ${status}`);
      latenciesMs.push(performance.now() - asked);
    }
  }

  try {
    await Promise.all(Array.from({ length: options.connections }, loop));
    const seconds = (performance.now() - began) / 1000;
    const processorMs = processorTimeMs(options.pid) - processorBeganMs;
    return {
      perSecond: latenciesMs.length / seconds,
      p50Ms: percentile(latenciesMs, 0.5),
      p99Ms: percentile(latenciesMs, 0.99),
      processorUsPerRequest: (processorMs * 1000) / latenciesMs.length,
    };
  } finally {
    await pool.destroy();
  }
}

/** Below `pool.request`, which makes a stream of each body: the sender must not be slower than what it measures. */
function statusOf(pool: Pool, { path, headers = {} }: LoadRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode) => {
        status = statusCode;
      },
      onResponseData: () => undefined,
      onResponseEnd: () => resolve(status),
      onResponseError: (_controller, error) => reject(error),
    };
    pool.dispatch({ method: 'GET', path, headers }, handler);
  });
}
