/**
 * Traces: what a request or a job did, step by step, for the operator's collector. Names and fields of spans are route
 * templates, words from lists in the code, and numbers. An id, a name, an address or the text of an error is never
 * among them.
 */
export type SpanField =
  | 'db.system.name'
  | 'db.operation.name'
  | 'db.collection.name'
  | 'svc.form'
  | 'svc.lane'
  | 'svc.waited_ms'
  | 'svc.projection_ms'
  | 'svc.rendering_ms';

export type SpanFields = Readonly<Partial<Record<SpanField, string | number>>>;

/** A span that is under way. */
export interface Span {
  set(fields: SpanFields): void;
}

export interface TracedRequest {
  readonly method: string;
  /** The template; undefined for an unknown route. */
  readonly route: string | undefined;
  /** The request's header of that name. */
  readonly traceparent: string | undefined;
}

export interface RequestSpan {
  /** Undefined when there are no traces. */
  readonly traceId: string | undefined;
  /** What starts within this work belongs to the request. */
  within(work: () => void): void;
  /** @param status null if the connection ended before the response was complete. */
  end(status: number | null, errorCode: string | undefined): void;
}

export interface Tracing {
  request(request: TracedRequest): RequestSpan;
  /** Work that no request waits for, with a trace of its own. */
  task<Result>(name: string, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** A step of the request or task under way. When that has ended, or there is none, the work runs without a span. */
  span<Result>(name: string, fields: SpanFields, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** The trace of the request or task under way. */
  traceId(): string | undefined;
  /** Sends what is left, for a limited time. */
  close(): Promise<void>;
}

const noSpan: Span = { set: () => undefined };
const noRequestSpan: RequestSpan = {
  traceId: undefined,
  within: (work) => work(),
  end: () => undefined,
};

export const noTracing: Tracing = {
  request: () => noRequestSpan,
  task: (_name, work) => work(noSpan),
  span: (_name, _fields, work) => work(noSpan),
  traceId: () => undefined,
  close: () => Promise.resolve(),
};
