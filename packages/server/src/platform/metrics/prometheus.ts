/** Metrics for Prometheus. Loaded only if METRICS_TOKEN is set. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { shownMethod, type Exposition, type Gauges, type Metrics } from './metrics.ts';

/** Seconds: from a cached share to an upload over a slow line. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const CALL_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** A dependency that has not answered by then counts as failing, so that the metrics themselves are not late. */
const CHECK_MS_MAX = 3000;

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
  // The label is not `job`, which Prometheus adds to every series.
  const jobs = new Histogram({
    name: 'svc_job_duration_seconds',
    help: 'Runs of background jobs. The result elsewhere means that another replica was running the job.',
    labelNames: ['job_name', 'result'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const jobEnds = new Gauge({
    name: 'svc_job_last_success_timestamp_seconds',
    help: 'When this replica last finished a job without an error.',
    labelNames: ['job_name'],
    registers,
  });
  const calls = new Histogram({
    name: 'svc_dependency_call_duration_seconds',
    help: 'Calls of the database, the blob store and the rate-limit counters.',
    labelNames: ['dependency', 'operation', 'result'],
    buckets: CALL_BUCKETS,
    registers,
  });
  const tasks = new Histogram({
    name: 'svc_worker_task_duration_seconds',
    help: 'Tasks of worker threads, without the time that they waited.',
    labelNames: ['pool', 'result'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const waiting = new Gauge({
    name: 'svc_capacity_waiting',
    help: 'Work that waits for free capacity.',
    labelNames: ['capacity'],
    registers,
  });
  const rejections = new Counter({
    name: 'svc_capacity_rejections_total',
    help: 'Work rejected because too much was waiting for capacity, or because it had waited too long.',
    labelNames: ['capacity'],
    registers,
  });
  const throttled = new Counter({
    name: 'svc_throttle_rejections_total',
    help: 'Calls that a rate limit rejected.',
    labelNames: ['throttle'],
    registers,
  });
  const spans = new Counter({
    name: 'svc_trace_spans_total',
    help: 'Spans sent to the collector, lost because sending failed, or dropped because too many were waiting.',
    labelNames: ['result'],
    registers,
  });
  new Gauge({ name: 'svc_build_info', help: 'Always 1.', labelNames: ['version'], registers }).set(
    { version },
    1,
  );

  for (const result of ['exported', 'failed', 'dropped']) spans.inc({ result }, 0);

  return {
    metrics: {
      request({ method, route = 'unknown', status, seconds }) {
        requests.observe({ method: shownMethod(method), route, status: status ?? 0 }, seconds);
      },
      job(name, result, seconds) {
        jobs.observe({ job_name: name, result }, seconds);
        if (result === 'done') jobEnds.setToCurrentTime({ job_name: name });
      },
      // From the start, so that the first failure is an increase.
      expectJob: (name) => jobs.zero({ job_name: name, result: 'failed' }),
      call(dependency, operation, isOk, seconds) {
        calls.observe({ dependency, operation, result: resultOf(isOk) }, seconds);
      },
      task(pool, isOk, seconds) {
        tasks.observe({ pool, result: resultOf(isOk) }, seconds);
      },
      capacity(capacity) {
        // Known from the start, so that the first rejection is an increase.
        const [own, rejected] = [waiting.labels({ capacity }), rejections.labels({ capacity })];
        own.set(0);
        rejected.inc(0);
        return { waiting: (change) => own.inc(change), rejected: () => rejected.inc() };
      },
      throttled: (throttle) => throttled.inc({ throttle }),
      spans: (result, count) => spans.inc({ result }, count),
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
      gauge('svc_streams_max', 'The limit of open live streams.', () => gauges.streamsMax);
      const { connections } = gauges;
      if (connections) {
        gauge('svc_database_connections_used', 'Connections in use.', () => connections().used);
        gauge('svc_database_connections_idle', 'Connections not in use.', () => connections().idle);
        gauge('svc_database_connections_max', 'The limit of connections.', () => connections().max);
        gauge('svc_database_waiting', 'Work waiting for a connection.', () => connections().waiting);
      }
      addFileSystem(registers, gauges);
      addDependencies(registers, gauges);
      return { contentType: registry.contentType, text: () => registry.metrics() };
    },
  };
}

function resultOf(isOk: boolean): 'ok' | 'failed' {
  return isOk ? 'ok' : 'failed';
}

function addFileSystem(registers: Registry[], { fileSystem }: Gauges): Gauge {
  const size = new Gauge({
    name: 'svc_data_folder_size_bytes',
    help: 'The size of the file system with the data folder.',
    registers,
  });
  return new Gauge({
    name: 'svc_data_folder_free_bytes',
    help: 'Free space for the service on the file system with the data folder.',
    registers,
    async collect() {
      const { freeBytes, sizeBytes } = await fileSystem();
      this.set(freeBytes);
      size.set(sizeBytes);
    },
  });
}

function addDependencies(registers: Registry[], { dependencies }: Gauges): Gauge {
  return new Gauge({
    name: 'svc_dependency_up',
    help: 'Whether a dependency works: 1 or 0.',
    labelNames: ['dependency'],
    registers,
    async collect() {
      const set = async ([dependency, checked]: [string, { check(): Promise<void> }]) => {
        const isUp = await succeedsWithin(checked.check(), CHECK_MS_MAX);
        this.set({ dependency }, isUp ? 1 : 0);
      };
      await Promise.all(Object.entries(dependencies).map(set));
    },
  });
}

async function succeedsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  const succeeds = work.then(
    () => true,
    () => false,
  );
  const isUp = await Promise.race([succeeds, late]);
  clearTimeout(timer);
  return isUp;
}
