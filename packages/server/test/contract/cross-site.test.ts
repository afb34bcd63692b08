/**
 * Which requests count as coming from our own pages, for every endpoint that changes something by a cookie or sets one.
 * The bodies are invalid and the cookies unknown, so an accepted request fails later, with another code.
 */
import { operations, type Endpoint, type Operation } from '@svc/contract';
import { APP_ORIGIN, exchangeRaw, startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpointOf, send, sendRaw, targetOf, type Headers } from './calls.ts';

const API_ORIGIN = 'http://api.svc.test';
const EVIL = 'http://evil.test';
const COOKIE = { cookie: `svc_session=${'A'.repeat(43)}` };

let server: TestServer;

beforeAll(async () => {
  server = await startServer({ config: { apiBaseUrl: API_ORIGIN } });
});
afterAll(() => server.close());

type Row = readonly [title: string, headers: Headers, accepted: boolean];

const sameSite = (
  [
    ['no header and no cookie', {}, true],
    ['no header and a cookie', COOKIE, false],
    ['a cookie that is not ours', { cookie: 'theme=dark' }, true],
    ["the pages' origin", { ...COOKIE, origin: APP_ORIGIN }, true],
    ["the API's origin", { ...COOKIE, origin: API_ORIGIN }, true],
    ['another origin', { ...COOKIE, origin: EVIL }, false],
    ['another origin and no cookie', { origin: EVIL }, false],
    ['the origin null', { ...COOKIE, origin: 'null' }, false],
    ['the origin null and no cookie', { origin: 'null' }, false],
    ['an empty origin', { ...COOKIE, origin: '' }, false],
    ['our host under another scheme', { ...COOKIE, origin: APP_ORIGIN.replace('http:', 'https:') }, false],
    ['our host on another port', { ...COOKIE, origin: `${APP_ORIGIN}:8080` }, false],
    ['a host that begins with ours', { ...COOKIE, origin: `${APP_ORIGIN}.evil.test` }, false],
    ['a host that ends with ours', { ...COOKIE, origin: 'http://evilsvc.test' }, false],
    ['a host below ours', { ...COOKIE, origin: 'http://pages.svc.test' }, false],
    ['two origins', { ...COOKIE, origin: `${APP_ORIGIN}, ${EVIL}` }, false],
    ['a path behind our origin', { ...COOKIE, origin: `${APP_ORIGIN}/` }, false],
    ['a fetch of the same origin', { ...COOKIE, 'sec-fetch-site': 'same-origin' }, true],
    ['a fetch of the same site', { ...COOKIE, 'sec-fetch-site': 'same-site' }, false],
    ['a fetch across sites', { ...COOKIE, 'sec-fetch-site': 'cross-site' }, false],
    ['a fetch across sites and no cookie', { 'sec-fetch-site': 'cross-site' }, false],
    [
      'a fetch across sites from another origin',
      { ...COOKIE, 'sec-fetch-site': 'cross-site', origin: EVIL },
      false,
    ],
    ['a fetch across our own sites', { ...COOKIE, 'sec-fetch-site': 'same-site', origin: APP_ORIGIN }, true],
    ['a fetch by no site', { ...COOKIE, 'sec-fetch-site': 'none' }, false],
    ['a fetch by a site of an odd name', { ...COOKIE, 'sec-fetch-site': 'SAME-ORIGIN' }, false],
  ] satisfies Row[]
).map(([title, headers, accepted]) => ({ title, headers, accepted }));

/** An independent implementation, because the server uses the contract's function. */
function isGuarded({ method, credential, setsSession }: Endpoint): boolean {
  return method !== 'GET' && (setsSession === true || credential !== 'none') && credential !== 'device';
}

const guarded = operations.filter((operation) => isGuarded(endpointOf(operation)));
const unguarded = operations.filter((operation) => !isGuarded(endpointOf(operation)));

