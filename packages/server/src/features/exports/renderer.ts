/**
 * Renders reports: small ones on the main thread, one piece per tick of the event loop, and larger ones in workers.
 * Each lane (`rendering-lanes.ts`) has its own queue, and a lane of larger ones its own worker. So work that waits in
 * one lane does not delay another lane. In a lane, owners of reports take turns by cost, each separately from the
 * viewers of their share links. The worker for large exports runs at a lower priority.
 *
 * A report is read only when its rendering begins, so a waiting rendering holds no report body.
 */
import { createCapacity, type Capacity, type CapacityBounds } from '#platform/capacity';
import { createOnePerTick } from '#platform/one-per-tick';
import type { RenderingBudgets } from '#platform/resource-budgets';
import { noTelemetry, type Telemetry } from '#platform/telemetry/telemetry';
import { createWorkerPool, type WorkerPool } from '#platform/worker-pool';
import { TooManyBytes } from './bytes-of-parts.ts';
import { exportTooLarge, exportTooSlow } from './failed-renderings.ts';
import { BudgetExceeded, createInFlight, partyOf, type RenderingSubjects } from './rendering-budgets.ts';
import { lanes, MEDIUM_BYTES_MAX, needsOf, type Lane, type RenderingNeeds } from './rendering-lanes.ts';
import type { RenderingOutcome, RenderingWorkerData } from './rendering-worker.ts';
import type { Rendering, RenderingForm, RenderingTask, TimedRendering } from './rendering.ts';

const MAIN_THREAD: CapacityBounds = { unitsMax: 8, waitingMax: 512, waitingOfOneMax: 256 };
/**
 * One rendering runs in the worker while the report for another is being read. The queue is short enough that its last
 * rendering is done before clients give up.
 */
const IN_WORKER: CapacityBounds = { unitsMax: 2, waitingMax: 64, waitingOfOneMax: 16 };
const BUSY_RETRY_AFTER_MS = 2000;
const WORK_MS_MAX = 30_000;
const IDLE_LIMIT_MS = 30_000;
const MIB = 1024 * 1024;
const EXPORT_BYTES_MAX_MIN = 64 * MIB;
const EXPORT_BYTES_PER_REPORT_BYTE = 6;
const HEAP_MIB_MIN = 64;
/**
 * The memory for a report as text, its parsed form, its projection and the document. HTML of a report with countless
 * short texts needs the most, a factor between 13 and 20.
 */
const HEAP_BYTES_PER_REPORT_BYTE = 20;
/** A rendering makes several megabytes of short texts. With a third of this, it took a fifth more processor time. */
const YOUNG_MIB_MAX = 48;

export interface WantedRendering extends RenderingSubjects {
  /** The size of the report as uploaded. */
  readonly sizeBytes: number;
  readonly form: RenderingForm;
}

export interface Renderer {
  /**
   * @param begin returns the task when the rendering's turn comes.
   * @throws AppError RATE_LIMITED when its owner, share link or network has too much in flight, and when an export
   * takes too much processor time; CONFLICT when an export is too large; INTERNAL 503 when a worker failed.
   */
  render(wanted: WantedRendering, begin: () => Promise<RenderingTask>): Promise<Rendering>;
  close(): Promise<void>;
}

export interface RendererOptions {
  readonly reportBytesMax: number;
  readonly budgets: RenderingBudgets;
  /** The limit of an export. */
  readonly exportBytesMax?: number | undefined;
  /** The limit of processor time for one rendering. */
  readonly workMsMax?: number | undefined;
  readonly telemetry?: Telemetry;
}

type RenderingPool = WorkerPool<RenderingTask, RenderingOutcome>;

