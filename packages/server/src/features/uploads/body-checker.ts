/**
 * Where bodies are checked: at once for small ones, which are done sooner than a worker could be handed them,
 * and in a worker for large ones, so that nobody waits for another's report of 12 MiB.
 */
import { availableParallelism } from 'node:os';
import { createTurns } from '#platform/turns';
import { createWorkerPool } from '#platform/worker-pool';
import type { BodyOutcome, BodyToCheck } from './body-check.ts';

/** Handing a body over costs more than it saves below this size. */
const AT_ONCE_BYTES_MAX = 64 * 1024;
/** One processor stays for the rest of the service; more than two would take too much memory. */
const WORKERS = Math.min(2, Math.max(1, availableParallelism() - 1));
/** Several times what the largest body takes on a slow machine. */
const TIME_LIMIT_MS = 20_000;
/** Large reports come in bursts; a worker is made in less than the time that one of them takes. */
const IDLE_LIMIT_MS = 10_000;
const MIB = 1024 * 1024;
const HEAP_MIB_MIN = 48;
/** A body as text, and all that the parser makes of it. */
const HEAP_BYTES_PER_BODY_BYTE = 6;

export interface BodyChecker {
  /** True for bodies that are checked in a worker; one whose shape refuses it needs none. */
  needsWorker(body: BodyToCheck): boolean;
  /**
   * Takes the bytes over: nobody may use them afterwards.
   * @throws AppError INTERNAL 503 when a worker gave up on it.
   */
  check(body: BodyToCheck): Promise<BodyOutcome>;
  close(): Promise<void>;
}

export function createBodyChecker(reportBytesMax: number): BodyChecker {
  const pool = createWorkerPool<BodyToCheck, BodyOutcome>({
    file: new URL(`./body-worker${extensionOf(import.meta.url)}`, import.meta.url),
    workers: WORKERS,
    timeLimitMs: TIME_LIMIT_MS,
    idleLimitMs: IDLE_LIMIT_MS,
    heapMibMax: HEAP_MIB_MIN + Math.ceil((reportBytesMax / MIB) * HEAP_BYTES_PER_BODY_BYTE),
  });
  const inTurn = createTurns();
  return {
    needsWorker,
    async check(body) {
      if (needsWorker(body)) return pool.run(body, [body.bytes.buffer as ArrayBuffer]);
      // Loaded late: the service starts without it.
      const { checkBody } = await import('./body-check.ts');
      return inTurn(() => checkBody(body));
    },
    close: () => pool.close(),
  };
}

function needsWorker({ bytes, shape }: BodyToCheck): boolean {
  return shape.excess === null && bytes.length > AT_ONCE_BYTES_MAX;
}

/** The worker's file is made of the sources or of the bundle, as this one is. */
function extensionOf(url: string): string {
  return url.slice(url.lastIndexOf('.'));
}
