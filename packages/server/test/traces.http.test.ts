import {
  bodyOf,
  shareOf,
  startCollector,
  startServer,
  syncReport,
  type CollectedSpan,
  type Collector,
  type TestServer,
  type TestServerOptions,
} from '@svc/testkit';
import { expect, test } from 'vitest';
import { readConfig, type Environment } from '../src/config.ts';

const METRICS_TOKEN = 'a-token-for-the-metrics-of-tests';
const TRACE = 'a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4';
const PARENT = 'b1b2c3d4a1b2c3d4';

/** A server that sends its traces to the collector. */
function tracedServer(
  collector: Pick<Collector, 'url'>,
  environment: Environment = {},
  options: TestServerOptions = {},
): Promise<TestServer> {
  const { tracing } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment });
  return startServer({ ...options, config: { tracing, metricsToken: METRICS_TOKEN } });
}

/** The spans of what the server did; it sends the last ones when it closes. */
async function spansOf(
  work: (server: TestServer) => Promise<void>,
  environment: Environment = {},
  options: TestServerOptions = {},
): Promise<{ spans: CollectedSpan[]; collector: Collector; logLines: readonly string[] }> {
  const collector = await startCollector();
  try {
    const server = await tracedServer(collector, environment, options);
    try {
      await work(server);
    } finally {
      await server.close();
    }
    return { spans: collector.spans(), collector, logLines: server.logLines };
  } finally {
    await collector.close();
  }
}

function rootOf(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const root = spans.findLast((span) => span.name === name);
  if (!root) throw new Error(`No span is named ${name}.`);
  return root;
}

/** The names of a span's descendants, each once. */
function namesBelow(spans: readonly CollectedSpan[], { spanId }: CollectedSpan): Set<string> {
  const children = spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  return new Set(children.flatMap((child) => [child.name, ...namesBelow(spans, child)]));
}

const linesOf = (logLines: readonly string[]) =>
  logLines.map((line) => JSON.parse(line) as Record<string, unknown>);

async function metricOf({ anonymous }: TestServer, line: string): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await anonymous.fetch('/metrics', { headers })).text();
  const found = text.split('\n').find((each) => each.startsWith(`${line} `));
  return Number(found?.split(' ').at(-1) ?? 0);
}

test('a trace shows what a request did: transactions, statements, hashes, blobs, renderings, the audit log', async () => {
  const { spans, collector } = await spansOf(async (server) => {
    const owner = await server.signUp();
    const device = await server.linkDevice(owner);
    const { reportId } = await syncReport(device, { sizeBytes: 200_000 });
    await shareOf(owner, reportId);
    await owner.fetch(`/api/v1/reports/${reportId}/export/html`);
  });
  const below = (name: string) => namesBelow(spans, rootOf(spans, name));
  const upload = rootOf(spans, 'PUT /api/v1/uploads/:uploadId');
  expect(upload.attributes).toEqual({
    'http.request.method': 'PUT',
    'http.route': '/api/v1/uploads/:uploadId',
    'http.response.status_code': 200,
  });
  expect([...namesBelow(spans, upload)]).toEqual(expect.arrayContaining(['worker body check', 'blobs put']));
  expect([...below('POST /api/v1/auth/signup')]).toEqual(
    expect.arrayContaining(['password hash', 'transaction', 'INSERT users', 'BEGIN', 'COMMIT']),
  );
  expect([...below('POST /api/v1/reports/:id/shares')]).toEqual(
    expect.arrayContaining(['audit', 'INSERT audit_log', 'INSERT shares']),
  );
  expect([...below('GET /api/v1/reports/:id/export/:format')]).toEqual(
    expect.arrayContaining(['rendering', 'worker rendering export medium', 'blobs get']),
  );
  const rendering = spans.find(({ attributes }) => attributes['svc.form'] === 'html');
  expect(Object.keys(rendering?.attributes ?? {})).toEqual([
    'svc.form',
    'svc.lane',
    'svc.waited_ms',
    'svc.projection_ms',
    'svc.rendering_ms',
  ]);
  expect(rendering?.attributes['svc.rendering_ms']).toBeGreaterThan(0);
  expect(
    spans.filter(({ name }) => name === 'prepare projections').map(({ parentSpanId }) => parentSpanId),
  ).toContain('');
  expect(collector.resource()).toMatchObject({ 'service.name': 'svc' });
  expect(Object.keys(collector.resource()).filter((key) => /^(?:host|process|os)\./.test(key))).toEqual([]);
});

