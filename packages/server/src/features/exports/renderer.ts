/**
 * Where reports are rendered: small ones at once, large ones in a worker, so that nobody waits for another's report of
 * ten thousand findings. The whole way from the kept text is under one bound: what waits holds no text yet.
 */
import pLimit from 'p-limit';
import { AppError } from '#app-error';
import { createWorkerPool } from '#platform/worker-pool';
import type { Rendering, RenderingTask } from './rendering.ts';

/** Handing a report over costs more than it saves below this size. */
const AT_ONCE_BYTES_MAX = 96 * 1024;
const UNDER_WAY_MAX = 4;
const WAITING_MAX = 256;
const BUSY_RETRY_AFTER_MS = 2000;
const TIME_LIMIT_MS = 30_000;
const IDLE_LIMIT_MS = 30_000;
const MIB = 1024 * 1024;
const HEAP_MIB_MIN = 128;
/** A report as text, what the parser and the projection make of it, and the document. */
const HEAP_BYTES_PER_REPORT_BYTE = 24;

export interface Renderer {
  /**
   * @param begin gives the task, once it is its turn.
   * @throws AppError RATE_LIMITED when too many are waiting, INTERNAL 503 when a worker gave up on it.
   */
  render(begin: () => Promise<RenderingTask>): Promise<Rendering>;
  close(): Promise<void>;
}

export function createRenderer(reportBytesMax: number): Renderer {
  const queue = pLimit(UNDER_WAY_MAX);
  const pool = createWorkerPool<RenderingTask, Rendering>({
    file: new URL(`./rendering-worker${extensionOf(import.meta.url)}`, import.meta.url),
    workers: 1,
    timeLimitMs: TIME_LIMIT_MS,
    idleLimitMs: IDLE_LIMIT_MS,
    heapMibMax: HEAP_MIB_MIN + Math.ceil((reportBytesMax / MIB) * HEAP_BYTES_PER_REPORT_BYTE),
  });
  return {
    async render(begin) {
      if (queue.pendingCount >= WAITING_MAX) {
        throw new AppError('RATE_LIMITED', {
          message: 'The service is busy. Try again in a few seconds.',
          retryAfterMs: BUSY_RETRY_AFTER_MS,
        });
      }
      return queue(async () => {
        const task = await begin();
        if (task.bytes.length > AT_ONCE_BYTES_MAX) return pool.run(task, [task.bytes.buffer as ArrayBuffer]);
        // Loaded late: the service starts without it.
        const { render } = await import('./rendering.ts');
        return render(task);
      });
    },
    close: () => pool.close(),
  };
}

/** The worker's file is made of the sources or of the bundle, as this one is. */
function extensionOf(url: string): string {
  return url.slice(url.lastIndexOf('.'));
}
