/**
 * What leaves the service in traces, over every endpoint with inputs that succeed, are rejected or fail: route
 * templates, words of the code and numbers. Nothing identifies a person, a report or a request.
 */
import { randomBytes } from 'node:crypto';
import { operations, type Operation } from '@svc/contract';
import {
  columnsOf,
  finalizeWith,
  findingBody,
  reportBytes,
  createShell,
  shareOf,
  startCollector,
  type CollectedSpan,
  type Collector,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { bearer, cookie, endpointOf, inputOf, sampleOf, send, targetOf } from './calls.ts';
import { startSampleServer } from './samples.ts';

const MARK = 'canary';
const canary = (kind: string) => `${MARK}-${kind}-${randomBytes(9).toString('hex')}`;

/** Headers and a query that no endpoint reads. */
const noise = {
  headers: {
    'user-agent': canary('agent'),
    referer: `http://svc.test/${canary('referer')}`,
    'x-svc-share-password': canary('share-password'),
    'x-forwarded-for': '203.0.113.77',
    'x-request-id': canary('request-id'),
    traceparent: '00-c0ffee00c0ffee00c0ffee00c0ffee00-c0ffee00c0ffee00-01',
    tracestate: `svc=${canary('tracestate')}`,
    baggage: `user=${canary('baggage')}`,
  },
  query: { password: canary('query-password'), token: canary('query-token') },
};

let collector: Collector;
/** Values that are stored or that were in a request or a response. */
const secrets = new Set<string>([MARK, '127.0.0.1', '203.0.113', 'c0ffee', 'svc.test']);
const statuses = new Set<number>();
let exported = '';
let spans: readonly CollectedSpan[] = [];

beforeAll(async () => {
  collector = await startCollector();
  const { tracing } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const server = await startSampleServer({ tracing, metricsToken: 'a-token-for-the-metrics-of-tests' });
  try {
    await goThrough(server);
    await server.service.database.close();
    await failEverywhere(server);
  } finally {
    await server.close();
  }
  spans = collector.spans();
  exported = Buffer.concat(collector.bodies).toString('latin1');
});
afterAll(() => collector.close());

async function goThrough(server: TestServer): Promise<void> {
  const password = canary('password');
  const displayName = canary('name');
  const caller = await server.signUp({ password, displayName, email: `${canary('email')}@example.test` });
  const device = await server.linkDevice(caller, { deviceName: canary('device') });
  await shareMarkedReport(server, caller, device);
  const credentials = { ...cookie(caller.cookie), ...bearer(device.deviceToken) };
  const usesUp = (operation: Operation) => Number(sampleOf(operation).usesUpCaller ?? false);
  for (const operation of operations.toSorted((one, other) => usesUp(one) - usesUp(other))) {
    const endpoint = endpointOf(operation);
    const input = await inputOf(operation, caller, server);
    const given = { ...input, query: { ...noise.query, ...input.query } };
    for (const value of Object.values(input.params ?? {})) if (isTelling(value)) secrets.add(value);
    for (const headers of [
      { ...noise.headers, ...bearer(canary('bearer')) },
      { ...noise.headers, ...credentials },
    ])
      statuses.add((await send(server, endpoint, given, headers)).status);
    const rejected = { ...given, body: endpoint.body && { [canary('field')]: canary('value') } };
    statuses.add((await send(server, endpoint, rejected, credentials)).status);
    await server.anonymous.fetch(`${targetOf(endpoint, given)}/${canary('unknown')}`, {
      headers: noise.headers,
    });
  }
  for (const address of ['/link/', '/invitations/', '/s/', '/reports/', '/nothing/', '/api/v1/nothing/'])
    await server.anonymous.fetch(`${address}${canary('page')}?token=${canary('query')}`, {
      headers: { ...noise.headers, accept: 'text/html' },
    });
  for (const value of await columnsOf(server)) if (isTelling(value)) secrets.add(value);
}

/** A report with marks in every text, read through a share in every format. */
async function shareMarkedReport(
  server: TestServer,
  caller: Awaited<ReturnType<TestServer['signUp']>>,
  device: Awaited<ReturnType<TestServer['linkDevice']>>,
): Promise<void> {
  const { reportId, localReportId } = await createShell(device);
  const findings = [
    {
      ...findingBody(1),
      title: `A title that has a ${MARK} in it`,
      summary: `The summary of a report with a ${MARK}.`,
      affected: { component: `${MARK} api`, file: `src/${MARK}.ts`, lineStart: 1, lineEnd: 2 },
    },
  ];
  const body = reportBytes({ localReportId, findings, project: { name: `${MARK} project` } });
  await finalizeWith(device, reportId, body);
  const { slug } = await shareOf(caller, reportId, { label: canary('label') });
  secrets.add(slug).add(reportId).add(localReportId);
  for (const format of ['html', 'json', 'markdown', 'sarif']) {
    const answers = [
      await caller.fetch(`/api/v1/reports/${reportId}/export/${format}`, { headers: noise.headers }),
      await server.anonymous.fetch(`/api/v1/shares/slug/${slug}/export/${format}`, {
        headers: noise.headers,
      }),
    ];
    for (const answer of answers) statuses.add(answer.status);
  }
  await server.anonymous.fetch(`/s/${slug}`, { headers: { ...noise.headers, accept: 'text/html' } });
  await caller.fetch(`/reports/${reportId}`, { headers: { accept: 'text/html' } });
}

/** Calls every endpoint. The database is closed, so that errors of its driver reach the traces. */
async function failEverywhere(server: TestServer): Promise<void> {
  for (const operation of operations) {
    const params = { id: canary('id'), token: canary('token'), userId: canary('id') };
    const answer = await send(server, endpointOf(operation), { params }, bearer(canary('bearer')));
    statuses.add(answer.status);
  }
}

/** Whether a value has a telling length, and is neither a word from a list nor a number. Those could occur anywhere. */
function isTelling(value: string): boolean {
  return value.length >= 12 && value.length <= 1000 && /[^a-z_ ]/.test(value) && !/^[\d.-]*$/.test(value);
}

describe('traces', () => {
  test('[T18] of requests with responses of every kind contain no stored value and nothing of a request', () => {
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 401, 404, 422, 500]));
    expect(secrets.size).toBeGreaterThan(300);
    expect(exported).toContain('/api/v1/reports/:id');
    const spellings = (secret: string) => {
      const bytes = Buffer.from(secret, secret.includes('\u{80}') ? 'latin1' : 'utf8');
      return [
        secret,
        encodeURIComponent(secret),
        bytes.toString('base64').replace(/.=*$/, ''),
        bytes.toString('hex'),
        ...(/^[0-9a-f]{16,}$/.test(secret) ? [Buffer.from(secret, 'hex').toString('latin1')] : []),
      ];
    };
    const found = [...secrets].filter((secret) =>
      spellings(secret).some((spelling) => exported.includes(spelling)),
    );
    expect(found).toEqual([]);
  });

  test('[T18] have names and fields from lists in the code', () => {
    const shapes =
      /^(?:(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(?: (?:\/[a-z0-9.-]*|\/:\w+|\/\*)+)?|other|(?:SELECT|INSERT|UPDATE|DELETE|WITH|OTHER)(?: [a-z_]+)?|BEGIN|COMMIT|ROLLBACK|CONNECT|transaction|audit|rendering|body check|prepare projections|password (?:hash|verify)|worker [a-z ]+|(?:blobs|counters) \w+)$/;
    expect(spans.map(({ name }) => name).filter((name) => !shapes.test(name))).toEqual([]);
    const values: Readonly<Record<string, RegExp>> = {
      'http.request.method': /^(?:[A-Z]{3,7}|other)$/,
      'http.route': /^(?:\/[a-z0-9.-]*|\/:\w+|\/\*)+$/,
      'http.response.status_code': /^\d{3}$/,
      'error.type': /^[A-Z]\w{2,40}$/,
      'db.system.name': /^(?:sqlite|postgresql)$/,
      'db.operation.name': /^[A-Z]+$/,
      'db.collection.name': /^[a-z_]+$/,
      'svc.form': /^[A-Za-z]+$/,
      'svc.lane': /^(?:page|export) (?:small|medium|large)$/,
      'svc.waited_ms': /^[\d.e-]+$/,
      'svc.projection_ms': /^[\d.e-]+$/,
      'svc.rendering_ms': /^[\d.e-]+$/,
    };
    const wrong = spans.flatMap(({ attributes }) =>
      Object.entries(attributes).filter(([key, value]) => !values[key]?.test(String(value))),
    );
    expect(wrong).toEqual([]);
  });

  test('[T18] have no events, links, states or messages', () => {
    expect(spans.filter(({ isError }) => isError).length).toBeGreaterThan(0);
    for (const { others } of spans)
      expect(others).toEqual({ traceState: '', events: 0, links: 0, statusMessage: '' });
  });

  test('[T18] begin at the request, not at the trace that its headers name', () => {
    expect(spans.filter(({ traceId }) => traceId.startsWith('c0ffee'))).toEqual([]);
  });
});
