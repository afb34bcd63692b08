/** What endpoints answer when what they depend on is really gone, and what the operator is told of it. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errors, operations, type Operation } from '@svc/contract';
import { APP_ORIGIN, BILLING_SECRET, createFakeClock, startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMINISTRATOR, administratorOf } from './samples.ts';
import { endpointOf, inputOf, send, type AnyInput, type Answer, type Headers } from './calls.ts';

interface Prepared {
  readonly input: AnyInput;
  readonly headers: Headers;
}

const clock = createFakeClock();
let server: TestServer;
let deviceToken = '';
const prepared = new Map<Operation, Prepared>();

/** They ask the database nothing, or answer what it is about. */
const unaffected = new Set<Operation>([
  'getHealth',
  'getReady',
  'getOpenApi',
  'getReportSchema',
  'getReleaseManifest',
]);
const affected = operations.filter((operation) => !unaffected.has(operation));

beforeAll(async () => {
  server = await startServer({
    clock,
    generousPlans: true,
    config: { platformAdminEmail: ADMINISTRATOR, billingWebhookSecrets: [BILLING_SECRET] },
  });
  const caller = await server.signUp();
  ({ deviceToken } = await server.linkDevice(caller));
  const administrator = await administratorOf(server);
  for (const operation of affected) {
    const { credential, administratorOnly } = endpointOf(operation);
    const { cookie } = administratorOnly ? administrator : caller;
    const bearer = { authorization: `Bearer ${deviceToken}` };
    prepared.set(operation, {
      input: await inputOf(operation, caller, server),
      headers: credential === 'device' ? bearer : { cookie, origin: APP_ORIGIN },
    });
  }
  await server.service.database.close();
});
afterAll(() => server.close());

function call(operation: Operation): Promise<Answer> {
  const given = prepared.get(operation);
  if (!given) throw new Error(`nothing prepared for ${operation}`);
  return send(server, endpointOf(operation), given.input, given.headers);
}

interface LogLine {
  readonly level: string;
  readonly requestId?: string;
  readonly route?: string;
  readonly status?: number;
  readonly code?: string;
  readonly error?: { readonly name: string; readonly message: string; readonly stack: string };
}

const linesOf = (requestId: string) =>
  server.logLines.map((line) => JSON.parse(line) as LogLine).filter((line) => line.requestId === requestId);

describe('without its database', () => {
  test.each(affected)(
    '[T22] %s answers INTERNAL with code, message and request id, and nothing else',
    async (operation) => {
      const answer = await call(operation);
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual({
        error: { code: 'INTERNAL', message: errors.INTERNAL.message, requestId: answer.requestId },
      });
    },
  );

  test.each(affected)(
    '[T22] the failure of %s is in the log under the request id of its answer',
    async (operation) => {
      const { requestId } = await call(operation);
      const route = `/api/v1${endpointOf(operation).path.replace(/\{(\w+)\}/g, ':$1')}`;
      const failure = linesOf(requestId).filter(({ level }) => level === 'error');
      expect(failure).toMatchObject([
        { route, error: { name: expect.any(String), stack: expect.any(String) } },
      ]);
      expect(linesOf(requestId).filter(({ status }) => status === 500)).toMatchObject([
        { route, code: 'INTERNAL' },
      ]);
    },
  );

  test('[D2] the process still says that it is alive, and that it is not ready', async () => {
    expect(await send(server, endpointOf('getHealth'), {})).toMatchObject({ status: 200 });
    expect(await send(server, endpointOf('getReady'), {})).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { database: 'failing', blobs: 'ok' } },
    });
  });

  test('[D1] a mistyped device token is refused without a query', async () => {
    const mistyped = `${deviceToken.slice(0, -1)}${deviceToken.endsWith('a') ? 'b' : 'a'}`;
    const as = (token: string) =>
      send(server, endpointOf('getCurrentDevice'), {}, { authorization: `Bearer ${token}` });
    expect(await as(mistyped)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(await as(deviceToken)).toMatchObject({ status: 500, code: 'INTERNAL' });
  });

  test('[T2] a malformed id is answered without a query', async () => {
    const answer = await send(server, endpointOf('getDeviceLinkStatus'), { params: { id: 'malformed' } });
    expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
});

test('[D15] without the folder of the reports the service is not ready', async () => {
  await using other = await startServer({ generousPlans: true });
  expect(await send(other, endpointOf('getReady'), {})).toMatchObject({ status: 200 });
  await using broken = await startServer({ generousPlans: true });
  await rm(join(broken.dataDir, 'blobs'), { recursive: true });
  expect(await send(broken, endpointOf('getReady'), {})).toMatchObject({
    status: 503,
    body: { status: 'unavailable', checks: { database: 'ok', blobs: 'failing', counters: 'ok' } },
  });
});
