/**
 * The credential matrix: every endpoint under every credential that somebody could send, and the one answer to each.
 * Both sides come from the contract, so an endpoint that is added to it is in the matrix.
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
  type Answer,
  type Caller,
  type Headers,
} from './calls.ts';
import { administratorOf, startSampleServer } from './samples.ts';

let server: TestServer;

/** What counts of the credentials that a request bears. */
interface Given {
  readonly bearer: 'none' | 'valid' | 'revoked' | 'wrong';
  readonly session: 'none' | 'valid' | 'wrong';
}

/** A caller, and credentials of theirs that are not valid any more. */
interface KnownCaller extends Caller {
  readonly revokedDevice: string;
  readonly loggedOutSession: string;
}

/** Of people who are gone. The first request with an expired session ends it, so each endpoint has one of its own. */
const ended = { expiredSessions: new Map<Operation, string>(), deletedSession: '', deletedDevice: '' };

const basic = { authorization: `Basic ${Buffer.from('person:password').toString('base64')}` };

const COOKIE = 'svc_session=';
const tokenIn = (cookieHeader: string) => cookieHeader.slice(COOKIE.length);

/** One character in the middle is another, so that the checksum at the end is not of this token. */
function mistyped(token: string): string {
  const at = 20;
  return token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
}

const credentials: Record<
  string,
  { given: Given; headers: (caller: KnownCaller, operation: Operation) => Headers }
> = {
  'no credential': { given: { bearer: 'none', session: 'none' }, headers: () => ({}) },
  'a device': {
    given: { bearer: 'valid', session: 'none' },
    headers: (caller) => bearer(caller.device.deviceToken),
  },
  'a device under a lower-case scheme': {
    given: { bearer: 'valid', session: 'none' },
    headers: (caller) => ({ authorization: `bearer ${caller.device.deviceToken}` }),
  },
  'a session': {
    given: { bearer: 'none', session: 'valid' },
    headers: (caller) => cookie(caller.person.cookie),
  },
  'a device and a session': {
    given: { bearer: 'valid', session: 'valid' },
    headers: (caller) => ({ ...bearer(caller.device.deviceToken), ...cookie(caller.person.cookie) }),
  },
  'a revoked device': {
    given: { bearer: 'revoked', session: 'none' },
    headers: (caller) => bearer(caller.revokedDevice),
  },
  'a revoked device and a session': {
    given: { bearer: 'revoked', session: 'valid' },
    headers: (caller) => ({ ...bearer(caller.revokedDevice), ...cookie(caller.person.cookie) }),
  },
  'a revoked device and a dead session': {
    given: { bearer: 'revoked', session: 'wrong' },
    headers: (caller) => ({ ...bearer(caller.revokedDevice), ...cookie(caller.loggedOutSession) }),
  },
  'an expired session': {
    given: { bearer: 'none', session: 'wrong' },
    headers: (_caller, operation) => cookie(ended.expiredSessions.get(operation) ?? ''),
  },
  'a logged-out session': {
    given: { bearer: 'none', session: 'wrong' },
    headers: (caller) => cookie(caller.loggedOutSession),
  },
  "a deleted account's session": {
    given: { bearer: 'none', session: 'wrong' },
    headers: () => cookie(ended.deletedSession),
  },
  "a deleted account's device": {
    given: { bearer: 'wrong', session: 'none' },
    headers: () => bearer(ended.deletedDevice),
  },
  'a garbage bearer': { given: { bearer: 'wrong', session: 'none' }, headers: () => bearer('garbage') },
  'an empty bearer': { given: { bearer: 'wrong', session: 'none' }, headers: () => bearer('') },
  'a garbage bearer and a session': {
    given: { bearer: 'wrong', session: 'valid' },
    headers: (caller) => ({ ...bearer('garbage'), ...cookie(caller.person.cookie) }),
  },
  'a garbage cookie': {
    given: { bearer: 'none', session: 'wrong' },
    headers: () => cookie(`${COOKIE}garbage`),
  },
  'a cookie of the right form': {
    given: { bearer: 'none', session: 'wrong' },
    headers: () => cookie(COOKIE + 'A'.repeat(43)),
  },
  'a device and a garbage cookie': {
    given: { bearer: 'valid', session: 'wrong' },
    headers: (caller) => ({ ...bearer(caller.device.deviceToken), ...cookie(`${COOKIE}garbage`) }),
  },
  'Basic credentials': { given: { bearer: 'none', session: 'none' }, headers: () => basic },
  'a device token under Basic': {
    given: { bearer: 'none', session: 'none' },
    headers: (caller) => ({ authorization: `Basic ${caller.device.deviceToken}` }),
  },
  'a device token without a scheme': {
    given: { bearer: 'none', session: 'none' },
    headers: (caller) => ({ authorization: caller.device.deviceToken }),
  },
  'a session token as bearer': {
    given: { bearer: 'wrong', session: 'none' },
    headers: (caller) => bearer(tokenIn(caller.person.cookie)),
  },
  'a device token as cookie': {
    given: { bearer: 'none', session: 'wrong' },
    headers: (caller) => cookie(COOKIE + caller.device.deviceToken),
  },
  'a mistyped device token': {
    given: { bearer: 'wrong', session: 'none' },
    headers: (caller) => bearer(mistyped(caller.device.deviceToken)),
  },
};

