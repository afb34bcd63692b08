import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionError, createClient, UnexpectedAnswerError } from './index.ts';
import { createFakeClock, freePort, startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Simulates a proxy or another program at the service's address. */
async function startStranger(listener: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const stranger: Server = createServer(listener);
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const { port } = stranger.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      stranger.closeAllConnections();
      await new Promise((resolve) => stranger.close(resolve));
    },
  };
}

const answering = (status: number, body: string, headers: Record<string, string> = {}) =>
  startStranger((_request, response) => response.writeHead(status, headers).end(body));

describe('calls', () => {
  test.each(['', '/', '/api/v1', '/api/v1/'])('[D4] the base address may end in "%s"', async (end) => {
    const client = createClient({ baseUrl: server.url + end });
    expect(await client.getHealth()).toMatchObject({ ok: true, status: 200, body: { status: 'ok' } });
  });

  test('a success has its status and body', async () => {
    const person = await server.signUp();
    expect(await person.api.createWorkspace({ body: { name: 'Team' } })).toEqual({
      ok: true,
      status: 201,
      body: { workspaceId: expect.stringMatching(/^ws_/) },
    });
  });

  test('a rejection has its status, its error and the time to wait', async () => {
    // The clock stands still, because the second call exceeds the limit only within a second of the first.
    await using still = await startServer({ clock: createFakeClock() });
    const { publicRequestId } = await still.beginLink();
    const call = () => still.anonymous.api.getDeviceLinkStatus({ params: { id: publicRequestId } });
    expect(await call()).toMatchObject({
      ok: false,
      status: 409,
      error: { code: 'DEVICE_LINK_NOT_APPROVED' },
      retryAfterMs: null,
    });
    expect(await call()).toMatchObject({
      ok: false,
      status: 429,
      error: { code: 'RATE_LIMITED' },
      retryAfterMs: 1000,
    });
  });

  test('a rejection contains the issues and the request id as received', async () => {
    const rejected = await server.anonymous.api.logIn({ body: { email: 'no address', password: 'x' } });
    expect(rejected).toMatchObject({
      ok: false,
      status: 422,
      error: {
        code: 'VALIDATION_FAILED',
        requestId: expect.any(String),
        details: { issues: [{ path: '/email' }] },
      },
    });
  });

  test('a declared non-2xx response is a success and not a rejection', async () => {
    await using stranger = await answering(503, JSON.stringify({ status: 'unavailable', checks: {} }));
    const outcome = await createClient({ baseUrl: stranger.url }).getReady();
    expect(outcome).toMatchObject({ ok: true, status: 503, body: { status: 'unavailable' } });
  });

  test('the device token and the common headers are sent with every call', async () => {
    const person = await server.signUp();
    const device = await server.linkDevice(person);
    const byToken = createClient({ baseUrl: server.url, deviceToken: device.deviceToken });
    expect(await byToken.getCurrentDevice()).toMatchObject({
      body: { device: { deviceId: device.deviceId } },
    });
    const byCookie = createClient({ baseUrl: server.url, headers: { cookie: person.cookie } });
    expect(await byCookie.getSession()).toMatchObject({ body: { user: { email: person.email } } });
  });

  test('the query is sent without unset parameters', async () => {
    const seen: (string | undefined)[] = [];
    await using stranger = await startStranger((request, response) => {
      seen.push(request.url);
      response.end('{}');
    });
    const client = createClient({ baseUrl: stranger.url });
    await client.listProjects();
    await client.listProjects({ query: {} });
    await client.listProjects({ query: { workspaceId: 'a&b=c d/ü' } });
    expect(seen).toEqual([
      '/api/v1/projects',
      '/api/v1/projects',
      '/api/v1/projects?workspaceId=a%26b%3Dc+d%2F%C3%BC',
    ]);
  });

  test.each([
    '../../session',
    '..',
    '.',
    '',
    'a/b',
    '%2e%2e',
    '?x=1',
    '#x',
    'current',
    '\ud800',
    '\u0000',
    ' ',
  ])('[D2] the id %j cannot change the path, and gets the response for an unknown id', async (id) => {
    const seen: (string | undefined)[] = [];
    await using stranger = await startStranger((request, response) => {
      seen.push(request.url);
      response.end('{}');
    });
    await createClient({ baseUrl: stranger.url }).approveDeviceLink({ params: { id } });
    expect(seen).toEqual([expect.stringMatching(/^\/api\/v1\/device-links\/[^/?#]+\/approve$/)]);
    const person = await server.signUp();
    expect(await person.api.approveDeviceLink({ params: { id } })).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
    });
  });

  test('a body is sent as JSON, and an absent one is not sent', async () => {
    const seen: unknown[] = [];
    await using stranger = await startStranger((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        seen.push([request.method, request.headers['content-type'], body]);
        response.writeHead(body === '' ? 200 : 201).end('{}');
      });
    });
    const client = createClient({ baseUrl: stranger.url });
    await client.createWorkspace({ body: { name: 'Équipe' } });
    await client.logOut();
    expect(seen).toEqual([
      ['POST', 'application/json', '{"name":"Équipe"}'],
      ['POST', undefined, ''],
    ]);
  });

  test('the given fetch is used', async () => {
    const asked: unknown[] = [];
    const client = createClient({
      fetch: (input) => {
        asked.push(input);
        return Promise.resolve(Response.json({ status: 'ok', version: '1' }));
      },
    });
    expect(await client.getHealth()).toMatchObject({ ok: true });
    expect(asked).toEqual(['/api/v1/health']);
  });
});

