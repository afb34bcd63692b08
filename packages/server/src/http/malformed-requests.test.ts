/**
 * Malformed requests, as bytes. The service gives each one complete response. When it is unclear what the next bytes
 * mean, the connection ends after that response.
 */
import { errors, type ErrorCode } from '@svc/contract';
import { connectRaw, exchangeRaw, outcomesOf, type RawAnswer } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { describe, expect, test } from 'vitest';

const server = sharedServer();

const HOST = 'Host: svc.test\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const CLOSE = 'Connection: close\r\n';
/** What an attacker wants answered: a second request within what may be the first one's body. */
const SMUGGLED = `GET /api/v1/health HTTP/1.1\r\n${HOST}\r\n`;

const get = (headers: string, target = '/api/v1/health', version = 'HTTP/1.1') =>
  `GET ${target} ${version}\r\n${headers}\r\n`;
const post = (headers: string, body: string) =>
  `POST /api/v1/auth/logout HTTP/1.1\r\n${HOST}${JSON_TYPE}${headers}\r\n${body}`;

function header(answer: RawAnswer, name: string): string {
  const value = answer.headers[name];
  expect(typeof value).toBe('string');
  return String(value);
}

/** Checks that the error response is complete, whichever part of the service wrote it. */
function expectRejection(answer: RawAnswer | undefined, status: number, code: ErrorCode): void {
  if (!answer) throw new Error('no response');
  expect(answer.status).toBe(status);
  expect(errors[code].statuses ?? [errors[code].status]).toContain(status);
  expect(header(answer, 'cache-control')).toBe('private, no-store, must-revalidate');
  expect(header(answer, 'content-type')).toBe('application/json; charset=utf-8');
  expect(header(answer, 'x-content-type-options')).toBe('nosniff');
  expect(header(answer, 'connection')).toBe('close');
  expect(header(answer, 'content-length')).toBe(String(Buffer.byteLength(answer.body)));
  expect(Number.isNaN(Date.parse(header(answer, 'date')))).toBe(false);
  const { error } = JSON.parse(answer.body) as { error: Record<string, unknown> };
  expect(error).toEqual({ code, message: expect.any(String), requestId: header(answer, 'x-request-id') });
}

type Case = readonly [title: string, request: string, status?: number];

