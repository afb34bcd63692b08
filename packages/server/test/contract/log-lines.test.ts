/**
 * What is logged for any request: one JSON object per line, with chosen fields only, and no secret from requests or
 * responses.
 */
import { randomBytes } from 'node:crypto';
import { operations, type Operation } from '@svc/contract';
import { connectRaw, exchangeRaw, startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearer, cookie, endpointOf, inputOf, sampleOf, send, targetOf } from './calls.ts';
import { startSampleServer } from './samples.ts';

const FIELDS = new Set([
  'level',
  'time',
  'msg',
  'requestId',
  'method',
  'route',
  'status',
  'code',
  'durationMs',
  'job',
  'userId',
  'addressDigest',
  'network',
  'setupTokenFile',
  'error',
]);

type Line = Record<string, unknown>;

function linesOf({ logLines }: TestServer): Line[] {
  return logLines.map((line) => JSON.parse(line) as Line);
}

/** Resolves once the log has a matching line. */
async function logged(server: TestServer, fits: (line: Line) => boolean): Promise<Line> {
  for (;;) {
    const found = linesOf(server).find(fits);
    if (found) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function expectCleanLines({ logLines }: TestServer): void {
  for (const line of logLines) {
    // One object per line, without a control character, escaped or not.
    expect(line).toMatch(/^\{[\u0020-\u007e]*\}\n$/);
    expect(line.replaceAll(/"stack":"(?:[^"\\]|\\.)*"/g, '')).not.toMatch(/\\[nrtbf]|\\u00|\\x/);
    expect(Object.keys(JSON.parse(line) as Line).filter((field) => !FIELDS.has(field))).toEqual([]);
  }
}

/** Secrets in the service's responses, from the fields that contain them. */
function secretsIn(text: string): string[] {
  const named = /"(?:deviceToken|recoveryCode|publicRequestId)":"([^"]+)"/g;
  const links = /\/(?:invitations|link)\/([0-9A-Za-z]{32})/g;
  return [...text.matchAll(named), ...text.matchAll(links)].map((match) => match[1] ?? '');
}

const canary = (kind: string) => `canary-${kind}-${randomBytes(9).toString('hex')}`;

/** Headers and a query that no endpoint reads. */
const noise = {
  headers: {
    'user-agent': canary('agent'),
    referer: `http://svc.test/${canary('referer')}`,
    'x-svc-share-password': canary('share-password'),
    'x-forwarded-for': canary('address'),
    'x-request-id': canary('request-id'),
    traceparent: canary('trace'),
  },
  query: { password: canary('query-password'), token: canary('query-token') },
};

let shared: TestServer;
beforeAll(async () => {
  shared = await startServer({ timeouts: { lingerMs: 200 } });
});
afterAll(() => shared.close());

