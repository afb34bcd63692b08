/** What the service reports of itself: numbers for the metrics, and spans for the traces. */
import { noMetrics, type Metrics } from '../metrics/metrics.ts';
import { noTracing, type Tracing } from '../tracing/tracing.ts';

export interface Telemetry {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

export const noTelemetry: Telemetry = { metrics: noMetrics, tracing: noTracing };
