import { once } from 'node:events';
import { request as requestOf, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { endpoints, type Endpoint } from '@svc/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#app-error';
import { preparedRoute } from '#http/route';
import { createHttpServer, type HttpServer } from '#http/server';
import { defaultTimeouts } from '#http/timeouts';
import { systemClock } from '#platform/clock';
import { createLog } from '#platform/log';
import { noTelemetry } from '#platform/telemetry/telemetry';
import { outgoingBudgets } from '#platform/outgoing-budgets';
import { systemTimers } from '#platform/timers';
import { codings, preparedText, type Coding, type Prepared } from '#prepared';

const TEXT = `{"text":"${'Käse & <b>'.repeat(500)}"}`;
const PLAIN = Buffer.from(TEXT);
const coded: Record<Coding, Uint8Array> = {
  identity: PLAIN,
  gzip: gzipSync(PLAIN),
  br: brotliCompressSync(PLAIN),
};
const decoded: Record<Coding, (bytes: Uint8Array) => Buffer> = {
  identity: (bytes) => Buffer.from(bytes),
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
};

let http: HttpServer;
let port: number;
let prepared: Prepared;
let asked: Coding[];

beforeAll(async () => {
  // Any endpoint without a credential; its handler returns what the test prepares.
  const endpoint: Endpoint = endpoints.getOpenApi;
  http = await createHttpServer([preparedRoute(endpoint, async () => prepared)], {
    lookup: {
      session: async () => null,
      device: async () => null,
      isAdministrator: async () => false,
      openSessions: async () => new Map(),
    },
    secure: false,
    signatures: null,
    ourOrigins: [],
    trustedProxyHops: 0,
    checkAnswers: false,
    timeouts: defaultTimeouts,
    reportBytesMax: 1024,
    appBaseUrl: 'http://localhost:1',
    apiBaseUrl: 'http://localhost:1',
    allowedHosts: [],
    log: createLog('error', { write: () => undefined }),
    bus: { subscribe: () => () => undefined },
    clock: systemClock,
    timers: systemTimers,
    telemetry: noTelemetry,
    metricsRoute: null,
    outgoingBudgets: outgoingBudgets(),
    pages: { register: () => undefined, sendNotFound: (reply) => reply, sendUnknownHost: (reply) => reply },
  });
  port = await http.listen('127.0.0.1', 0);
});
afterAll(() => http.close(0));
beforeEach(() => {
  asked = [];
  prepared = answerOf({});
});

function answerOf(given: Partial<Prepared>): Prepared {
  return {
    contentType: 'application/json; charset=utf-8',
    codings,
    async bytesIn(coding) {
      asked.push(coding);
      return coded[coding];
    },
    ...given,
  };
}

interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** The raw response, with its coding. */
async function ask(headers: Record<string, string> = {}, method = 'GET'): Promise<RawResponse> {
  const call = requestOf({ host: '127.0.0.1', port, path: '/api/v1/openapi.json', method, headers });
  call.end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) };
}

const codingOf = ({ headers }: RawResponse) => headers['content-encoding'] ?? 'identity';

