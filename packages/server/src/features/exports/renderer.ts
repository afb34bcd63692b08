/**
 * Where reports are rendered: small ones at once, in turns of the event loop of their own, and large ones in a worker, so
 * that nobody waits for another's report of ten thousand findings. The two wait apart, and in each the owners of reports get
 * their turns: nobody fills the place with reports of their own, whoever asks for them. The whole way from the kept text is
 * under a bound: what waits holds no text yet.
 */
import { AppError } from '#app-error';
import { createFairQueue } from '#platform/fair-queue';
import { createTurns } from '#platform/turns';
import { createWorkerPool } from '#platform/worker-pool';
import type { Rendering, RenderingForm, RenderingTask } from './rendering.ts';

/** Handing a report over costs more than it saves below these sizes; above them others would notice that they wait. */
const AT_ONCE_BYTES_MAX: Readonly<Record<RenderingForm, number>> = {
  data: 96 * 1024,
  finding: 96 * 1024,
  filtered: 96 * 1024,
  firstScreen: 96 * 1024,
  json: 96 * 1024,
  sarif: 48 * 1024,
  markdown: 48 * 1024,
  html: 16 * 1024,
};
const SMALL = { underWayMax: 8, waitingMax: 512, waitingOfOneMax: 256 };
const LARGE = {
  /** One in the worker, and one that is read meanwhile. */
  underWayMax: 2,
  /** The last of them waits for less than a client does. */
  waitingMax: 64,
  waitingOfOneMax: 16,
};
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

export interface WantedRendering {
  /** Of the report. */
  readonly ownerId: string;
  /** Of the report as it was uploaded. */
  readonly sizeBytes: number;
  readonly form: RenderingForm;
}

export interface Renderer {
  /**
   * @param begin gives the task of that form, once it is its turn.
   * @throws AppError RATE_LIMITED when too many are waiting, INTERNAL 503 when a worker gave up on it.
   */
  render(wanted: WantedRendering, begin: () => Promise<RenderingTask>): Promise<Rendering>;
  close(): Promise<void>;
}

export function createRenderer(reportBytesMax: number): Renderer {
  const small = createFairQueue(SMALL, busy);
  const large = createFairQueue(LARGE, busy);
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
    render({ ownerId, sizeBytes, form }, begin) {
      return sizeBytes <= AT_ONCE_BYTES_MAX[form]
        ? small(ownerId, () => renderHere(begin))
        : large(ownerId, () => renderInWorker(begin));
    },
    close: () => pool.close(),
  };
}

function busy(): AppError {
  return new AppError('RATE_LIMITED', {
    message: 'The service is busy. Try again in a few seconds.',
    retryAfterMs: BUSY_RETRY_AFTER_MS,
  });
}

/** The worker's file is made of the sources or of the bundle, as this one is. */
function extensionOf(url: string): string {
  return url.slice(url.lastIndexOf('.'));
}