const unreadable: Case[] = [
  ['no HTTP at all', 'GARBAGE\r\n\r\n'],
  ['the first bytes of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ["a proxy's own preface", `PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n${SMUGGLED}`],
  ['a nonstandard method', `BREW /api/v1/health HTTP/1.1\r\n${HOST}\r\n`],
  ['a method in lower case', `get /api/v1/health HTTP/1.1\r\n${HOST}\r\n`],
  ['lines that end in a bare LF', 'GET /api/v1/health HTTP/1.1\nHost: svc.test\n\n'],
  ['no version', `GET /api/v1/health\r\n${HOST}\r\n`],
  ['version 0.9', get(HOST, '/api/v1/health', 'HTTP/0.9')],
  ['version 2.0 in the form of 1.1', get(HOST, '/api/v1/health', 'HTTP/2.0')],
  ['version 1.2', get(HOST, '/api/v1/health', 'HTTP/1.2')],
  ['a NUL in the target', get(HOST, '/api/v1/\u0000')],
  ['a byte beyond ASCII in the target', get(HOST, '/api/v1/\u00ff')],
  ['a space in the target', get(HOST, '/api/v1/he alth')],
  ['a fragment in the target', get(HOST, '/api/v1/health#part')],
  ['an absolute target', get(HOST, 'http://svc.test/api/v1/health')],
  ['an absolute target of another host', get(HOST, 'http://elsewhere.test/api/v1/health')],
  ['an authority as target of GET', get(HOST, 'svc.test:80')],
  ['a header without a colon', get(`${HOST}bad header\r\n`)],
  ['a space before the colon', get(`${HOST}X-Name : value\r\n`)],
  ['an empty header name', get(`${HOST}: value\r\n`)],
  ['a folded header', get(`${HOST}X-Name: one\r\n two\r\n`)],
  ['a NUL in a header', get(`${HOST}X-Name: \u0000\r\n`)],
  ['a bare CR in a header', get(`${HOST}X-Name: a\rb\r\n`)],
  ['two Host headers', get(`${HOST}Host: svc.test\r\n`)],
  ['two Host headers that differ', get(`${HOST}hOST: elsewhere.test\r\n`)],
  ['no Host header', get('')],
  ['a Host with a path', get('Host: svc.test/../elsewhere\r\n')],
  ['a Host with a user', get('Host: user@svc.test\r\n')],
  ['a list as Host', get('Host: svc.test, elsewhere.test\r\n')],
  ['a Host with a space', get('Host: svc.test elsewhere.test\r\n')],
];

const framing: Case[] = [
  [
    'a length and a transfer coding',
    post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
  ],
  [
    'a transfer coding and a length',
    post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'),
  ],
  ['two lengths that differ', post('Content-Length: 2\r\nContent-Length: 40\r\n', '{}')],
  ['two equal lengths', post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}')],
  ['a list as length', post('Content-Length: 2, 2\r\n', '{}')],
  ['a negative length', post('Content-Length: -2\r\n', '{}')],
  ['a length with a sign', post('Content-Length: +2\r\n', '{}')],
  ['a length in hexadecimal', post('Content-Length: 0x2\r\n', '{}')],
  ['a length too large for a number', post('Content-Length: 99999999999999999999\r\n', '{}')],
  ['an empty length', post('Content-Length: \r\n', '{}')],
  ['a transfer coding of another kind', post('Transfer-Encoding: gzip\r\n', '{}')],
  [
    'chunked beneath another coding',
    post('Transfer-Encoding: chunked, identity\r\n', '2\r\n{}\r\n0\r\n\r\n'),
  ],
  ['another coding beneath chunked', post('Transfer-Encoding: gzip, chunked\r\n', '2\r\n{}\r\n0\r\n\r\n')],
  [
    'chunked twice',
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'),
  ],
  ['chunked behind a vertical tab', post('Transfer-Encoding: \u000bchunked\r\n', '2\r\n{}\r\n0\r\n\r\n')],
  [
    'a space before the colon of Transfer-Encoding',
    post('Transfer-Encoding : chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'),
  ],
  ['a chunk size that is not a number', post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n')],
  ['a chunk size with a sign', post('Transfer-Encoding: chunked\r\n', '+2\r\n{}\r\n0\r\n\r\n')],
  [
    'a chunk size too large for a number',
    post('Transfer-Encoding: chunked\r\n', `${'f'.repeat(20)}\r\n{}\r\n0\r\n\r\n`),
  ],
  ['a chunk longer than its declared size', post('Transfer-Encoding: chunked\r\n', '2\r\n{}XX0\r\n\r\n')],
  ['a chunk that ends in a bare LF', post('Transfer-Encoding: chunked\r\n', '2\n{}\n0\n\n')],
  [
    'endless chunk extensions',
    post('Transfer-Encoding: chunked\r\n', `2;${'a'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`),
    413,
  ],
  [
    'chunked in HTTP/1.0',
    `POST /api/v1/auth/logout HTTP/1.0\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ],
];

const tooLarge: Case[] = [
  ['a header of 20 kB', get(`${HOST}X-Name: ${'a'.repeat(20_000)}\r\n`), 431],
  ['three thousand headers', get(HOST + 'X: a\r\n'.repeat(3000)), 431],
  ['a target of 20 kB', get(HOST, `/api/v1/${'a'.repeat(20_000)}`), 431],
  ['a query of 20 kB', get(HOST, `/api/v1/health?${'a'.repeat(20_000)}`), 431],
  ['a cookie of 20 kB', get(`${HOST}Cookie: svc_session=${'a'.repeat(20_000)}\r\n`), 431],
];

const unexpected: Case[] = [
  ['an unknown expectation', post('Expect: 200-maybe\r\nContent-Length: 2\r\n', '{}'), 417],
  [
    'an expectation beside the known one',
    post('Expect: 100-continue, more\r\nContent-Length: 2\r\n', '{}'),
    417,
  ],
];

const rejected = [...unreadable, ...framing, ...tooLarge, ...unexpected].map(
  ([title, request, status = 400]) => ({ title, request, status }),
);

describe('malformed requests', () => {
  test.each(rejected)('[T23] $title: one rejection, and the connection ends', async ({ request, status }) => {
    const exchange = await exchangeRaw(server.port, request + SMUGGLED);
    expect(exchange.answers).toHaveLength(1);
    expectRejection(exchange.answers[0], status, 'BAD_REQUEST');
    expect(exchange).toMatchObject({ rest: '', continues: 0 });
  });

  test.each([
    ['an unknown expectation', post('Expect: 200-maybe\r\nContent-Length: 2\r\n', '{}'), 417, 'BAD_REQUEST'],
    ['CONNECT', `CONNECT svc.test:80 HTTP/1.1\r\n${HOST}\r\n`, 404, 'NOT_FOUND'],
    ['a header flood', get(`${HOST}X-Name: ${'a'.repeat(20_000)}\r\n`), 431, 'BAD_REQUEST'],
  ] as const)(
    '[T23] %s after a valid request is rejected after the response to the valid one',
    async (_title, request, status, code) => {
      const exchange = await exchangeRaw(server.port, SMUGGLED + SMUGGLED + request + SMUGGLED);
      expect(exchange.answers.map((answer) => answer.status)).toEqual([200, 200, status]);
      expectRejection(exchange.answers[2], status, code);
      expect(exchange.rest).toBe('');
    },
  );

  test('[T23] an unknown expectation of HEAD is rejected without a body', async () => {
    const exchange = await exchangeRaw(
      server.port,
      `HEAD /api/v1/health HTTP/1.1\r\n${HOST}Expect: x\r\n\r\n`,
    );
    expect(exchange.answers).toMatchObject([{ status: 417, body: '' }]);
    expect(exchange.rest).toBe('');
  });

  test('[T23] a malformed second request does not affect the response to the first', async () => {
    const exchange = await exchangeRaw(server.port, `${SMUGGLED}GARBAGE\r\n\r\n${SMUGGLED}`);
    expect(exchange.answers.map(({ status }) => status)).toEqual([200, 400]);
    expectRejection(exchange.answers[1], 400, 'BAD_REQUEST');
    expect(exchange.rest).toBe('');
  });

  test.each([
    ['a header flood', 'X-Name: y\r\n'.repeat(60_000), ['431 BAD_REQUEST']],
    ['garbage', 'GARBAGE\r\n\r\n'.repeat(40_000), ['400 BAD_REQUEST']],
  ])(
    '[T23] a client that sends %s may finish sending, so that no reset keeps it from reading the rejection',
    async (_title, rest, outcomes) => {
      await using connection = await connectRaw(server.port);
      await connection.send(`GET /api/v1/health HTTP/1.1\r\n${HOST}${rest}`);
      expect(outcomesOf(await connection.untilClosed())).toEqual(outcomes);
      for (let sent = 0; sent < 20; sent += 1) await connection.send(rest);
      connection.end();
      expect(await connection.closing).toBe('complete');
    },
  );

  test('[T23] pipelined requests are answered in their order', async () => {
    await using connection = await connectRaw(server.port);
    await connection.send(
      SMUGGLED + SMUGGLED.replace('health', 'nothing') + SMUGGLED.replace('\r\n\r\n', `\r\n${CLOSE}\r\n`),
    );
    const { answers } = await connection.untilClosed();
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
    expect(new Set(answers.map((answer) => header(answer, 'x-request-id'))).size).toBe(3);
  });

  test('[T23] the service continues after a thousand malformed requests', async () => {
    for (let round = 0; round < 1000 / rejected.length; round += 1) {
      await Promise.all(rejected.map(({ request }) => exchangeRaw(server.port, request)));
    }
    expect((await server.anonymous.api.getHealth()).ok).toBe(true);
  });
});

describe('unknown methods and targets', () => {
  const methods = [
    'TRACE',
    'OPTIONS',
    'PROPFIND',
    'PUT',
    'QUERY',
    'LOCK',
    'PURGE',
    'POST',
    'DELETE',
    'SEARCH',
  ];
  const targets = ['/api/v1/health', '/api/v1/nothing', '/', '/.well-known/security.txt'];
  const pairs = methods.flatMap((method) => targets.map((target) => [method, target] as const));

  async function rejectionsOf(request: string): Promise<string[]> {
    const exchange = await exchangeRaw(server.port, request);
    for (const answer of exchange.answers) expectRejection(answer, answer.status, 'NOT_FOUND');
    expect(exchange.rest).toBe('');
    return outcomesOf(exchange);
  }
  const notFound = ['404 NOT_FOUND'];

  test.each(pairs)('[D2] %s %s returns NOT_FOUND', async (method, target) => {
    const request = `${method} ${target} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`;
    expect(await rejectionsOf(request)).toEqual(notFound);
  });

  test('[D2] CONNECT returns NOT_FOUND and opens no tunnel', async () => {
    const request = `CONNECT svc.test:80 HTTP/1.1\r\n${HOST}\r\n${SMUGGLED}`;
    expect(await rejectionsOf(request)).toEqual(notFound);
  });

  test.each(['OPTIONS', 'GET', 'HEAD'])('[D2] %s for the whole server returns NOT_FOUND', async (method) => {
    const { answers } = await exchangeRaw(server.port, `${method} * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
    expect(answers.map(({ status }) => status)).toEqual([404]);
  });

  test('[T23] TRACE repeats nothing of the request', async () => {
    const request = `TRACE /api/v1/health HTTP/1.1\r\n${HOST}Cookie: svc_session=canary\r\n${CLOSE}\r\n`;
    const { answers } = await exchangeRaw(server.port, request);
    expect(JSON.stringify(answers)).not.toContain('canary');
  });

  test.each([
    ['a broken percent sign', '/api/v1/%zz'],
    ['a broken percent sign in an id', '/api/v1/sessions/%zz'],
    ['half a character', '/api/v1/sessions/%ff'],
    ['a slash at the end', '/api/v1/health/'],
    ['two slashes at the start', '//api/v1/health'],
    ['steps back', '/api/v1/../v1/health'],
    ['encoded parent folders', '/api/v1/nothing/%2e%2e/health'],
    ['an encoded slash', '/api/v1%2fhealth'],
    ['another case', '/API/v1/Health'],
    ['a path parameter', '/api/v1/health;version=1'],
    ['another version', '/api/v2/health'],
    ['nothing but the prefix', '/api/v1'],
  ])('[D2] a target with %s returns NOT_FOUND', async (_title, target) => {
    expect(await rejectionsOf(get(HOST + CLOSE, target))).toEqual(notFound);
  });

  test('[D2] a method in a header does not count', async () => {
    const override = 'X-HTTP-Method-Override: GET\r\nX-Method-Override: GET\r\n';
    const request = `POST /api/v1/session HTTP/1.1\r\n${HOST}${override}${CLOSE}\r\n`;
    expect(await rejectionsOf(request)).toEqual(notFound);
  });

  test('[D2] an unknown route is rejected before its media type is checked', async () => {
    for (const type of ['???', 'text/plain', 'application/json; charset=utf-16', '/', ';']) {
      const headers = `${HOST}Content-Type: ${type}\r\nContent-Length: 2\r\n${CLOSE}`;
      const request = `POST /api/v1/nothing HTTP/1.1\r\n${headers}\r\n{}`;
      expect(await rejectionsOf(request)).toEqual(notFound);
    }
  });
});

