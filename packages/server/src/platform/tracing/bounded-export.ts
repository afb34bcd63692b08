/**
 * Sends spans in the background. Spans that wait or are being sent never exceed `spansMax`: further ones are dropped,
 * so a collector that is down, slow or silent costs the memory of that many spans only. Lost spans are counted and
 * logged.
 */
import { ExportResultCode } from '@opentelemetry/core';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import { TraceFlags } from '@opentelemetry/api';
import { describeError, type Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';

export interface ExportBounds {
  readonly spansMax: number;
  readonly batchMax: number;
  readonly everyMs: number;
  /** A batch that was not accepted by then has failed. */
  readonly sendMs: number;
  /** How long a stopping service waits for spans. */
  readonly closeMs: number;
}

export const defaultExportBounds: ExportBounds = {
  spansMax: 4096,
  batchMax: 512,
  everyMs: 2000,
  sendMs: 10_000,
  closeMs: 2000,
};

/** At most one line for each reason in this time. */
const LOGGED_EVERY_MS = 60_000;

type Loss = 'dropped' | 'failed';

export interface BoundedExport {
  readonly processor: SpanProcessor;
  /** Sends what is left, for a limited time. */
  close(): Promise<void>;
}

export function createBoundedExport(
  exporter: SpanExporter,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
  bounds: ExportBounds = defaultExportBounds,
): BoundedExport {
  let pending = 0;
  const losses = createLosses(log);

  function settle(spans: number, error: unknown): void {
    pending -= spans;
    metrics.spans(error === undefined ? 'exported' : 'failed', spans);
    if (error !== undefined) losses.add('failed', spans, error);
  }

  const settling: SpanExporter = {
    export(spans, onResult) {
      let isSettled = false;
      const end = (error: Error | undefined) => {
        if (isSettled) return;
        isSettled = true;
        clearTimeout(timer);
        settle(spans.length, error);
        onResult({ code: ExportResultCode.SUCCESS });
      };
      const timer = setTimeout(() => end(new Error('The collector did not answer in time.')), bounds.sendMs);
      timer.unref();
      exporter.export(spans, ({ code, error }) =>
        end(code === ExportResultCode.SUCCESS ? undefined : (error ?? new Error('The export failed.'))),
      );
    },
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: settling,
    maxQueueSize: bounds.spansMax,
    maxExportBatchSize: bounds.batchMax,
    scheduledDelayMillis: bounds.everyMs,
    exportTimeoutMillis: 2 * bounds.sendMs,
  });
  return {
    processor: {
      onStart: () => undefined,
      onEnd(span: ReadableSpan) {
        if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
        if (pending >= bounds.spansMax) {
          metrics.spans('dropped', 1);
          losses.add('dropped', 1);
          return;
        }
        pending += 1;
        batches.onEnd(span);
      },
      forceFlush: () => batches.forceFlush(),
      shutdown: () => batches.shutdown(),
    },
    async close() {
      await withinTime(batches.shutdown(), bounds.closeMs);
      if (pending > 0) losses.add('failed', pending, new Error('The service stopped.'));
      losses.close();
    },
  };
}

/** Resolves when the work has ended, failed, or taken too long. */
async function withinTime(work: Promise<void>, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(end, end);
  });
}

/** Logs losses: the first immediately, then a sum in each period. */
function createLosses(log: Log) {
  const sums = new Map<Loss, { spans: number; error: unknown }>();
  let timer: NodeJS.Timeout | undefined;

  function write(): void {
    for (const [reason, { spans, error }] of sums)
      log.warn('trace spans lost', {
        reason,
        spans,
        ...(error === undefined ? {} : { error: describeError(error) }),
      });
    sums.clear();
  }

  return {
    add(reason: Loss, spans: number, error?: unknown): void {
      sums.set(reason, { spans: (sums.get(reason)?.spans ?? 0) + spans, error });
      if (timer !== undefined) return;
      write();
      timer = setTimeout(() => {
        timer = undefined;
        write();
      }, LOGGED_EVERY_MS).unref();
    },
    close(): void {
      clearTimeout(timer);
      write();
    },
  };
}
