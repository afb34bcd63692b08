/** Closed loops: each client begins its next piece of work when its last one is done. */
import { processorTimeMs } from './process-usage.ts';
import { createSender, type SentRequest } from './sender.ts';
import { percentile } from './statistics.ts';

export interface LoadOptions {
  readonly url: string;
  /** The server, whose processor time is measured. */
  readonly pid: number;
  readonly connections: number;
  readonly durationMs: number;
  readonly request: (index: number) => SentRequest;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The server's processor time for one piece of work. Other programs disturb it less than the throughput. */
  readonly processorUsEach: number;
}

/**
 * Sends requests for this long.
 * @throws when a response is not 200.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const sender = createSender(options.url, options.connections);
  const ends = performance.now() + options.durationMs;
  try {
    return await loop({
      pid: options.pid,
      clients: options.connections,
      goesOn: () => performance.now() < ends,
      work: (index) => sender.swallow(200, options.request(index)),
    });
  } finally {
    await sender.close();
  }
}

export interface WorkOptions {
  /** The process id of the server. */
  readonly pid: number;
  readonly clients: number;
  readonly count: number;
  /** @param client the number of the client that does the work, from 0. */
  readonly work: (index: number, client: number) => Promise<void>;
}

/** Does this many pieces of work. */
export function workOff({ count, ...options }: WorkOptions): Promise<LoadResult> {
  return loop({ ...options, goesOn: (index) => index < count });
}

interface LoopOptions extends Omit<WorkOptions, 'count'> {
  readonly goesOn: (index: number) => boolean;
}

async function loop({ pid, clients, goesOn, work }: LoopOptions): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  let begun = 0;
  const processorBeganMs = processorTimeMs(pid);
  const began = performance.now();

  async function goOn(client: number): Promise<void> {
    while (goesOn(begun)) {
      const index = begun;
      begun += 1;
      const asked = performance.now();
      await work(index, client);
      latenciesMs.push(performance.now() - asked);
    }
  }

  await Promise.all(Array.from({ length: clients }, (_, client) => goOn(client)));
  const seconds = (performance.now() - began) / 1000;
  const processorMs = processorTimeMs(pid) - processorBeganMs;
  return {
    perSecond: latenciesMs.length / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    processorUsEach: (processorMs * 1000) / latenciesMs.length,
  };
}