test('log lines of a request have its trace, and responses do not', async () => {
  const { spans, logLines } = await spansOf(async (server) => {
    const answer = await server.anonymous.fetch('/api/v1/health', {
      headers: { traceparent: `00-${TRACE}-${PARENT}-01` },
    });
    expect([...answer.headers.keys()].filter((name) => /trace|baggage|timing/.test(name))).toEqual([]);
    await server.anonymous.post('/auth/login', {
      email: 'nobody@example.test',
      password: 'a wrong password',
    });
  });
  const { traceId } = rootOf(spans, 'GET /api/v1/health');
  const lines = linesOf(logLines);
  expect(lines.find(({ route }) => route === '/api/v1/health')?.['traceId']).toBe(traceId);
  const login = rootOf(spans, 'POST /api/v1/auth/login').traceId;
  const ofLogin = lines.filter((line) => line['traceId'] === login);
  expect(ofLogin.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['request', 'login failed']));
});

test('without a collector no line has a trace', async () => {
  await using server = await startServer();
  await server.anonymous.fetch('/api/v1/health');
  await expect.poll(() => linesOf(server.logLines).some(({ msg }) => msg === 'request')).toBe(true);
  expect(linesOf(server.logLines).filter((line) => 'traceId' in line)).toEqual([]);
});

test.each([
  ['ignored', undefined, '01', 1, false],
  ['accepted', 'accepted', '01', 1, true],
  ['accepted, but not sampled by its origin', 'accepted', '00', 0, false],
])('the trace context of a request is %s', async (_, mode, flags, count, isJoined) => {
  const { spans } = await spansOf(
    async (server) => {
      await server.anonymous.fetch('/api/v1/health', {
        headers: {
          traceparent: `00-${TRACE}-${PARENT}-${flags}`,
          tracestate: 'vendor=canary',
          baggage: 'user=canary',
        },
      });
    },
    { TRACE_CONTEXT: mode },
  );
  const found = spans.filter(({ name }) => name === 'GET /api/v1/health');
  expect(found).toHaveLength(count);
  for (const { traceId, parentSpanId, others } of found) {
    expect([traceId === TRACE, parentSpanId === PARENT]).toEqual([isJoined, isJoined]);
    expect(others.traceState).toBe('');
  }
});

test('the sampler, the name, the attributes and the headers are those of the standard variables', async () => {
  const work = async (server: TestServer) => {
    await server.anonymous.fetch('/api/v1/health');
  };
  expect((await spansOf(work, { OTEL_TRACES_SAMPLER: 'always_off' })).spans).toEqual([]);
  expect(
    (await spansOf(work, { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' })).spans,
  ).toEqual([]);
  const { collector, spans } = await spansOf(work, {
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '1.0',
    OTEL_SERVICE_NAME: 'reports',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-scope=svc',
  });
  expect(spans.length).toBeGreaterThan(0);
  expect(collector.resource()).toMatchObject({
    'service.name': 'reports',
    'deployment.environment.name': 'test',
  });
  expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer secret', 'x-scope': 'svc' });
});

test.each(['hang', 'down', { status: 500 }, { status: 400 }] as const)(
  'a collector that fails (%j) delays no request and no stop, and its losses are counted and logged',
  async (failure) => {
    await using collector = await startCollector(failure === 'down' ? 'hang' : failure);
    if (failure === 'down') await collector.close();
    const server = await tracedServer(collector);
    const owner = await server.signUp();
    for (let calls = 0; calls < 50; calls += 1) bodyOf(await owner.api.listWorkspaces());
    const began = performance.now();
    await server.close();
    // Two seconds for the last spans, and ten for the rest, which takes one second on an idle machine.
    expect(performance.now() - began).toBeLessThan(12_000);
    const losses = linesOf(server.logLines).filter(({ msg }) => msg === 'trace spans lost');
    expect(losses.length).toBeGreaterThan(0);
    expect(losses[0]).toMatchObject({ level: 'warn', reason: 'failed' });
    const lost = losses.reduce((sum, { spans }) => sum + Number(spans), 0);
    expect(lost).toBeGreaterThan(100);
  },
);

test('spans that the collector got are counted', async () => {
  await using collector = await startCollector();
  await using server = await tracedServer(collector);
  await server.anonymous.fetch('/api/v1/health');
  await expect
    .poll(() => metricOf(server, 'svc_trace_spans_total{result="exported"}'), { interval: 200 })
    .toBeGreaterThan(0);
});
