/**
 * The credential matrix: every endpoint with every possible credential, and the one expected response. Both sides come
 * from the contract, so an endpoint added to it is in the matrix.
 */
import { errors, limits, operations, type Credential, type ErrorCode, type Operation } from '@svc/contract';
import type { SessionActor, TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bearer,
  cookie,
  endpointOf,
  headersFor,
  inputOf,
  newCaller,
  sampleOf,
  send,
  sendRaw,
  targetOf,
  type CallResponse,
  type Caller,
  type Headers,
} from './calls.ts';
import { administratorOf, startSampleServer } from './samples.ts';

let server: TestServer;

/** The facts about a request's credentials that matter. */
interface Given {
  readonly bearer: 'none' | 'valid' | 'revoked' | 'wrong';
  readonly session: 'none' | 'valid' | 'wrong';
}

/** A caller, and credentials of theirs that are no longer valid. */
interface KnownCaller extends Caller {
  readonly revokedDevice: string;
  readonly loggedOutSession: string;
}

/**
 * Expired sessions, and credentials of a deleted account. The first request with an expired session ends it, so each
 * endpoint has its own.
 */
const ended = { expiredSessions: new Map<Operation, string>(), deletedSession: '', deletedDevice: '' };

const basic = { authorization: `Basic ${Buffer.from('person:password').toString('base64')}` };

const COOKIE = 'svc_session=';
const tokenIn = (cookieHeader: string) => cookieHeader.slice(COOKIE.length);

/** Changes one character in the middle, so that the checksum at the end does not match. */
function mistyped(token: string): string {
  const at = 20;
  return token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
}

const both = (token: string, cookieHeader: string) => ({ ...bearer(token), ...cookie(cookieHeader) });
const GARBAGE_COOKIE = `${COOKIE}garbage`;

type HeadersOf = (caller: KnownCaller, operation: Operation) => Headers;
const credentials: readonly (readonly [
  name: string,
  bearer: Given['bearer'],
  session: Given['session'],
  headers: HeadersOf,
])[] = [
  ['no credential', 'none', 'none', () => ({})],
  ['a device', 'valid', 'none', ({ device }) => bearer(device.deviceToken)],
  [
    'a device under a lower-case scheme',
    'valid',
    'none',
    ({ device }) => ({ authorization: `bearer ${device.deviceToken}` }),
  ],
  ['a session', 'none', 'valid', ({ person }) => cookie(person.cookie)],
  [
    'a device and a session',
    'valid',
    'valid',
    ({ device, person }) => both(device.deviceToken, person.cookie),
  ],
  ['a revoked device', 'revoked', 'none', ({ revokedDevice }) => bearer(revokedDevice)],
  [
    'a revoked device and a session',
    'revoked',
    'valid',
    ({ revokedDevice, person }) => both(revokedDevice, person.cookie),
  ],
  [
    'a revoked device and a dead session',
    'revoked',
    'wrong',
    ({ revokedDevice, loggedOutSession }) => both(revokedDevice, loggedOutSession),
  ],
  [
    'an expired session',
    'none',
    'wrong',
    (_caller, operation) => cookie(ended.expiredSessions.get(operation) ?? ''),
  ],
  ['a logged-out session', 'none', 'wrong', ({ loggedOutSession }) => cookie(loggedOutSession)],
  ["a deleted account's session", 'none', 'wrong', () => cookie(ended.deletedSession)],
  ["a deleted account's device", 'wrong', 'none', () => bearer(ended.deletedDevice)],
  ['a garbage bearer', 'wrong', 'none', () => bearer('garbage')],
  ['an empty bearer', 'wrong', 'none', () => bearer('')],
  ['a garbage bearer and a session', 'wrong', 'valid', ({ person }) => both('garbage', person.cookie)],
  ['a garbage cookie', 'none', 'wrong', () => cookie(GARBAGE_COOKIE)],
  ['a cookie of the right form', 'none', 'wrong', () => cookie(COOKIE + 'A'.repeat(43))],
  [
    'a device and a garbage cookie',
    'valid',
    'wrong',
    ({ device }) => both(device.deviceToken, GARBAGE_COOKIE),
  ],
  ['Basic credentials', 'none', 'none', () => basic],
  [
    'a device token under Basic',
    'none',
    'none',
    ({ device }) => ({ authorization: `Basic ${device.deviceToken}` }),
  ],
  [
    'a device token without a scheme',
    'none',
    'none',
    ({ device }) => ({ authorization: device.deviceToken }),
  ],
  ['a session token as bearer', 'wrong', 'none', ({ person }) => bearer(tokenIn(person.cookie))],
  ['a device token as cookie', 'none', 'wrong', ({ device }) => cookie(COOKIE + device.deviceToken)],
  ['a mistyped device token', 'wrong', 'none', ({ device }) => bearer(mistyped(device.deviceToken))],
];

