/**
 * The spans of one service. They are linked through an AsyncLocalStorage of their own, not through the global state of
 * the OpenTelemetry API, so that libraries cannot add spans with data that must not leave the service.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OpenSpan,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { AppError } from '#app-error';
import { shownMethod } from '../metrics/metrics.ts';
import type { RequestSpan, Span, SpanFields, TracedRequest, Tracing } from './tracing.ts';

export interface SpansOptions {
  readonly tracer: Tracer;
  /** Whether a request continues the trace that its `traceparent` names. */
  readonly acceptsContext: boolean;
  readonly close: () => Promise<void>;
}

export function createSpans({ tracer, acceptsContext, close }: SpansOptions): Tracing {
  const current = new AsyncLocalStorage<OpenSpan>();

  function start(name: string, kind: SpanKind, fields: SpanFields, parent: Context): OpenSpan {
    return tracer.startSpan(name, { kind, attributes: { ...fields } }, parent);
  }

  async function run<Result>(open: OpenSpan, work: (span: Span) => Promise<Result>): Promise<Result> {
    const handle: Span = { set: (fields) => void open.setAttributes({ ...fields }) };
    try {
      return await current.run(open, () => work(handle));
    } catch (error) {
      open.setAttribute('error.type', typeOf(error));
      if (isFailure(error)) open.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      open.end();
    }
  }

  return {
    request(request) {
      const remote = acceptsContext ? contextIn(request) : null;
      const parent = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
      return requestSpan(tracer, request, parent, (open, work) => current.run(open, work));
    },
    task: (name, work) => run(start(name, SpanKind.INTERNAL, {}, ROOT_CONTEXT), work),
    span(name, fields, work) {
      const open = current.getStore();
      // A timer or a cache that a request started can outlive the request by days.
      if (!open?.isRecording()) return work({ set: () => undefined });
      const kind = fields['db.system.name'] === undefined ? SpanKind.INTERNAL : SpanKind.CLIENT;
      return run(start(name, kind, fields, trace.setSpan(ROOT_CONTEXT, open)), work);
    },
    traceId: () => current.getStore()?.spanContext().traceId,
    close,
  };
}

function requestSpan(
  tracer: Tracer,
  { method, route }: TracedRequest,
  parent: Context,
  within: (open: OpenSpan, work: () => void) => void,
): RequestSpan {
  const known = shownMethod(method);
  const open = tracer.startSpan(
    route === undefined ? known : `${known} ${route}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': known,
        ...(route === undefined ? {} : { 'http.route': route }),
      },
    },
    parent,
  );
  return {
    traceId: open.spanContext().traceId,
    within: (work) => within(open, work),
    end(status, errorCode) {
      if (status !== null) open.setAttribute('http.response.status_code', status);
      const errorType = status === null ? 'ABORTED' : errorCode;
      if (errorType !== undefined) open.setAttribute('error.type', errorType);
      if (status !== null && status >= 500) open.setStatus({ code: SpanStatusCode.ERROR });
      open.end();
    },
  };
}

/** Only the ids and the flag: `tracestate` and `baggage` are free text. */
function contextIn({ traceparent }: TracedRequest): SpanContext | null {
  const context = traceparent === undefined ? null : parseTraceParent(traceparent);
  return context && { ...context, isRemote: true };
}

/** The class of an error is written in the code; its name and message can quote a value. */
function typeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.constructor.name : 'Thrown';
}

function isFailure(error: unknown): boolean {
  return !(error instanceof AppError) || error.status >= 500;
}