describe('the coding', () => {
  test.each<[accepted: string, coding: Coding]>([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['identity', 'identity'],
    ['deflate', 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate, br;q=0.9', 'gzip'],
    ['gzip;q=0.1, br;q=0.2', 'br'],
    ['br;q=0.1, gzip;q=1.0', 'gzip'],
    ['identity, br;q=0.5, gzip;q=0.5', 'identity'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['*;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    ['gzip;q=x, ;;;, =, br;q=-1', 'identity'],
    ['xgzip, gzipx', 'identity'],
  ])('[D2] for %j is %s', async (accepted, coding) => {
    const answer = await ask({ 'accept-encoding': accepted });
    expect([codingOf(answer), asked]).toEqual([coding, [coding]]);
    expect(decoded[coding](answer.bytes)).toEqual(PLAIN);
    expect(answer.headers['content-length']).toBe(String(coded[coding].length));
  });

  test('[D2] is absent without Accept-Encoding', async () => {
    const answer = await ask();
    expect(codingOf(answer)).toBe('identity');
    expect(answer.bytes).toEqual(PLAIN);
  });

  test('[D2] is absent for a response that has no coding, such as a short text', async () => {
    prepared = preparedText('{"a":"ä"}');
    const answer = await ask({ 'accept-encoding': 'br, gzip, *' });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.bytes.toString()).toBe('{"a":"ä"}');
  });

  test('[D2] is one in which the response is available', async () => {
    prepared = answerOf({ codings: ['gzip', 'identity'] });
    expect(codingOf(await ask({ 'accept-encoding': 'br, gzip;q=0.5' }))).toBe('gzip');
    expect(codingOf(await ask({ 'accept-encoding': 'br' }))).toBe('identity');
  });
});

test('[D2] a large response is complete, and HEAD returns its length', async () => {
  const large = new Uint8Array(3_000_001).map((_, at) => at % 251);
  prepared = answerOf({ codings: ['identity'], bytesIn: async () => large });
  const [get, head] = [await ask(), await ask({}, 'HEAD')];
  expect(Buffer.compare(get.bytes, large)).toBe(0);
  expect([get.headers['content-length'], head.headers['content-length']]).toEqual(['3000001', '3000001']);
  expect(get.headers).not.toHaveProperty('transfer-encoding');
});

test('[D2] HEAD returns what GET returns, in every coding, without the body', async () => {
  prepared = answerOf({ fileName: 'report.json' });
  for (const accepted of ['br', 'gzip', 'identity']) {
    const [get, head] = [
      await ask({ 'accept-encoding': accepted }),
      await ask({ 'accept-encoding': accepted }, 'HEAD'),
    ];
    const comparable = ({ status, headers }: RawResponse) => [
      status,
      { ...headers, 'x-request-id': undefined, date: undefined },
    ];
    expect(comparable(head)).toEqual(comparable(get));
    expect(head.headers['content-length']).toBe(String(get.bytes.length));
    expect(head.bytes).toHaveLength(0);
  }
});

test('[D2] bytes at any offset of their buffer are sent unchanged', async () => {
  const around = new Uint8Array(3000).fill(88);
  around.set(Buffer.from('{"mid":1}'), 1000);
  prepared = answerOf({ bytesIn: async () => around.subarray(1000, 1009), codings: ['identity'] });
  expect((await ask()).bytes.toString()).toBe('{"mid":1}');
  prepared = answerOf({ bytesIn: async () => new Uint8Array(0) });
  expect((await ask()).headers['content-length']).toBe('0');
});

describe('the headers', () => {
  test('[D2] name Accept-Encoding in Vary, and are otherwise those of every response', async () => {
    for (const accepted of ['br', 'identity']) {
      const { headers } = await ask({ 'accept-encoding': accepted });
      expect(headers).toMatchObject({
        vary: 'accept-encoding',
        'cache-control': 'private, no-store, must-revalidate',
        'content-type': 'application/json; charset=utf-8',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
      for (const absent of ['etag', 'last-modified', 'expires', 'content-disposition', 'accept-ranges'])
        expect(headers).not.toHaveProperty(absent);
    }
  });

  test('[D2] no request header leads to a 304 or a partial response', async () => {
    const conditions = {
      'if-none-match': '*',
      'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT',
      range: 'bytes=0-9',
    };
    const answer = await ask(conditions);
    expect([answer.status, answer.bytes.length]).toEqual([200, PLAIN.length]);
    expect(answer.headers).not.toHaveProperty('content-range');
  });

  test('[T12] a file is downloaded under its name, and runs nothing in a browser that opens it', async () => {
    prepared = answerOf({ contentType: 'text/html; charset=utf-8', fileName: 'report-shop-2026-03-04.html' });
    const { headers } = await ask();
    expect(headers['content-disposition']).toBe('attachment; filename="report-shop-2026-03-04.html"');
    const directives = String(headers['content-security-policy']).split('; ');
    expect(directives).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        'sandbox',
      ]),
    );
    expect(directives.some((directive) => directive.startsWith('script-src'))).toBe(false);
  });

  test.each(['a"b.html', 'a\r\nset-cookie: b=c.html', 'ä.html', 'a;b\\.html'])(
    '[T12] no file name breaks out of its header: %j',
    async (fileName) => {
      prepared = answerOf({ fileName });
      const { status, headers } = await ask();
      expect(status).toBe(200);
      expect(headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+"$/);
      expect(headers).not.toHaveProperty('set-cookie');
    },
  );
});

test('[D2] a failed rendering is answered like any failure, without headers of a file', async () => {
  prepared = answerOf({
    fileName: 'report.html',
    bytesIn: () => Promise.reject(new AppError('RATE_LIMITED', { retryAfterMs: 2000 })),
  });
  const answer = await ask({ 'accept-encoding': 'br' });
  expect(answer.status).toBe(429);
  expect(answer.headers).toMatchObject({
    'retry-after': '2',
    'content-type': 'application/json; charset=utf-8',
  });
  for (const absent of ['content-disposition', 'content-encoding', 'vary'])
    expect(answer.headers).not.toHaveProperty(absent);
  expect(JSON.parse(answer.bytes.toString())).toMatchObject({ error: { code: 'RATE_LIMITED' } });
});
