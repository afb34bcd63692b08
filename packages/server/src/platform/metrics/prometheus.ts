/** Metrics for Prometheus. Loaded only if METRICS_TOKEN is set. */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Exposition, Gauges, Metrics } from './metrics.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Seconds: from a cached share to an upload over a slow line. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const CALL_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** @param version becomes a label of `svc_build_info`. */
export function createPrometheusMetrics(version: string): {
  readonly metrics: Metrics;
  /** Call once, when the service is composed. */
  readonly exposition: (gauges: Gauges) => Exposition;
} {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response, by route template. Status 0: the connection ended first.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const jobs = new Histogram({
    name: 'svc_job_duration_seconds',
    help: 'Runs of background jobs. Result elsewhere: another replica was running the job.',
    labelNames: ['job', 'result'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const jobEnds = new Gauge({
    name: 'svc_job_last_success_timestamp_seconds',
    help: 'When this replica last finished a job without an error.',
    labelNames: ['job'],
    registers,
  });
  const calls = new Histogram({
    name: 'svc_dependency_call_duration_seconds',
    help: 'Calls of the blob store and of the rate-limit counters.',
    labelNames: ['dependency', 'operation', 'result'],
    buckets: CALL_BUCKETS,
    registers,
  });
  new Gauge({ name: 'svc_build_info', help: 'Always 1.', labelNames: ['version'], registers }).set(
    { version },
    1,
  );

  return {
    metrics: {
      request({ method, route = 'unknown', status, seconds }) {
        const labels = { method: METHODS.has(method) ? method : 'other', route, status: status ?? 0 };
        requests.observe(labels, seconds);
      },
      job(job, result, seconds) {
        jobs.observe({ job, result }, seconds);
        if (result === 'done') jobEnds.setToCurrentTime({ job });
      },
      call(dependency, operation, isOk, seconds) {
        calls.observe({ dependency, operation, result: isOk ? 'ok' : 'failed' }, seconds);
      },
    },
    exposition(gauges) {
      const gauge = (name: string, help: string, read: () => number) =>
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(read());
          },
        });
      gauge('svc_http_requests_under_way', 'Requests being answered.', gauges.requestsUnderWay);
      gauge('svc_streams_open', 'Open live streams.', gauges.streams);
      const { connections } = gauges;
      if (connections) {
        gauge('svc_database_connections_used', 'Connections in use.', () => connections().used);
        gauge('svc_database_connections_idle', 'Connections not in use.', () => connections().idle);
        gauge('svc_database_waiting', 'Work waiting for a connection.', () => connections().waiting);
      }
      return { contentType: registry.contentType, text: () => registry.metrics() };
    },
  };
}
