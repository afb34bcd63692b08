/**
 * A few threads for work that would hold the process up.
 *
 * A worker does one task at a time, tasks are taken in the order in which they came, and each worker is made when it is
 * first needed and kept for as long as tasks keep coming: an idle one would hold the memory of its last task. One that
 * fails, takes too long or too much memory is ended and replaced; its task fails, and no other.
 */
import { Worker, type Transferable } from 'node:worker_threads';
import { AppError } from '#app-error';

const RETRY_AFTER_MS = 5000;
const YOUNG_MIB_MAX = 16;
/** How much longer than its limit a task may take by the clock, on a machine that is busy with other things. */
const CLOCK_FACTOR = 10;

export interface WorkerPoolOptions {
  /** Posts one message for each message that it gets. */
  readonly file: URL;
  readonly workers: number;
  /** Of a processor's time, for a task. */
  readonly timeLimitMs: number;
  /** A worker that had nothing to do for so long is ended. */
  readonly idleLimitMs: number;
  /** Of each worker; buffers that were handed over do not count. */
  readonly heapMibMax: number;
  readonly workerData?: unknown;
  /** The error of a task that took too long, instead of INTERNAL 503. */
  readonly overtime?: () => Error;
}

export interface WorkerPool<Task, Result> {
  /**
   * @param handedOver buffers of the task, which are gone here from the moment at which a worker takes the task.
   * @throws AppError INTERNAL 503 when the worker failed or gave up; what `overtime` gives, where it is given.
   */
  run(task: Task, handedOver: readonly Transferable[]): Promise<Result>;
  /** Ends the workers. Tasks under way fail. */
  close(): Promise<void>;
}

interface Waiting<Task, Result> {
  readonly task: Task;
  readonly handedOver: readonly Transferable[];
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export function createWorkerPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  /** Those without a task, and what ends them. */
  const idle = new Map<Worker, NodeJS.Timeout>();
  const waiting: Waiting<Task, Result>[] = [];
  const all = new Set<Worker>();
  let closed = false;

  function make(): Worker {
    const worker = new Worker(options.file, {
      resourceLimits: { maxOldGenerationSizeMb: options.heapMibMax, maxYoungGenerationSizeMb: YOUNG_MIB_MAX },
      // What starts the process says nothing to its workers, such as an inspector's port.
      execArgv: [],
      workerData: options.workerData,
    });
    all.add(worker);
    worker.unref();
    // A task that is under way listens for itself.
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

  /** The one that has rested least, so that those that are not needed come to their end. */
  function wake(): Worker | undefined {
    const worker = [...idle.keys()].at(-1);
    if (worker === undefined) return undefined;
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    return worker;
  }

  function startNext(): void {
    if (waiting.length === 0) return;
    const worker = wake() ?? (all.size < options.workers ? make() : undefined);
    if (worker === undefined) return;
    const next = waiting.shift();
    if (next !== undefined) start(worker, next);
  }

  function start(worker: Worker, { task, handedOver, resolve, reject }: Waiting<Task, Result>): void {
    const stopWatching = watchTime(worker, options.timeLimitMs, () =>
      fail(new Error('A worker took too long.'), options.overtime?.()),
    );
    const onMessage = (result: Result) => {
      settle();
      if (!closed) rest(worker);
      resolve(result);
      startNext();
    };
    const onError = (error: unknown) => fail(error);
    const onExit = () => fail(new Error('A worker ended.'));
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
      startNext();
    }
    worker.ref();
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    try {
      worker.postMessage(task, [...handedOver]);
    } catch (error) {
      fail(error);
    }
  }

  return {
    run: (task, handedOver) =>
      new Promise((resolve, reject) => {
        if (closed) throw new Error('The workers were ended.');
        waiting.push({ task, handedOver, resolve, reject });
        startNext();
      }),
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error('The workers were ended.'));
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

/**
 * Calls back once the worker has had so much of a processor's time, or ten times as much has passed: a worker may also stand
 * still, or be where nobody can ask it.
 * @returns what ends that.
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

/** Of a processor's time; of the clock's where an older Node does not tell. */
async function spentMs(worker: Worker): Promise<number> {
  if (!('cpuUsage' in worker)) return performance.now();
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    // One that is only being made has had none.
    return 0;
  }
}