const byBearer = {
  none: 'UNAUTHENTICATED',
  wrong: 'UNAUTHENTICATED',
  revoked: 'DEVICE_REVOKED',
  valid: null,
} as const;

/** The code of the rejection, or null for a success: an independent implementation of the rules. */
const rejections: Record<Credential, (given: Given) => ErrorCode | null> = {
  none: () => null,
  optionalSession: () => null,
  session: (given) =>
    given.session === 'valid' ? null : given.bearer === 'revoked' ? 'DEVICE_REVOKED' : 'UNAUTHENTICATED',
  device: (given) => byBearer[given.bearer],
  sessionOrDevice: (given) =>
    given.bearer === 'none' ? (given.session === 'valid' ? null : 'UNAUTHENTICATED') : byBearer[given.bearer],
};

async function newKnownCaller(signedUp?: SessionActor): Promise<KnownCaller> {
  const caller = await newCaller(server, signedUp);
  const revoked = await server.linkDevice(caller.person);
  await revoked.api.revokeCurrentDevice();
  const loggedOutSession = await server.logIn(caller.person);
  await server.withCookie(loggedOutSession).api.logOut();
  return { ...caller, revokedDevice: revoked.deviceToken, loggedOutSession };
}

let shared: KnownCaller;
let administrator: KnownCaller;

const callerOf = (operation: Operation) => (endpointOf(operation).administratorOnly ? administrator : shared);

beforeAll(async () => {
  const started = await startSampleServer();
  server = started;
  const absent = await server.signUp();
  for (const operation of operations) ended.expiredSessions.set(operation, await server.logIn(absent));
  started.clock.advance(limits.sessionLifetimeMs);
  const leaver = await newCaller(server);
  ended.deletedSession = leaver.person.cookie;
  ended.deletedDevice = leaver.device.deviceToken;
  await leaver.person.api.deleteAccount({ body: { password: leaver.person.password } });
  shared = await newKnownCaller();
  administrator = await newKnownCaller(await administratorOf(server));
});
afterAll(() => server.close());

function isAsExpected(
  operation: Operation,
  { code, status }: CallResponse,
  rejection: ErrorCode | null,
): boolean {
  const successes = Object.keys(endpointOf(operation).answers).filter((text) => Number(text) < 300);
  return (
    code === rejection &&
    (rejection === null ? successes.includes(String(status)) : errors[rejection].status === status)
  );
}

test.each(operations)(
  '[T1] %s with each credential returns a success or the expected rejection',
  async (operation) => {
    const endpoint = endpointOf(operation);
    const { usesUpCaller } = sampleOf(operation);
    const wrong: unknown[] = [];
    // The ids of a rejected request are used again: the successes at the end show that no record changed.
    const rejectionOf = rejections[endpoint.credential];
    const cases = credentials
      .map(([name, token, session, headers]) => ({
        name,
        headers,
        rejection: rejectionOf({ bearer: token, session }),
      }))
      .toSorted((one, other) => Number(one.rejection === null) - Number(other.rejection === null));
    let caller = usesUpCaller ? await newKnownCaller() : callerOf(operation);
    let input = await inputOf(operation, caller.person, server);
    let isUsedUp = false;
    for (const { name, headers, rejection } of cases) {
      if (isUsedUp) {
        if (usesUpCaller) caller = await newKnownCaller();
        input = await inputOf(operation, caller.person, server);
      }
      // A device link allows a limited number of status queries.
      isUsedUp = rejection === null && (endpoint.method !== 'GET' || operation === 'getDeviceLinkStatus');
      const answer = await send(server, endpoint, input, headers(caller, operation));
      if (!isAsExpected(operation, answer, rejection))
        wrong.push([name, rejection, answer.status, answer.text]);
    }
    expect(wrong).toEqual([]);
  },
);

