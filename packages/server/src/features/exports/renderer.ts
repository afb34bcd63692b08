/**
 * Where reports are rendered: small ones on the main thread, one piece per tick of the event loop, and larger ones in
 * workers. Each lane (`rendering-lanes.ts`) has its own queue and its own worker, so what waits in one delays no other. In
 * a lane the owners of reports take turns by cost, each apart from the visitors of their share links. The worker for large
 * exports runs at a lower priority.
 *
 * A report is read only when its rendering begins: one that waits holds no report body.
 */
import { createFairQueue, type FairQueue, type FairQueueBounds } from '#platform/fair-queue';
import type { RenderingBudgets } from '#platform/resource-budgets';
import { createTurns } from '#platform/turns';
import { createWorkerPool, type WorkerPool } from '#platform/worker-pool';
import { TooManyBytes } from './bytes-of-parts.ts';
import { exportTooLarge, exportTooSlow } from './failed-renderings.ts';
import { BudgetExceeded, createInFlight, partyOf, type RenderingSubjects } from './rendering-budgets.ts';
import { costMsOf, isExport, laneOf, lanes, MEDIUM_BYTES_MAX, type Lane } from './rendering-lanes.ts';
import type { RenderingOutcome, RenderingWorkerData } from './rendering-worker.ts';
import type { Rendering, RenderingForm, RenderingTask } from './rendering.ts';

const MAIN_THREAD: FairQueueBounds = { underWayMax: 8, waitingMax: 512, waitingOfOneMax: 256 };
/** One in the worker, and one that is read meanwhile. The last of them waits for less than a client does. */
const IN_WORKER: FairQueueBounds = { underWayMax: 2, waitingMax: 64, waitingOfOneMax: 16 };
const BUSY_RETRY_AFTER_MS = 2000;
const WORK_MS_MAX = 30_000;
const IDLE_LIMIT_MS = 30_000;
const MIB = 1024 * 1024;
const EXPORT_BYTES_MAX_MIN = 64 * MIB;
const EXPORT_BYTES_PER_REPORT_BYTE = 6;
const HEAP_MIB_MIN = 64;
/**
 * A report as text, what the parser and the projection make of it, and the document. HTML of a report of countless short
 * texts takes the most: between 13 and 20.
 */
const HEAP_BYTES_PER_REPORT_BYTE = 20;

export interface WantedRendering extends RenderingSubjects {
  /** Of the report as it was uploaded. */
  readonly sizeBytes: number;
  readonly form: RenderingForm;
}

export interface Renderer {
  /**
   * @param begin gives the task of that form, once it is its turn.
   * @throws AppError RATE_LIMITED when its owner, link or network has too much in flight, and when an export takes too much
   * processor time; CONFLICT when an export is too large; INTERNAL 503 when a worker gave up on it.
   */
  render(wanted: WantedRendering, begin: () => Promise<RenderingTask>): Promise<Rendering>;
  close(): Promise<void>;
}

export interface RendererOptions {
  readonly reportBytesMax: number;
  readonly budgets: RenderingBudgets;
  /** Of an export. */
  readonly exportBytesMax?: number | undefined;
  /** Of processor time, for one rendering. */
  readonly workMsMax?: number | undefined;
}

type RenderingPool = WorkerPool<RenderingTask, RenderingOutcome>;

export function createRenderer(options: RendererOptions): Renderer {
  const { reportBytesMax, budgets, workMsMax = WORK_MS_MAX } = options;
  const exportBytesMax =
    options.exportBytesMax ?? Math.max(EXPORT_BYTES_MAX_MIN, reportBytesMax * EXPORT_BYTES_PER_REPORT_BYTE);
  const inFlight = { page: createInFlight(budgets), export: createInFlight(budgets) };
  const queues = new Map<Lane, FairQueue>(
    lanes.map((lane) => [lane, createFairQueue(isSmall(lane) ? MAIN_THREAD : IN_WORKER, busy)]),
  );
  const pools = new Map<Lane, RenderingPool>(
    lanes.filter((lane) => !isSmall(lane)).map((lane) => [lane, poolOf(lane, reportBytesMax, workMsMax)]),
  );
  /** Pages do not wait for exports here either, but for the piece that runs. */
  const turns = { page: createTurns(), export: createTurns() };

  async function renderHere(task: RenderingTask): Promise<RenderingOutcome> {
    // Loaded late: the service starts without it.
    const { render } = await import('./rendering.ts');
    try {
      return await turns[kindOf(task.form)](() => render(task));
    } catch (error) {
      if (error instanceof TooManyBytes) return null;
      throw error;
    }
  }

  async function renderIn(lane: Lane, begin: () => Promise<RenderingTask>): Promise<Rendering> {
    const begun = await begin();
    const task = isExport(begun.form) ? { ...begun, renderedBytesMax: exportBytesMax } : begun;
    const pool = pools.get(lane);
    const outcome = await (pool ? pool.run(task, [task.bytes.buffer as ArrayBuffer]) : renderHere(task));
    if (outcome === null) throw exportTooLarge();
    return outcome;
  }

  return {
    async render(wanted, begin) {
      const { sizeBytes, form } = wanted;
      const lane = laneOf(form, sizeBytes);
      const costMs = costMsOf(form, sizeBytes);
      const queue = queues.get(lane);
      if (!queue) throw new Error(`There is no lane ${lane}.`);
      const leave = inFlight[kindOf(form)].enter(wanted, costMs);
      try {
        return await queue(partyOf(wanted), costMs, () => renderIn(lane, begin));
      } finally {
        leave();
      }
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

function isSmall(lane: Lane): boolean {
  return lane.endsWith('small');
}

function kindOf(form: RenderingForm): 'page' | 'export' {
  return isExport(form) ? 'export' : 'page';
}

function poolOf(lane: Lane, reportBytesMax: number, workMsMax: number): RenderingPool {
  const isOfExports = lane.startsWith('export');
  // Short exports are short work, and a busy machine could keep a background worker from them for long.
  const isBackground = lane === 'export large';
  const sizeBytesMax = lane.endsWith('medium') ? Math.min(MEDIUM_BYTES_MAX, reportBytesMax) : reportBytesMax;
  const workerData: RenderingWorkerData = { isBackground };
  return createWorkerPool({
    file: new URL(`./rendering-worker${extensionOf(import.meta.url)}`, import.meta.url),
    workers: 1,
    workerData,
    timeLimitMs: workMsMax,
    ...(isOfExports ? { overtime: exportTooSlow } : {}),
    idleLimitMs: IDLE_LIMIT_MS,
    heapMibMax: HEAP_MIB_MIN + Math.ceil((sizeBytesMax / MIB) * HEAP_BYTES_PER_REPORT_BYTE),
  });
}

function busy(): BudgetExceeded {
  return new BudgetExceeded('The service is busy. Try again in a few seconds.', BUSY_RETRY_AFTER_MS);
}

/** The worker's file is made of the sources or of the bundle, as this one is. */
function extensionOf(url: string): string {
  return url.slice(url.lastIndexOf('.'));
}
