/**
 * What the service measures of itself, for the operator. No label names a person, a workspace, a report or a share:
 * routes are templates, and everything else comes from lists in the code.
 */
export interface Metrics {
  request(request: MeasuredRequest): void;
  /** A job of the sweeper; `elsewhere` if another replica was running it. */
  job(name: string, result: JobResult, seconds: number): void;
  /** A job that will run. */
  expectJob(name: string): void;
  /** A call of the database, the blob store or the counters. */
  call(dependency: Dependency, operation: string, isOk: boolean, seconds: number): void;
  /** A task of a worker, without the time that it waited. */
  task(pool: string, isOk: boolean, seconds: number): void;
  /** A bounded capacity, where work waits or is rejected. */
  capacity(name: string): CapacityMeter;
  /** A call that a rate limit rejected. */
  throttled(throttle: string): void;
  /** Spans on their way to the collector. */
  spans(result: SpanResult, count: number): void;
}

export type Dependency = 'database' | 'blobs' | 'counters';

export interface MeasuredRequest {
  readonly method: string;
  /** The template, such as `/api/v1/reports/:id`; undefined for an unknown route. */
  readonly route: string | undefined;
  /** Null if the connection ended before the response was complete. */
  readonly status: number | null;
  readonly seconds: number;
  /** The code of an error response. */
  readonly code?: string | undefined;
}

export type JobResult = 'done' | 'failed' | 'elsewhere';

/** `dropped` before sending, because too many were waiting. */
export type SpanResult = 'exported' | 'failed' | 'dropped';

export interface CapacityMeter {
  /** A piece began to wait (1), or no longer waits (-1). */
  waiting(change: 1 | -1): void;
  rejected(): void;
}

export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  readonly max: number;
  /** Transactions and statements that wait for a connection. */
  readonly waiting: number;
}

export interface FileSystemSize {
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** Values that are read each time the metrics are requested. */
export interface Gauges {
  readonly requestsUnderWay: () => number;
  readonly streams: () => number;
  readonly streamsMax: number;
  /** Absent on SQLite, which has one connection. */
  readonly connections: (() => ConnectionCounts) | undefined;
  /** `check` throws when the dependency does not work. */
  readonly dependencies: Readonly<Record<Dependency, { check(): Promise<void> }>>;
  /** The file system of the data folder. */
  readonly fileSystem: () => Promise<FileSystemSize>;
}

/** The metrics as text in the format of Prometheus. */
export interface Exposition {
  readonly contentType: string;
  text(): Promise<string>;
}

export const unmeasured: CapacityMeter = { waiting: () => undefined, rejected: () => undefined };

export const noMetrics: Metrics = {
  request: () => undefined,
  job: () => undefined,
  expectJob: () => undefined,
  call: () => undefined,
  task: () => undefined,
  capacity: () => unmeasured,
  throttled: () => undefined,
  spans: () => undefined,
};

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A client can send any method. */
export function shownMethod(method: string): string {
  return METHODS.has(method) ? method : 'other';
}