export function createRenderer(options: RendererOptions): Renderer {
  const { reportBytesMax, budgets, workMsMax = WORK_MS_MAX, telemetry = noTelemetry } = options;
  const { metrics, tracing } = telemetry;
  const exportBytesMax =
    options.exportBytesMax ?? Math.max(EXPORT_BYTES_MAX_MIN, reportBytesMax * EXPORT_BYTES_PER_REPORT_BYTE);
  const inFlight = { page: createInFlight(budgets), export: createInFlight(budgets) };
  const capacities = new Map<Lane, Capacity>(
    lanes.map((lane) => [
      lane,
      createCapacity(isSmall(lane) ? MAIN_THREAD : IN_WORKER, busy, metrics.capacity(`rendering ${lane}`)),
    ]),
  );
  const pools = new Map<Lane, RenderingPool>(
    lanes
      .filter((lane) => !isSmall(lane))
      .map((lane) => [lane, poolOf(lane, { reportBytesMax, workMsMax, telemetry })]),
  );
  /** On the main thread, too, a page read waits only for the current piece of an export, not for the whole export. */
  const mainThread = { page: createOnePerTick(), export: createOnePerTick() };

  async function renderIn(
    { kind, lane }: RenderingNeeds,
    begin: () => Promise<RenderingTask>,
  ): Promise<TimedRendering> {
    const begun = await begin();
    const task = kind === 'export' ? { ...begun, renderedBytesMax: exportBytesMax } : begun;
    const pool = pools.get(lane);
    if (pool) {
      const outcome = await pool.run(task, [task.bytes.buffer as ArrayBuffer]);
      if (outcome === null) throw exportTooLarge();
      return outcome;
    }
    // Loaded lazily, because the service does not need it to start.
    const { render } = await import('./rendering.ts');
    try {
      return await mainThread[kind](() => render(task));
    } catch (error) {
      throw error instanceof TooManyBytes ? exportTooLarge() : error;
    }
  }

  return {
    async render(wanted, begin) {
      const { sizeBytes, form } = wanted;
      const needs = needsOf(form, sizeBytes);
      const { kind, lane, costMs } = needs;
      const capacity = capacities.get(lane);
      if (!capacity) throw new Error(`There is no lane ${lane}.`);
      const leave = inFlight[kind].enter(wanted, costMs);
      try {
        return await tracing.span('rendering', { 'svc.form': form, 'svc.lane': lane }, async (span) => {
          const asked = performance.now();
          const { spent, ...rendering } = await capacity.run({ owner: partyOf(wanted), cost: costMs }, () => {
            span.set({ 'svc.waited_ms': performance.now() - asked });
            return renderIn(needs, begin);
          });
          span.set({ 'svc.projection_ms': spent.projectionMs, 'svc.rendering_ms': spent.renderingMs });
          return rendering;
        });
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

function poolOf(
  lane: Lane,
  {
    reportBytesMax,
    workMsMax,
    telemetry,
  }: { readonly reportBytesMax: number; readonly workMsMax: number; readonly telemetry: Telemetry },
): RenderingPool {
  const isOfExports = lane.startsWith('export');
  // Short exports are little work, and on a busy machine a background worker could delay them for long.
  const isBackground = lane === 'export large';
  const sizeBytesMax = lane.endsWith('medium') ? Math.min(MEDIUM_BYTES_MAX, reportBytesMax) : reportBytesMax;
  const workerData: RenderingWorkerData = { isBackground };
  return createWorkerPool({
    name: `rendering ${lane}`,
    telemetry,
    file: new URL(`./rendering-worker${extensionOf(import.meta.url)}`, import.meta.url),
    workers: 1,
    workerData,
    timeLimitMs: workMsMax,
    ...(isOfExports ? { overtime: exportTooSlow } : {}),
    idleLimitMs: IDLE_LIMIT_MS,
    youngMibMax: YOUNG_MIB_MAX,
    heapMibMax: HEAP_MIB_MIN + Math.ceil((sizeBytesMax / MIB) * HEAP_BYTES_PER_REPORT_BYTE),
  });
}

function busy(): BudgetExceeded {
  return new BudgetExceeded('The service is busy. Try again in a few seconds.', BUSY_RETRY_AFTER_MS);
}

/** The worker's file is a source or a bundle, like this one. */
function extensionOf(url: string): string {
  return url.slice(url.lastIndexOf('.'));
}
