/**
 * Checks bodies: small ones on the main thread, one in each tick, because passing them to a worker would take longer,
 * and large ones in a worker, so that nobody waits for another's report of 12 MiB.
 */
import { availableParallelism } from 'node:os';
import { collectLessOften } from '#platform/heap-growth';
import { createOnePerTick } from '#platform/one-per-tick';
import { noTelemetry, type Telemetry } from '#platform/telemetry/telemetry';
import { createWorkerPool } from '#platform/worker-pool';
import type { BodyOutcome, BodyToCheck } from './body-check.ts';

/** Below this size, passing a body to a worker costs more than it saves. */
const AT_ONCE_BYTES_MAX = 64 * 1024;
/**
 * One for each processor, because the rest of the service has priority (body-worker.ts). More than two would take too
 * much memory.
 */
const WORKERS = Math.min(2, availableParallelism());
/** Several times what the largest body takes on a slow machine. */
const TIME_LIMIT_MS = 20_000;
/** Large reports come in bursts. A worker starts in less time than the check of a large report takes. */
const IDLE_LIMIT_MS = 10_000;
/** Findings are checked one by one, so few objects live long. With more, a worker takes more memory and no less time. */
const YOUNG_MIB_MAX = 8;
const MIB = 1024 * 1024;
const HEAP_MIB_MIN = 48;
/** The memory for a body as text and its parsed form. */
const HEAP_BYTES_PER_BODY_BYTE = 6;

export interface BodyChecker {
  /**
   * Checks a body, and seals it if it is accepted. Takes the bytes: the caller can no longer use them.
   * @throws AppError INTERNAL 503 when a worker failed.
   */
  check(body: BodyToCheck): Promise<BodyOutcome>;
  close(): Promise<void>;
}

export function createBodyChecker(reportBytesMax: number, telemetry: Telemetry = noTelemetry): BodyChecker {
  const pool = createWorkerPool<BodyToCheck, BodyOutcome>({
    name: 'body check',
    telemetry,
    file: new URL(`./body-worker${extensionOf(import.meta.url)}`, import.meta.url),
    workers: WORKERS,
    timeLimitMs: TIME_LIMIT_MS,
    idleLimitMs: IDLE_LIMIT_MS,
    heapMibMax: HEAP_MIB_MIN + Math.ceil((reportBytesMax / MIB) * HEAP_BYTES_PER_BODY_BYTE),
    youngMibMax: YOUNG_MIB_MAX,
  });
  const mainThread = createOnePerTick();
  /**
   * Loaded lazily, because the service does not need it to start, and kept: each import takes as long as a query. An
   * import that fails, for want of a file descriptor, is tried again.
   */
  const load = () => import('./body-check.ts');
  let loaded: Awaited<ReturnType<typeof load>> | undefined;
  return {
    async check(body) {
      collectLessOften();
      if (body.bytes.length > AT_ONCE_BYTES_MAX) return pool.run(body, [body.bytes.buffer]);
      loaded ??= await load();
      const { checkBody } = loaded;
      return telemetry.tracing.span('body check', {}, () => mainThread(() => checkBody(body)));
    },
    close: () => pool.close(),
  };
}

/** The worker's file is a source or a bundle, like this one. */
function extensionOf(url: string): string {
  return url.slice(url.lastIndexOf('.'));
}
