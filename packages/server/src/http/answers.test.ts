/** What every response has, for any request. */
import { endpoints, operations, type Endpoint } from '@svc/contract';
import { APP_ORIGIN, exchangeRaw, startServer, type SessionActor } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

let person: SessionActor;

const server = sharedServer();

beforeAll(async () => {
  person = await server.signUp();
});

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function ask(path: string, init: RequestInit = {}): Promise<Asked> {
  const response = await person.fetch(path, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Requests for every kind of response: endpoints, except those that end the session; pages; and unknown addresses. */
const kinds: (readonly [method: string, path: string])[] = [
  ...operations
    .filter((operation) => !['logOut', 'deleteAccount'].includes(operation))
    .map((operation): Endpoint => endpoints[operation])
    .map(({ method, path }) => [method, `/api/v1${path.replace(/\{\w+\}/g, 'nothing')}`] as const),
  ['GET', '/api/v1/nothing'],
  ['GET', '/api/v1/sessions/%zz'],
  ['PUT', '/api/v1/session'],
  ['OPTIONS', '/api/v1/session'],
  ['GET', '/nothing'],
  ['GET', '/'],
  ['GET', '/link/nothing'],
  ['GET', '/invitations/nothing'],
  ['GET', '/.well-known/security.txt'],
  ['GET', '/.well-known/change-password'],
  ['GET', '/.well-known/nothing'],
];

describe.each(kinds)('%s %s', (method, path) => {
  test(`[D2] ${method} ${path} has the headers of every response`, async () => {
    const { headers } = await ask(path, { method });
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'private, no-store, must-revalidate',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-type')).toMatch(/; charset=utf-8$/);
    for (const name of [
      'etag',
      'last-modified',
      'server',
      'x-powered-by',
      'vary',
      'expires',
      'access-control-allow-origin',
    ]) {
      expect([name, headers.get(name)]).toEqual([name, null]);
    }
  });

  test(`[D2] ${method} ${path} has a new request id each time, and never the client's`, async () => {
    const own = '00000000-0000-4000-8000-000000000000';
    const names = ['x-request-id', 'request-id', 'x-correlation-id', 'traceparent'];
    const answers = [
      await ask(path, { method }),
      await ask(path, { method, headers: Object.fromEntries(names.map((name) => [name, own])) }),
    ];
    const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '');
    for (const id of ids) expect(id).toMatch(UUID_V4);
    expect(new Set([...ids, own]).size).toBe(3);
    expect(answers.map(({ text }) => text).join('')).not.toContain(own);
  });
});

/** The requests that return the same twice in a row. */
const readable = kinds.filter(([method, path]) => method === 'GET' && !path.includes('status'));

describe.each(readable)('HEAD for %s %s', (_method, path) => {
  test(`[D2] HEAD ${path} returns what GET returns, without the body`, async () => {
    const credential = { cookie: person.cookie, origin: APP_ORIGIN };
    const lines = Object.entries(credential).map(([name, value]) => `${name}: ${value}\r\n`);
    const request = (method: string) =>
      `${method} ${path} HTTP/1.1\r\nHost: svc.test\r\nConnection: close\r\n${lines.join('')}\r\n`;
    const head = await exchangeRaw(server.port, request('HEAD'));
    const get = await exchangeRaw(server.port, request('GET'));
    const comparable = ({ answers }: typeof head) => {
      const { date, 'x-request-id': id, ...headers } = answers[0]?.headers ?? {};
      expect([typeof date, typeof id]).toEqual(['string', 'string']);
      return { status: answers[0]?.status, headers };
    };
    expect(comparable(head)).toEqual(comparable(get));
    expect(head).toMatchObject({ rest: '', answers: [{ body: '' }] });
    expect(get.answers[0]?.headers['content-length']).toBe(
      String(Buffer.byteLength(get.answers[0]?.body ?? '')),
    );
  });
});

describe('a conditional request', () => {
  test.each([
    ['if-none-match', '*'],
    ['if-modified-since', new Date(Date.now() + 86_400_000).toUTCString()],
    ['range', 'bytes=0-1'],
    ['accept', 'text/plain'],
    ['accept', 'application/xml;q=1, */*;q=0'],
    ['accept-encoding', 'gzip, br'],
    ['te', 'trailers'],
  ])('[D2] %s: %s changes nothing about a response of the API', async (name, value) => {
    const plain = await ask('/api/v1/session');
    const conditional = await ask('/api/v1/session', { headers: { [name]: value } });
    expect(conditional).toMatchObject({ status: 200, text: plain.text });
    expect(conditional.headers.get('content-encoding')).toBeNull();
  });
});

test('[D3] with an https address the service requires https for later requests, and restricts the cookie to it', async () => {
  await using secure = await startServer({ config: { appBaseUrl: 'https://svc.test' } });
  const response = await secure.anonymous.fetch('/api/v1/auth/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'secure@example.test', password: person.password }),
  });
  expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  const attributes = (response.headers.getSetCookie()[0] ?? '').split('; ').slice(1).toSorted();
  expect(attributes).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure']);
  const plain = await ask('/api/v1/health');
  expect(plain.headers.get('strict-transport-security')).toBeNull();
});
