import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#app-error';
import { createLog } from '../log.ts';
import { startSweeper } from '../sweeper.ts';
import { noMetrics } from '../metrics/metrics.ts';
import { tracedLog } from '../telemetry/observed.ts';
import { createSpans } from './spans.ts';
import type { Tracing } from './tracing.ts';

let exporter: InMemorySpanExporter;
let tracing: Tracing;

beforeEach(() => {
  exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const tracer = provider.getTracer('test');
  tracing = createSpans({ tracer, acceptsContext: true, close: () => Promise.resolve() });
});

const finished = () =>
  exporter.getFinishedSpans().map(({ name, attributes, status, events, parentSpanContext }) => ({
    name,
    attributes,
    status,
    events,
    isRoot: parentSpanContext === undefined,
  }));

describe('spans', () => {
  test('outside of a request or task there are no spans', async () => {
    expect(await tracing.span('step', {}, () => Promise.resolve(1))).toBe(1);
    expect(finished()).toEqual([]);
  });

  test('work that outlives its task has no spans', async () => {
    const late = Promise.withResolvers<void>();
    let after: Promise<unknown> | undefined;
    await tracing.task('task', async () => {
      after = late.promise.then(() => tracing.span('late', {}, () => Promise.resolve()));
    });
    late.resolve();
    await after;
    expect(finished().map(({ name }) => name)).toEqual(['task']);
  });

  test('an error is reported by its class or code, without its text', async () => {
    class Telling extends Error {}
    const fail = async (error: unknown): Promise<unknown> => {
      try {
        return await tracing.task('task', () => {
          throw error;
        });
      } catch (thrown) {
        return thrown;
      }
    };
    const telling = new Telling('a secret');
    telling.name = 'a secret';
    expect(await fail(telling)).toBe(telling);
    await fail(new AppError('NOT_FOUND'));
    await fail(new AppError('INTERNAL'));
    await fail('a secret');
    expect(
      finished().map(({ attributes, status, events }) => [attributes['error.type'], status, events]),
    ).toEqual([
      ['Telling', { code: 2 }, []],
      ['NOT_FOUND', { code: 0 }, []],
      ['INTERNAL', { code: 2 }, []],
      ['Thrown', { code: 2 }, []],
    ]);
  });

  test.each([
    ['GET', '/api/v1/reports/:id', 'GET /api/v1/reports/:id'],
    ['GET', undefined, 'GET'],
    ['CANARY', undefined, 'other'],
  ])('a request is named by its method and route: %s %s', (method, route, name) => {
    const span = tracing.request({ method, route, traceparent: undefined });
    span.end(null, undefined);
    expect(finished()).toMatchObject([{ name, isRoot: true, attributes: { 'error.type': 'ABORTED' } }]);
  });

  test.each(['', 'canary', '00-0-0-01', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`])(
    'an invalid trace context is ignored: %j',
    (traceparent) => {
      const span = tracing.request({ method: 'GET', route: '/', traceparent });
      expect(span.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
      span.end(200, undefined);
      expect(finished()).toMatchObject([{ isRoot: true }]);
    },
  );

  test('a job of the sweeper is a trace, even when it fails, and its log line names the trace', async () => {
    const lines: string[] = [];
    const log = tracedLog(createLog('info', { write: (line) => void lines.push(line) }), tracing);
    const ran = Promise.withResolvers<void>();
    const job = {
      name: 'blobs',
      everyMs: 1,
      isLocal: true,
      run() {
        ran.resolve();
        return Promise.reject(new Error('a secret'));
      },
    };
    const database = { runAlone: () => Promise.resolve(true) };
    const sweeper = startSweeper([job], { log, database, telemetry: { metrics: noMetrics, tracing } });
    await ran.promise;
    await sweeper.stop();
    const [span] = exporter.getFinishedSpans();
    expect([span?.name, span?.attributes, span?.events]).toEqual([
      'job blobs',
      { 'error.type': 'Error' },
      [],
    ]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'job failed',
      traceId: span?.spanContext().traceId,
    });
  });
});