/** Unknown ids, and a body that matches no schema. */
function harmless(endpoint: Endpoint) {
  const params = { id: 'nothing', userId: 'nothing', token: 'nothing' };
  return { params, body: endpoint.body && { unknown: true } };
}

test.each(sameSite)('[D3] a request with $title is accepted by every endpoint: $accepted', async (given) => {
  const wrong: unknown[] = [];
  for (const operation of guarded) {
    const endpoint = endpointOf(operation);
    const { code } = await send(server, endpoint, harmless(endpoint), given.headers);
    if ((code === 'FORBIDDEN') === given.accepted) wrong.push([operation, code]);
  }
  expect(wrong).toEqual([]);
});

test('[D3] an endpoint that changes nothing by a cookie does not check the origin', async () => {
  const forbidden: Operation[] = [];
  for (const operation of unguarded) {
    const endpoint = endpointOf(operation);
    const headers = { ...COOKIE, origin: EVIL, 'sec-fetch-site': 'cross-site' };
    const { code } = await send(server, endpoint, harmless(endpoint), headers);
    if (code === 'FORBIDDEN') forbidden.push(operation);
  }
  expect(forbidden).toEqual([]);
});

/** Signs in from a browser that reached the service under another host. */
function logInAt(host: string, ...headers: string[]): string {
  const body = '{}';
  const lines = [
    'POST /api/v1/auth/login HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `Cookie: ${COOKIE.cookie}`,
    'Connection: close',
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

describe("the request's own host", () => {
  test.each([
    ['the same host', 'localhost:8787', 'http://localhost:8787', 422],
    ['another port', 'localhost:8787', 'http://localhost:8788', 403],
    ['another scheme', 'localhost:8787', 'https://localhost:8787', 403],
    ['another host', 'localhost:8787', EVIL, 403],
  ])('[D3] an origin with %s, compared with Host, is checked', async (_title, host, origin, status) => {
    const { answers } = await exchangeRaw(server.port, logInAt(host, `Origin: ${origin}`));
    expect(answers.map((answer) => answer.status)).toEqual([status]);
  });

  test('[D3] the scheme from a proxy counts only when a proxy is trusted', async () => {
    const request = logInAt(
      'reports.internal',
      'Origin: https://reports.internal',
      'X-Forwarded-Proto: https',
    );
    const untrusted = await exchangeRaw(server.port, request);
    expect(untrusted.answers[0]?.status).toBe(403);
    await using behindProxy = await startServer({ config: { trustedProxyHops: 1 } });
    const trusted = await exchangeRaw(behindProxy.port, request);
    expect(trusted.answers[0]?.status).toBe(422);
  });

  test('[T6] the host in a forwarding header does not count', async () => {
    const forwarded = [`X-Forwarded-Host: evil.test`, 'Forwarded: host=evil.test', `Origin: ${EVIL}`];
    const { answers } = await exchangeRaw(server.port, logInAt('svc.test', ...forwarded));
    expect(answers[0]?.status).toBe(403);
  });

  test('[D3] two Origin headers count as a foreign one', async () => {
    const origins = [`Origin: ${APP_ORIGIN}`, `Origin: ${EVIL}`];
    const { answers } = await exchangeRaw(server.port, logInAt('svc.test', ...origins));
    expect(answers[0]?.status).toBe(403);
  });
});

test('[D3] scripts of other sites get no access through CORS', async () => {
  for (const operation of operations) {
    const endpoint = endpointOf(operation);
    const headers = { origin: EVIL, 'access-control-request-method': endpoint.method };
    for (const method of ['OPTIONS', endpoint.method]) {
      const answer = await sendRaw(server, method, targetOf(endpoint, harmless(endpoint)), { headers });
      const offered = [...answer.headers.keys()].filter(
        (name) => name.startsWith('access-control-') || name === 'vary',
      );
      expect(offered).toEqual([]);
    }
  }
});