const json = { 'content-type': 'application/json' };
const guarded = operations.filter(
  (operation) => rejections[endpointOf(operation).credential]({ bearer: 'none', session: 'none' }) !== null,
);
const withBody = operations.filter((operation) => endpointOf(operation).body !== undefined);

describe('the order of checks', () => {
  const inputs = new Map<Operation, ReturnType<typeof inputOf>>();

  /** The input is shared by all of these tests, since every request with it is rejected. */
  function sharedInput(operation: Operation): ReturnType<typeof inputOf> {
    const input = inputs.get(operation) ?? inputOf(operation, shared.person, server);
    inputs.set(operation, input);
    return input;
  }

  test('[D2] every endpoint checks the credential before it reads the body', async () => {
    const wrong: unknown[] = [];
    for (const operation of guarded) {
      const endpoint = endpointOf(operation);
      if (endpoint.method === 'GET') continue;
      const target = targetOf(endpoint, await sharedInput(operation));
      for (const body of ['not JSON', '{"unknown":1}', '[[[[']) {
        const { code } = await sendRaw(server, endpoint.method, target, { body, headers: json });
        if (code !== 'UNAUTHENTICATED') wrong.push([operation, body, code]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('[D2] every endpoint checks the credential before it reads the query', async () => {
    const wrong: unknown[] = [];
    for (const operation of guarded) {
      const endpoint = endpointOf(operation);
      const input = await sharedInput(operation);
      const target = `${targetOf(endpoint, { ...input, query: {} })}?workspaceId=a&workspaceId=b`;
      const init = input.body === undefined ? {} : { body: '{}', headers: json };
      const { code } = await sendRaw(server, endpoint.method, target, init);
      if (code !== 'UNAUTHENTICATED') wrong.push([operation, code]);
    }
    expect(wrong).toEqual([]);
  });

  test('[D2] every endpoint checks media type, coding and size before it checks the credential', async () => {
    const oversized = ' '.repeat(limits.jsonBodyBytesMax + 1);
    const wrong: unknown[] = [];
    for (const operation of withBody) {
      const endpoint = endpointOf(operation);
      const target = targetOf(endpoint, await sharedInput(operation));
      for (const [status, headers, body] of [
        [415, { 'content-type': 'text/plain' }, '{}'],
        [415, { ...json, 'content-encoding': 'gzip' }, '{}'],
        [413, json, oversized],
      ] as const) {
        const answer = await sendRaw(server, endpoint.method, target, { headers, body });
        if (answer.status !== status || answer.code !== 'BAD_REQUEST')
          wrong.push([operation, status, answer.status, answer.code]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('[D2] every endpoint checks the schema before it looks up ids', async () => {
    const stranger = await server.signUp();
    const wrong: unknown[] = [];
    for (const operation of withBody) {
      const endpoint = endpointOf(operation);
      const [headers] = headersFor(operation, callerOf(operation));
      const input = { ...(await inputOf(operation, stranger, server)), body: { unknown: 1 } };
      const { code } = await send(server, endpoint, input, headers);
      const rejection = endpoint.rejectsAsUnsafe ? 'UNSAFE_PAYLOAD_REJECTED' : 'VALIDATION_FAILED';
      if (code !== rejection) wrong.push([operation, code]);
    }
    expect(wrong).toEqual([]);
  });
});

describe('the route comes first', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const paths = [...new Set(operations.map((operation) => endpointOf(operation).path))];

  test('[D2] every path returns NOT_FOUND for every method that it does not have', async () => {
    const wrong: unknown[] = [];
    for (const path of paths) {
      const had = operations.map(endpointOf).filter((endpoint) => samePath(endpoint.path, path));
      const target = `/api/v1${path.replace(/\{\w+\}/g, 'anything')}`;
      for (const method of methods.filter((name) => !had.some((endpoint) => endpoint.method === name))) {
        const init =
          method === 'GET' ? {} : { body: 'not JSON', headers: { 'content-type': 'text/plain', ...basic } };
        const { status, code } = await sendRaw(server, method, target, init);
        if (status !== 404 || code !== 'NOT_FOUND') wrong.push([method, path, status, code]);
      }
    }
    expect(wrong).toEqual([]);
  });

  // `/devices/current` also matches `/devices/{id}`.
  function samePath(one: string, other: string): boolean {
    if (one === other) return true;
    const pattern = new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`);
    return pattern.test(other);
  }
});