describe('a call throws ConnectionError if', () => {
  test('nobody listens', async () => {
    const call = createClient({ baseUrl: `http://127.0.0.1:${await freePort()}` }).getHealth();
    await expect(call).rejects.toBeInstanceOf(ConnectionError);
    await expect(call).rejects.toMatchObject({ name: 'ConnectionError', cause: expect.any(Error) });
  });

  test('the connection ends before the response', async () => {
    await using stranger = await startStranger((request) => request.socket.destroy());
    await expect(createClient({ baseUrl: stranger.url }).getHealth()).rejects.toBeInstanceOf(ConnectionError);
  });

  test('the connection ends within the response', async () => {
    await using stranger = await startStranger((request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"status":', () => request.socket.destroy());
    });
    await expect(createClient({ baseUrl: stranger.url }).getHealth()).rejects.toBeInstanceOf(ConnectionError);
  });

  test('the caller aborts, before or during the call', async () => {
    const abort = new AbortController();
    await using stranger = await startStranger(() => abort.abort());
    const client = createClient({ baseUrl: stranger.url });
    await expect(client.getHealth({ signal: abort.signal })).rejects.toBeInstanceOf(ConnectionError);
    await expect(client.getHealth({ signal: AbortSignal.abort() })).rejects.toBeInstanceOf(ConnectionError);
  });
});

test('a custom reader parses the response, and its SyntaxError means a foreign response', async () => {
  await using stranger = await answering(200, '{"status":"ok"}');
  const read: unknown = { status: 'read' };
  const reading = (readJson: () => Promise<unknown>) => createClient({ baseUrl: stranger.url, readJson });
  expect(await reading(() => Promise.resolve(read)).getHealth()).toMatchObject({ ok: true, body: read });
  await expect(reading(() => Promise.reject(new SyntaxError('no'))).getHealth()).rejects.toMatchObject({
    name: 'UnexpectedAnswerError',
    status: 200,
  });
  await expect(reading(() => Promise.reject(new TypeError('cut'))).getHealth()).rejects.toBeInstanceOf(
    ConnectionError,
  );
});

describe('foreign responses', () => {
  const error = (code: unknown) => JSON.stringify({ error: { code, message: 'm', requestId: 'r' } });
  test.each([
    ['a page of a proxy', 502, '<html>Bad gateway</html>'],
    ['an empty body', 504, ''],
    ['a page in place of a success', 200, '<html>Sign in to the network</html>'],
    ['half of a response', 200, '{"status":'],
    ['JSON without an error', 500, '{}'],
    ['null', 500, 'null'],
    ['a text', 500, '"error"'],
    ['a list', 500, '[]'],
    ['an error that is null', 500, '{"error":null}'],
    ['an error that is a text', 500, '{"error":"INTERNAL"}'],
    ['a code of a newer service', 418, error('TEAPOT')],
    ['a code that is not text', 500, error(500)],
    ['a code that is a property of every object', 500, error('toString')],
    ['a status that the call does not have', 202, '{}'],
  ])('%s is distinguished from a rejection', async (_title, status, body) => {
    await using stranger = await answering(status, body);
    const call = createClient({ baseUrl: stranger.url }).getSession();
    await expect(call).rejects.toBeInstanceOf(UnexpectedAnswerError);
    await expect(call).rejects.toMatchObject({ name: 'UnexpectedAnswerError', status });
  });

  test.each([
    ['7', 7000],
    ['0', 0],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
    ['soon', null],
    ['-5', null],
    ['1e9', null],
    ['', null],
  ])('Retry-After: %s means %s', async (header, retryAfterMs) => {
    await using stranger = await answering(429, error('RATE_LIMITED'), { 'retry-after': header });
    const outcome = await createClient({ baseUrl: stranger.url }).logIn({
      body: { email: 'a@b', password: 'x' },
    });
    expect(outcome).toMatchObject({ ok: false, retryAfterMs });
  });
});
