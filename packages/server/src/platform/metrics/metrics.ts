import type { ConnectionCounts } from '../database/database.ts';

/**
 * What the service measures of itself, for the operator. No label names a person, a workspace, a report or a share: routes
 * are templates, and everything else comes from lists in the code.
 */
export interface Metrics {
  request(request: MeasuredRequest): void;
  /** A job of the sweeper; `elsewhere` if another replica was running it. */
  job(name: string, result: JobResult, seconds: number): void;
  /** A call of the blob store or of the counters. */
  call(dependency: string, operation: string, isOk: boolean, seconds: number): void;
}

export interface MeasuredRequest {
  readonly method: string;
  /** The template, such as `/api/v1/reports/:id`; undefined for an unknown route. */
  readonly route: string | undefined;
  /** Null if the connection ended before the response was complete. */
  readonly status: number | null;
  readonly seconds: number;
}

export type JobResult = 'done' | 'failed' | 'elsewhere';

/** Values that are read when the metrics are. */
export interface Gauges {
  readonly requestsUnderWay: () => number;
  readonly streams: () => number;
  /** Absent on SQLite, which has one connection. */
  readonly connections: (() => ConnectionCounts) | undefined;
}

/** The metrics as text in the format of Prometheus. */
export interface Exposition {
  readonly contentType: string;
  text(): Promise<string>;
}

export const noMetrics: Metrics = {
  request: () => undefined,
  job: () => undefined,
  call: () => undefined,
};
