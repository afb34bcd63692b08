/**
 * Where reports are rendered: small ones at once, in turns of the event loop of their own, and large ones in a worker, so
 * that nobody waits for another's report of ten thousand findings. The two wait apart. The whole way from the kept text is
 * under a bound: what waits holds no text yet.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { AppError } from '#app-error';
import { createTurns } from '#platform/turns';
import { createWorkerPool } from '#platform/worker-pool';
import type { Rendering, RenderingForm, RenderingTask } from './rendering.ts';

/** Handing a report over costs more than it saves below these sizes; above them others would notice that they wait. */
const AT_ONCE_BYTES_MAX: Readonly<Record<RenderingForm, number>> = {
  data: 96 * 1024,
  finding: 96 * 1024,
  json: 96 * 1024,
  sarif: 48 * 1024,
  markdown: 48 * 1024,
  html: 16 * 1024,
};
const SMALL_UNDER_WAY_MAX = 8;
const SMALL_WAITING_MAX = 512;
/** One in the worker, and one that is read meanwhile. */
const LARGE_UNDER_WAY_MAX = 2;
/** The last of them waits for less than a client does. */
const LARGE_WAITING_MAX = 64;
const BUSY_RETRY_AFTER_MS = 2000;
const TIME_LIMIT_MS = 30_000;
const IDLE_LIMIT_MS = 30_000;
const MIB = 1024 * 1024;
const HEAP_MIB_MIN = 64;
/**
 * A report as text, what the parser and the projection make of it, and the document. HTML of a report of countless short
 * texts takes the most: between 13 and 20.
 */
const HEAP_BYTES_PER_REPORT_BYTE = 20;

export interface Renderer {
  /**
   * @param sizeBytes of the report as it was uploaded.
   * @param begin gives the task of that form, once it is its turn.
   * @throws AppError RATE_LIMITED when too many are waiting, INTERNAL 503 when a worker gave up on it.
   */
  render(sizeBytes: number, form: RenderingForm, begin: () => Promise<RenderingTask>): Promise<Rendering>;
  close(): Promise<void>;
}

export function createRenderer(reportBytesMax: number): Renderer {
  const small = pLimit(SMALL_UNDER_WAY_MAX);
  const large = pLimit(LARGE_UNDER_WAY_MAX);
  const inTurn = createTurns();
  const pool = createWorkerPool<RenderingTask, Rendering>({
    file: new URL(`./rendering-worker${extensionOf(import.meta.url)}`, import.meta.url),
    workers: 1,
    timeLimitMs: TIME_LIMIT_MS,
    idleLimitMs: IDLE_LIMIT_MS,
    heapMibMax: HEAP_MIB_MIN + Math.ceil((reportBytesMax / MIB) * HEAP_BYTES_PER_REPORT_BYTE),
  });

  async function renderHere(begin: () => Promise<RenderingTask>): Promise<Rendering> {
    const task = await begin();
    // Loaded late: the service starts without it.
    const { render } = await import('./rendering.ts');
    return inTurn(() => render(task));
  }

  async function renderInWorker(begin: () => Promise<RenderingTask>): Promise<Rendering> {
    const task = await begin();
    return pool.run(task, [task.bytes.buffer as ArrayBuffer]);
  }

  return {
    async render(sizeBytes, form, begin) {
      if (sizeBytes <= AT_ONCE_BYTES_MAX[form]) {
        refuseCrowd(small, SMALL_WAITING_MAX);
        return small(() => renderHere(begin));
      }
      refuseCrowd(large, LARGE_WAITING_MAX);
      return large(() => renderInWorker(begin));
    },
    close: () => pool.close(),
  };
}

function refuseCrowd(queue: LimitFunction, waitingMax: number): void {
  if (queue.pendingCount < waitingMax) return;
  throw new AppError('RATE_LIMITED', {
    message: 'The service is busy. Try again in a few seconds.',
    retryAfterMs: BUSY_RETRY_AFTER_MS,
  });
}

/** The worker's file is made of the sources or of the bundle, as this one is. */
function extensionOf(url: string): string {
  return url.slice(url.lastIndexOf('.'));
}