const byBearer = {
  none: 'UNAUTHENTICATED',
  wrong: 'UNAUTHENTICATED',
  revoked: 'DEVICE_REVOKED',
  valid: null,
} as const;

/** The code that refuses, or null for a success: the whole of the rules, once more and in other words. */
const refusals: Record<Credential, (given: Given) => ErrorCode | null> = {
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

function isAsExpected(operation: Operation, { code, status }: Answer, refusal: ErrorCode | null): boolean {
  const successes = Object.keys(endpointOf(operation).answers).filter((text) => Number(text) < 300);
  return (
    code === refusal &&
    (refusal === null ? successes.includes(String(status)) : errors[refusal].status === status)
  );
}

test.each(operations)(
  '[T1] %s with each credential answers a success or the one refusal',
  async (operation) => {
    const endpoint = endpointOf(operation);
    const { usesUpCaller } = sampleOf(operation);
    const wrong: unknown[] = [];
    // What a refused request names is used again: the successes, which come last, show that nothing happened to it.
    const cases = Object.entries(credentials)
      .map(([name, { given, headers }]) => ({ name, headers, refusal: refusals[endpoint.credential](given) }))
      .toSorted((one, other) => Number(one.refusal === null) - Number(other.refusal === null));
    let caller = usesUpCaller ? await newKnownCaller() : callerOf(operation);
    let input = await inputOf(operation, caller.person, server);
    let isUsedUp = false;
    for (const { name, headers, refusal } of cases) {
      if (isUsedUp) {
        if (usesUpCaller) caller = await newKnownCaller();
        input = await inputOf(operation, caller.person, server);
      }
      // A link answers only so many questions about its state.
      isUsedUp = refusal === null && (endpoint.method !== 'GET' || operation === 'getDeviceLinkStatus');
      const answer = await send(server, endpoint, input, headers(caller, operation));
      if (!isAsExpected(operation, answer, refusal)) wrong.push([name, refusal, answer.status, answer.text]);
    }
    expect(wrong).toEqual([]);
  },
);

const json = { 'content-type': 'application/json' };
const guarded = operations.filter(
  (operation) => refusals[endpointOf(operation).credential]({ bearer: 'none', session: 'none' }) !== null,
);
const withBody = operations.filter((operation) => endpointOf(operation).body !== undefined);

describe('the order of checks', () => {
  const inputs = new Map<Operation, ReturnType<typeof inputOf>>();

  /** The same for all of these tests: every request with it is refused. */
  function sharedInput(operation: Operation): ReturnType<typeof inputOf> {
    const input = inputs.get(operation) ?? inputOf(operation, shared.person, server);
    inputs.set(operation, input);
    return input;
  }

  test('[D2] every endpoint asks for the credential before it looks at the body', async () => {
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

  test('[D2] every endpoint asks for the credential before it looks at the query', async () => {
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

  test('[D2] every endpoint refuses media type, coding and size before it asks for the credential', async () => {
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

  test('[D2] every endpoint checks the schema before it looks for what is named', async () => {
    const stranger = await server.signUp();
    const wrong: unknown[] = [];
    for (const operation of withBody) {
      const endpoint = endpointOf(operation);
      const [headers] = headersFor(operation, callerOf(operation));
      const input = { ...(await inputOf(operation, stranger, server)), body: { unknown: 1 } };
      const { code } = await send(server, endpoint, input, headers);
      const refusal = endpoint.refusesAsUnsafe ? 'UNSAFE_PAYLOAD_REJECTED' : 'VALIDATION_FAILED';
      if (code !== refusal) wrong.push([operation, code]);
    }
    expect(wrong).toEqual([]);
  });
});

describe('the route comes first', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const paths = [...new Set(operations.map((operation) => endpointOf(operation).path))];

  test('[D2] every path answers NOT_FOUND under every method that it does not have', async () => {
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

  // `/devices/current` is also what `/devices/{id}` matches.
  function samePath(one: string, other: string): boolean {
    if (one === other) return true;
    const pattern = new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`);
    return pattern.test(other);
  }
});