describe('the log', () => {
  test('[T18] contains no secret of any request or response, whether it succeeds, is rejected or fails', async () => {
    await using sampleServer = await startSampleServer({ billingWebhookSecrets: [] });
    const password = canary('password');
    const caller = await sampleServer.signUp({ password, email: `${canary('email')}@example.test` });
    const device = await sampleServer.linkDevice(caller);
    const secrets = [
      password,
      caller.email,
      caller.cookie.slice(12),
      caller.recoveryCode,
      device.deviceToken,
    ];
    const credentials = { ...cookie(caller.cookie), ...bearer(device.deviceToken) };
    const usesUp = (operation: Operation) => Number(sampleOf(operation).usesUpCaller ?? false);
    const ordered = operations.toSorted((one, other) => usesUp(one) - usesUp(other));
    const statuses = new Set<number>();
    for (const operation of ordered) {
      const endpoint = endpointOf(operation);
      const input = await inputOf(operation, caller, sampleServer);
      const given = { ...input, query: { ...noise.query, ...input.query } };
      secrets.push(...Object.values(input.params ?? {}), ...textsIn(input.body));
      for (const headers of [
        { ...noise.headers, ...bearer(canary('bearer')) },
        { ...noise.headers, ...credentials },
      ]) {
        const answer = await send(sampleServer, endpoint, given, headers);
        statuses.add(answer.status);
        secrets.push(...secretsIn(answer.text), ...answer.headers.getSetCookie().map(tokenOf));
      }
      const rejected = await send(
        sampleServer,
        endpoint,
        { ...given, body: endpoint.body && { [canary('field')]: canary('value') } },
        credentials,
      );
      statuses.add(rejected.status);
      await abort(sampleServer, endpoint.method, targetOf(endpoint, given), canary('aborted'));
    }
    for (const address of ['/link/', '/invitations/', '/s/', '/reports/', '/nothing/', '/api/v1/nothing/'])
      await sampleServer.anonymous.fetch(`${address}${canary('page')}?token=${canary('query')}`);
    await sampleServer.service.database.close();
    for (const operation of operations) {
      const input = {
        params: { id: canary('id'), token: canary('token'), userId: canary('id') },
        body: { email: caller.email, password },
      };
      const endpoint = endpointOf(operation);
      const answer = await send(
        sampleServer,
        endpoint,
        endpoint.method === 'GET' ? { params: input.params } : input,
        credentials,
      );
      statuses.add(answer.status);
    }
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 401, 422, 500]));
    expectCleanLines(sampleServer);
    const log = sampleServer.logLines.join('');
    expect(log).not.toContain('canary');
    for (const secret of secrets.filter((text) => text.length > 12)) expect(log).not.toContain(secret);
  });

  test('[T18] names the route of an aborted request, and that it was aborted', async () => {
    const secret = canary('verifier');
    await using connection = await connectRaw(shared.port);
    await connection.send(
      `POST /api/v1/device-links/${canary('link')}/exchange HTTP/1.1\r\nHost: svc.test\r\nX-Secret: ${secret}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n',
    );
    // The body is being read from here on.
    await connection.until(1, 'continues');
    await connection.send(`{"verifier":"${secret}`);
    connection.abort();
    const line = await logged(shared, ({ code }) => code === 'ABORTED');
    expect(line).toMatchObject({ method: 'POST', route: '/api/v1/device-links/:id/exchange' });
    expectCleanLines(shared);
    expect(shared.logLines.join('')).not.toContain('canary');
  });

  test('[T22] contains no line break and no escape code from a request', async () => {
    const hostile = ['%0d%0a{"level":"error"}', '%1b[2J', '%00', '%e2%80%ae', '%7f', '\u0085', '\u009b31m'];
    for (const part of hostile) {
      for (const target of [
        `/api/v1/${part}`,
        `/api/v1/sessions/${part}`,
        `/api/v1/health?x=${part}`,
        `/link/${part}`,
        `/${part}`,
      ]) {
        const headers = [
          'Host: svc.test',
          `User-Agent: ${part}`,
          `Cookie: svc_session=${part}`,
          'Connection: close',
        ];
        await exchangeRaw(shared.port, `GET ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
        await exchangeRaw(shared.port, `${part} ${target} HTTP/1.1\r\n\r\n`);
      }
    }
    const bodies = ['\r\n', '\u001b[31m', '\u0000', '\u2028', '\ud800'].map((text) => ({
      email: text,
      password: text,
    }));
    for (const body of bodies) await send(shared, endpointOf('logIn'), { body });
    expect(shared.logLines.length).toBeGreaterThan(hostile.length * 10);
    expectCleanLines(shared);
  });

  test('[D2] has one line for each response, with its id, route, status and code', async () => {
    const found = await send(shared, endpointOf('getHealth'), {});
    const rejected = await send(shared, endpointOf('getSession'), {});
    expect(await logged(shared, ({ requestId }) => requestId === found.requestId)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: 'request',
      requestId: found.requestId,
      method: 'GET',
      route: '/api/v1/health',
      status: 200,
      durationMs: expect.any(Number),
    });
    await logged(shared, ({ requestId }) => requestId === rejected.requestId);
    const lines = linesOf(shared).filter(({ requestId }) => requestId === rejected.requestId);
    expect(lines).toMatchObject([{ route: '/api/v1/session', status: 401, code: 'UNAUTHENTICATED' }]);
  });

  test('[D2] has one line for a response that did not wait for the body', async () => {
    const headers = ['Host: svc.test', 'Content-Type: application/json', 'Content-Length: 99000000'];
    const { answers } = await exchangeRaw(
      shared.port,
      `POST /api/v1/auth/login HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`,
    );
    const id = answers[0]?.headers['x-request-id'];
    await logged(shared, ({ requestId }) => requestId === id);
    const lines = linesOf(shared).filter(({ requestId }) => requestId === id);
    expect(lines).toMatchObject([{ route: '/api/v1/auth/login', status: 413, code: 'BAD_REQUEST' }]);
  });

  test('[T23] has the request id of a request that is rejected before routing', async () => {
    const { answers } = await exchangeRaw(shared.port, 'GARBAGE\r\n\r\n');
    const id = answers[0]?.headers['x-request-id'];
    const line = await logged(shared, ({ requestId }) => requestId === id);
    expect(line).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  });
});

const tokenOf = (setCookie: string) => setCookie.slice('svc_session='.length, setCookie.indexOf(';'));

/** The texts of a body, except account ids: a failed login logs those. */
function textsIn(body: unknown): string[] {
  const texts = Object.values(body ?? {}).filter((value) => typeof value === 'string');
  return texts.filter((text) => !/^usr_[0-9a-z]{26}$/.test(text));
}

/** Disconnects in the middle of the body. */
async function abort(server: TestServer, method: string, target: string, secret: string): Promise<void> {
  await using connection = await connectRaw(server.port);
  const headers = [
    'Host: svc.test',
    'Content-Type: application/json',
    'Content-Length: 1000',
    `X-Secret: ${secret}`,
  ];
  await connection.send(
    `${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n{"password":"${secret}`,
  );
  connection.abort();
}
