import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { TracerProvider, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { noMetrics, type SpanResult } from '../metrics/metrics.ts';
import { createBoundedExport } from './bounded-export.ts';

const bounds = { spansMax: 10, batchMax: 4, everyMs: 100, sendMs: 1000, closeMs: 500 };

interface Held {
  readonly spans: number;
  readonly answer: (result: ExportResult) => void;
  readonly isAnswered: Promise<void>;
}

/** An exporter whose batches the test answers. */
class HeldExporter implements SpanExporter {
  readonly held: Held[] = [];
  export(spans: ReadableSpan[], onResult: (result: ExportResult) => void): void {
    const { promise: isAnswered, resolve } = Promise.withResolvers<void>();
    const answer = (result: ExportResult) => {
      onResult(result);
      resolve();
    };
    this.held.push({ spans: spans.length, answer, isAnswered });
  }
  /** Like the exporter of the service, it waits for what is being sent. */
  async shutdown(): Promise<void> {
    await Promise.all(this.held.map(({ isAnswered }) => isAnswered));
  }
}

let exporter: HeldExporter;
let counts: Record<SpanResult, number>;
let lines: Record<string, unknown>[];
let makeSpans: (count: number) => void;
let close: () => Promise<void>;

beforeEach(() => {
  vi.useFakeTimers();
  exporter = new HeldExporter();
  counts = { exported: 0, failed: 0, dropped: 0 };
  lines = [];
  const log = createLog('info', {
    write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const metrics = {
    ...noMetrics,
    spans: (result: SpanResult, count: number) => void (counts[result] += count),
  };
  const bounded = createBoundedExport(exporter, { log, metrics }, bounds);
  const tracer = new TracerProvider({ spanProcessors: [bounded.processor] }).getTracer('test');
  close = bounded.close;
  makeSpans = (count) => {
    for (let number = 0; number < count; number += 1)
      tracer.startSpan('work', { kind: SpanKind.INTERNAL }, ROOT_CONTEXT).end();
  };
});
afterEach(() => {
  vi.useRealTimers();
});

test('spans that wait or are being sent are never more than the limit; others are dropped', async () => {
  makeSpans(1000);
  await vi.advanceTimersByTimeAsync(100);
  expect(exporter.held.reduce((sum, { spans }) => sum + spans, 0)).toBeLessThanOrEqual(10);
  expect(counts).toEqual({ exported: 0, failed: 0, dropped: 990 });
});

test('accepted spans free capacity for new ones', async () => {
  makeSpans(12);
  await vi.advanceTimersByTimeAsync(100);
  exporter.held[0]?.answer({ code: ExportResultCode.SUCCESS });
  expect(counts).toEqual({ exported: 4, failed: 0, dropped: 2 });
  makeSpans(5);
  expect(counts.dropped).toBe(3);
});

test('a batch that is not answered in time has failed, and a late response changes nothing', async () => {
  makeSpans(4);
  await vi.advanceTimersByTimeAsync(1100);
  expect(counts).toEqual({ exported: 0, failed: 4, dropped: 0 });
  exporter.held[0]?.answer({ code: ExportResultCode.SUCCESS });
  expect(counts).toEqual({ exported: 0, failed: 4, dropped: 0 });
});

test('a batch that the collector rejects has failed', async () => {
  makeSpans(4);
  await vi.advanceTimersByTimeAsync(0);
  exporter.held[0]?.answer({ code: ExportResultCode.FAILED, error: new Error('status 400') });
  expect(counts.failed).toBe(4);
  expect(lines).toMatchObject([{ msg: 'trace spans lost', reason: 'failed', spans: 4 }]);
});

test('losses are logged immediately, then as a sum each minute', async () => {
  makeSpans(110);
  expect(lines).toMatchObject([{ reason: 'dropped', spans: 1 }]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines.slice(1)).toEqual(
    expect.arrayContaining([expect.objectContaining({ reason: 'dropped', spans: 99 })]),
  );
});

test('closing waits for a silent collector no longer than the limit', async () => {
  makeSpans(4);
  let isClosed = false;
  void close().then(() => (isClosed = true));
  await vi.advanceTimersByTimeAsync(499);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isClosed).toBe(true);
  expect(lines).toMatchObject([{ reason: 'failed', spans: 4 }]);
});

test('closing sends the remaining spans', async () => {
  makeSpans(3);
  const closed = close();
  await vi.advanceTimersByTimeAsync(0);
  exporter.held[0]?.answer({ code: ExportResultCode.SUCCESS });
  await closed;
  expect([counts.exported, lines]).toEqual([3, []]);
});
