/**
 * A few threads for work that would block the process.
 *
 * A worker does one task at a time, in order of arrival. Each worker is started when it is first needed and kept only
 * while tasks keep coming, because an idle one holds the memory of its last task. A worker that fails, takes too long
 * or too much memory is ended and replaced, and only its task fails.
 */
import { Worker, type Transferable } from 'node:worker_threads';
import pLimit from 'p-limit';
import { AppError } from '#app-error';
import { noTelemetry, type Telemetry } from './telemetry/telemetry.ts';

const RETRY_AFTER_MS = 5000;
const YOUNG_MIB_MAX_DEFAULT = 16;
const CLOSED = 'The workers were ended.';
/** How many times its limit a task may take by the clock, on a machine that is busy with other work. */
const CLOCK_FACTOR = 10;

export interface WorkerPoolOptions {
  /** The name in metrics and traces. */
  readonly name: string;
  readonly telemetry?: Telemetry;
  /** The code of the worker. It posts one message for each message that it gets. */
  readonly file: URL;
  readonly workers: number;
  /** The limit of processor time for a task. */
  readonly timeLimitMs: number;
  /** A worker that was idle for this long is ended. */
  readonly idleLimitMs: number;
  /** The limit for each worker; transferred buffers do not count. */
  readonly heapMibMax: number;
  /**
   * The limit for each worker's young objects, 16 by default. With more, a worker that makes many short-lived objects
   * spends less time collecting them.
   */
  readonly youngMibMax?: number;
  readonly workerData?: unknown;
  /** The error of a task that took too long, instead of INTERNAL 503. */
  readonly overtime?: () => Error;
}

export interface WorkerPool<Task, Result> {
  /**
   * @param handedOver buffers of the task, which are detached here when a worker takes the task.
   * @throws AppError INTERNAL 503 when the worker failed; the error of `overtime`, if given, for a task that took too
   * long.
   */
  run(task: Task, handedOver: readonly Transferable[]): Promise<Result>;
  /** Ends the workers. Tasks under way fail. */
  close(): Promise<void>;
}

export function createWorkerPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  const {
    name,
    youngMibMax = YOUNG_MIB_MAX_DEFAULT,
    telemetry: { metrics, tracing } = noTelemetry,
  } = options;
  const waiting = metrics.capacity(`worker ${name}`);
  /** Idle workers, and the timers that end them. */
  const idle = new Map<Worker, NodeJS.Timeout>();
  const limit = pLimit(options.workers);
  const all = new Set<Worker>();
  let closed = false;

  function make(): Worker {
    const worker = new Worker(options.file, {
      resourceLimits: { maxOldGenerationSizeMb: options.heapMibMax, maxYoungGenerationSizeMb: youngMibMax },
      // Workers do not inherit options of the process, such as an inspector's port.
      execArgv: [],
      workerData: options.workerData,
    });
    all.add(worker);
    worker.unref();
    // A task under way has its own listener.
    worker.on('error', () => undefined);
    worker.once('exit', () => forget(worker));
    return worker;
  }

  function forget(worker: Worker): void {
    all.delete(worker);
    clearTimeout(idle.get(worker));
    idle.delete(worker);
  }

  function rest(worker: Worker): void {
    const end = () => {
      forget(worker);
      void worker.terminate();
    };
    idle.set(worker, setTimeout(end, options.idleLimitMs).unref());
  }

  /** The most recently used one, so that workers that are not needed time out. */
  function wake(): Worker | undefined {
    const worker = [...idle.keys()].at(-1);
    if (worker === undefined) return undefined;
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    return worker;
  }

  function runNow(task: Task, handedOver: readonly Transferable[]): Promise<Result> {
    if (closed) throw new Error(CLOSED);
    const worker = wake() ?? make();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const stopWatching = watchTime(worker, options.timeLimitMs, () =>
      fail(new Error('The worker exceeded its time limit.'), options.overtime?.()),
    );
    const onMessage = (result: Result) => {
      settle();
      if (!closed) rest(worker);
      resolve(result);
    };
    const onError = (error: unknown) => fail(error);
    const onExit = () => fail(new Error('The worker exited.'));
    function settle(): void {
      stopWatching();
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      worker.unref();
    }
    function fail(cause: unknown, error?: Error): void {
      settle();
      forget(worker);
      void worker.terminate();
      reject(error ?? new AppError('INTERNAL', { status: 503, retryAfterMs: RETRY_AFTER_MS, cause }));
    }
    worker.ref();
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    try {
      worker.postMessage(task, [...handedOver]);
    } catch (error) {
      fail(error);
    }
    return promise;
  }

  async function runMeasured(task: Task, handedOver: readonly Transferable[]): Promise<Result> {
    const began = performance.now();
    let isOk = false;
    try {
      const result = await runNow(task, handedOver);
      isOk = true;
      return result;
    } finally {
      metrics.task(name, isOk, (performance.now() - began) / 1000);
    }
  }

  return {
    run: (task, handedOver) =>
      tracing.span(`worker ${name}`, {}, (span) => {
        const began = performance.now();
        waiting.waiting(1);
        return limit(() => {
          waiting.waiting(-1);
          span.set({ 'svc.waited_ms': performance.now() - began });
          return runMeasured(task, handedOver);
        });
      }),
    async close() {
      // Waiting tasks are rejected when they would start.
      closed = true;
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

/**
 * Calls back once the worker has used this much processor time, or ten times as much time has passed: a worker may also
 * hang, or not be measurable.
 * @returns a function that stops the watch.
 */
function watchTime(worker: Worker, limitMs: number, onOver: () => void): () => void {
  const before = spentMs(worker);
  let isEnded = false;
  const last = setTimeout(onOver, CLOCK_FACTOR * limitMs);
  let next = setTimeout(() => void look(), limitMs);
  async function look(): Promise<void> {
    const leftMs = limitMs - ((await spentMs(worker)) - (await before));
    if (isEnded) return;
    if (leftMs > 0) next = setTimeout(() => void look(), leftMs);
    else onOver();
  }
  return () => {
    isEnded = true;
    clearTimeout(last);
    clearTimeout(next);
  };
}

/** The processor time; on an older Node, which does not report it, the time by the clock. */
async function spentMs(worker: Worker): Promise<number> {
  if (!('cpuUsage' in worker)) return performance.now();
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    // A worker that is still starting has used none.
    return 0;
  }
}