describe('unusual but valid requests', () => {
  test.each([
    ['HTTP/1.0 without a Host', 'GET /api/v1/health HTTP/1.0\r\n\r\n'],
    [
      'an offer to upgrade, which is ignored',
      get(`${HOST}Connection: upgrade, close\r\nUpgrade: websocket\r\n`),
    ],
    ['an empty line before the request', `\r\n${get(HOST + CLOSE)}`],
    ['a percent-encoded letter', get(HOST + CLOSE, '/api/v1/%68ealth')],
    [
      'a chunk with extensions',
      post(`Transfer-Encoding: chunked\r\n${CLOSE}`, '2;name=value\r\n{}\r\n0\r\n\r\n'),
    ],
    [
      'a trailer',
      post(`Transfer-Encoding: chunked\r\n${CLOSE}`, '2\r\n{}\r\n0\r\nCookie: svc_session=x\r\n\r\n'),
    ],
    ['the coding in capitals', post(`Transfer-Encoding: CHUNKED\r\n${CLOSE}`, '2\r\n{}\r\n0\r\n\r\n')],
    ['a length of zero', post(`Content-Length: 0\r\n${CLOSE}`, '')],
    ['an empty object with GET', get(`${HOST}${JSON_TYPE}Content-Length: 2\r\n${CLOSE}`).concat('{}')],
  ])('[D2] the service answers %s', async (_title, request) => {
    const { answers, rest } = await exchangeRaw(server.port, request);
    expect(answers.map(({ status }) => status)).toEqual([200]);
    expect(rest).toBe('');
  });

  test.each([
    ['[]', JSON_TYPE, 422, 'VALIDATION_FAILED'],
    ['{"a":1}', JSON_TYPE, 422, 'VALIDATION_FAILED'],
    ['{', JSON_TYPE, 400, 'BAD_REQUEST'],
    ['{}', '', 415, 'BAD_REQUEST'],
  ] as const)('[D2] GET with the body %s and "%s" returns %i', async (body, type, status, code) => {
    const request = get(`${HOST}${type}Content-Length: ${body.length}\r\n${CLOSE}`) + body;
    const { answers } = await exchangeRaw(server.port, request);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({ status });
    expect(answers[0]?.body).toContain(code);
  });
});
