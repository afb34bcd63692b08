/** What endpoints return, and what is logged, when a dependency has really failed. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errors, operations, type Operation } from '@svc/contract';
import { startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bearer,
  createCallers,
  endpointOf,
  headersFor,
  inputOf,
  send,
  type AnyInput,
  type Headers,
} from './calls.ts';
import { startSampleServer } from './samples.ts';

interface Prepared {
  readonly input: AnyInput;
  readonly headers: Headers;
}

let server: TestServer;
let deviceToken = '';
const prepared = new Map<Operation, Prepared>();

/** Operations that need no query, or that report the database's state. */
const unaffected = new Set<Operation>([
  'getHealth',
  'getReady',
  'getOpenApi',
  'getReportSchema',
  'getReleaseManifest',
]);
const affected = operations.filter((operation) => !unaffected.has(operation));

beforeAll(async () => {
  server = await startSampleServer();
  const callerOf = await createCallers(server);
  ({ deviceToken } = callerOf('getCurrentDevice').device);
  for (const operation of affected) {
    const caller = callerOf(operation);
    const [headers] = headersFor(operation, caller);
    prepared.set(operation, { input: await inputOf(operation, caller.person, server), headers });
  }
  await server.service.database.close();
});
afterAll(() => server.close());

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

describe('a service without its database', () => {
  test('[T22] every endpoint returns INTERNAL with code, message and request id, and the log has the reason', async () => {
    const wrong: unknown[] = [];
    for (const [operation, { input, headers }] of prepared) {
      const { status, body, requestId } = await send(server, endpointOf(operation), input, headers);
      const route = `/api/v1${endpointOf(operation).path.replace(/\{(\w+)\}/g, ':$1')}`;
      const lines = linesOf(requestId);
      const failures = lines.filter(({ level }) => level === 'error');
      const found = {
        status,
        body,
        failures: failures.map((line) => [line.route, typeof line.error?.name, typeof line.error?.stack]),
        requests: lines.filter((line) => line.status === 500).map((line) => [line.route, line.code]),
      };
      const wanted = {
        status: 500,
        body: { error: { code: 'INTERNAL', message: errors.INTERNAL.message, requestId } },
        failures: [[route, 'string', 'string']],
        requests: [[route, 'INTERNAL']],
      };
      if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong.push({ operation, found });
    }
    expect(wrong).toEqual([]);
    expect(prepared.size).toBe(affected.length);
  });

  test('[D2] the process still reports that it is alive, and that it is not ready', async () => {
    expect(await send(server, endpointOf('getHealth'), {})).toMatchObject({ status: 200 });
    expect(await send(server, endpointOf('getReady'), {})).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { database: 'failing', blobs: 'ok' } },
    });
  });

  test('[D1] a mistyped device token is rejected without a query', async () => {
    const mistyped = `${deviceToken.slice(0, -1)}${deviceToken.endsWith('a') ? 'b' : 'a'}`;
    const as = (token: string) => send(server, endpointOf('getCurrentDevice'), {}, bearer(token));
    expect(await as(mistyped)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(await as(deviceToken)).toMatchObject({ status: 500, code: 'INTERNAL' });
  });

  test('[T2] a malformed id is answered without a query', async () => {
    const answer = await send(server, endpointOf('getDeviceLinkStatus'), { params: { id: 'malformed' } });
    expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
});

test('[D15] without the folder of the report bodies the service is not ready', async () => {
  await using broken = await startServer({ config: { bucket: null } });
  await rm(join(broken.dataDir, 'blobs'), { recursive: true });
  expect(await send(broken, endpointOf('getReady'), {})).toMatchObject({
    status: 503,
    body: { status: 'unavailable', checks: { database: 'ok', blobs: 'failing', counters: 'ok' } },
  });
});
