/**
 * The credential matrix: every endpoint under every credential that somebody could send, and the one answer to each.
 * Both sides come from the contract, so an endpoint that is added to it is in the matrix.
 */
import { errors, limits, operations, type Credential, type ErrorCode, type Operation } from '@svc/contract';
import {
  APP_ORIGIN,
  BILLING_SECRET,
  createFakeClock,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMINISTRATOR, administratorOf, releaseManifestFile } from './samples.ts';
import { endpointOf, inputOf, sampleOf, send, sendRaw, targetOf, type Headers } from './calls.ts';

const clock = createFakeClock();
let server: TestServer;

/** What counts of the credentials that a request bears. */
interface Given {
  readonly bearer: 'none' | 'valid' | 'revoked' | 'wrong';
  readonly session: 'none' | 'valid' | 'wrong';
}

interface Tokens {
  /** Of the caller. */
  readonly device: string;
  readonly session: string;
  /** Of the caller too, but not valid any more. */
  readonly revokedDevice: string;
  readonly loggedOutSession: string;
}

/** Of people who are gone; the same for every test, but that each endpoint has an expired session of its own to end. */
const ended = { expiredSessions: new Map<Operation, string>(), deletedSession: '', deletedDevice: '' };

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const cookie = (token: string): Headers => ({ cookie: `svc_session=${token}`, origin: APP_ORIGIN });
const basic = { authorization: `Basic ${Buffer.from('person:password').toString('base64')}` };

/** One character in the middle is another, so that the checksum at the end is not of this token. */
function mistyped(token: string): string {
  const at = 20;
  return token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
}

const credentials: Record<
  string,
  { given: Given; headers: (tokens: Tokens, operation: Operation) => Headers }
> = {
  'no credential': { given: { bearer: 'none', session: 'none' }, headers: () => ({}) },
  'a device': { given: { bearer: 'valid', session: 'none' }, headers: (tokens) => bearer(tokens.device) },
  'a device under a lower-case scheme': {
    given: { bearer: 'valid', session: 'none' },
    headers: (tokens) => ({ authorization: `bearer ${tokens.device}` }),
  },
  'a session': { given: { bearer: 'none', session: 'valid' }, headers: (tokens) => cookie(tokens.session) },
  'a device and a session': {
    given: { bearer: 'valid', session: 'valid' },
    headers: (tokens) => ({ ...bearer(tokens.device), ...cookie(tokens.session) }),
  },
  'a revoked device': {
    given: { bearer: 'revoked', session: 'none' },
    headers: (tokens) => bearer(tokens.revokedDevice),
  },
  'a revoked device and a session': {
    given: { bearer: 'revoked', session: 'valid' },
    headers: (tokens) => ({ ...bearer(tokens.revokedDevice), ...cookie(tokens.session) }),
  },
  'a revoked device and a dead session': {
    given: { bearer: 'revoked', session: 'wrong' },
    headers: (tokens) => ({ ...bearer(tokens.revokedDevice), ...cookie(tokens.loggedOutSession) }),
  },
  'an expired session': {
    given: { bearer: 'none', session: 'wrong' },
    headers: (_tokens, operation) => cookie(ended.expiredSessions.get(operation) ?? ''),
  },
  'a logged-out session': {
    given: { bearer: 'none', session: 'wrong' },
    headers: (tokens) => cookie(tokens.loggedOutSession),
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
    headers: (tokens) => ({ ...bearer('garbage'), ...cookie(tokens.session) }),
  },
  'a garbage cookie': { given: { bearer: 'none', session: 'wrong' }, headers: () => cookie('garbage') },
  'a cookie of the right form': {
    given: { bearer: 'none', session: 'wrong' },
    headers: () => cookie('A'.repeat(43)),
  },
  'a device and a garbage cookie': {
    given: { bearer: 'valid', session: 'wrong' },
    headers: (tokens) => ({ ...bearer(tokens.device), ...cookie('garbage') }),
  },
  'Basic credentials': { given: { bearer: 'none', session: 'none' }, headers: () => basic },
  'a device token under Basic': {
    given: { bearer: 'none', session: 'none' },
    headers: (tokens) => ({ authorization: `Basic ${tokens.device}` }),
  },
  'a device token without a scheme': {
    given: { bearer: 'none', session: 'none' },
    headers: (tokens) => ({ authorization: tokens.device }),
  },
  'a session token as bearer': {
    given: { bearer: 'wrong', session: 'none' },
    headers: (tokens) => bearer(tokens.session),
  },
  'a device token as cookie': {
    given: { bearer: 'none', session: 'wrong' },
    headers: (tokens) => cookie(tokens.device),
  },
  'a mistyped device token': {
    given: { bearer: 'wrong', session: 'none' },
    headers: (tokens) => bearer(mistyped(tokens.device)),
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

interface Caller {
  readonly person: SessionActor;
  readonly tokens: Tokens;
}

async function newCaller(person: SessionActor): Promise<Caller> {
  const device = await server.linkDevice(person);
  const revoked = await server.linkDevice(person);
  await revoked.api.revokeCurrentDevice();
  const left = await logIn(person);
  await server.withCookie(`svc_session=${left}`).api.logOut();
  return {
    person,
    tokens: {
      device: device.deviceToken,
      session: tokenOf(person.cookie),
      revokedDevice: revoked.deviceToken,
      loggedOutSession: left,
    },
  };
}

const tokenOf = (cookieHeader: string) => cookieHeader.slice('svc_session='.length);

async function logIn({ email, password }: SessionActor): Promise<string> {
  const response = await server.anonymous.fetch('/api/v1/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return tokenOf(response.headers.getSetCookie()[0]?.split(';')[0] ?? '');
}

let shared: Caller;
let administrator: Caller;

const callerOf = (operation: Operation) => (endpointOf(operation).administratorOnly ? administrator : shared);

beforeAll(async () => {
  const config = {
    updateManifestPath: releaseManifestFile,
    platformAdminEmail: ADMINISTRATOR,
    billingWebhookSecrets: [BILLING_SECRET],
  };
  server = await startServer({ clock, generousPlans: true, config });
  const absent = await server.signUp();
  for (const operation of operations) ended.expiredSessions.set(operation, await logIn(absent));
  clock.advance(limits.sessionLifetimeMs);
  const leaver = await server.signUp();
  ended.deletedSession = tokenOf(leaver.cookie);
  ended.deletedDevice = (await server.linkDevice(leaver)).deviceToken;
  await leaver.api.deleteAccount({ body: { password: leaver.password } });
  shared = await newCaller(await server.signUp());
  administrator = await newCaller(await administratorOf(server));
});
afterAll(() => server.close());

const titleOf = (operation: Operation) => `${endpointOf(operation).method} ${endpointOf(operation).path}`;

describe.each(operations)('credentials of %s', (operation) => {
  const endpoint = endpointOf(operation);
  for (const [name, { given, headers }] of Object.entries(credentials)) {
    const refusal = refusals[endpoint.credential](given);
    test(`[T1] ${titleOf(operation)} with ${name} answers ${refusal ?? 'a success'}`, async () => {
      const usedUp = refusal === null && sampleOf(operation).usesUpCaller === true;
      const caller = usedUp ? await newCaller(await server.signUp()) : callerOf(operation);
      const input = await inputOf(operation, caller.person, server);
      const answer = await send(server, endpoint, input, headers(caller.tokens, operation));
      expect(answer.code).toBe(refusal);
      const successes = Object.keys(endpoint.answers)
        .map(Number)
        .filter((status) => status < 300);
      expect(refusal === null ? successes : [errors[refusal].status]).toContain(answer.status);
    });
  }
});

const guarded = operations.filter(
  (operation) => refusals[endpointOf(operation).credential]({ bearer: 'none', session: 'none' }) !== null,
);
const withBody = operations.filter((operation) => endpointOf(operation).body !== undefined);

describe('the order of checks', () => {
  test.each(guarded)('[D2] %s asks for the credential before it looks at the body', async (operation) => {
    const endpoint = endpointOf(operation);
    const target = targetOf(endpoint, await inputOf(operation, shared.person, server));
    if (endpoint.method === 'GET') return;
    for (const body of ['not JSON', '{"unknown":1}', '[[[[']) {
      const answer = await sendRaw(server, endpoint.method, target, {
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.code).toBe('UNAUTHENTICATED');
    }
  });

  test.each(guarded)('[D2] %s asks for the credential before it looks at the query', async (operation) => {
    const endpoint = endpointOf(operation);
    const input = await inputOf(operation, shared.person, server);
    const target = targetOf(endpoint, { ...input, query: {} });
    const repeated = '?workspaceId=a&workspaceId=b';
    const init =
      input.body === undefined ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await sendRaw(server, endpoint.method, target + repeated, init)).code).toBe('UNAUTHENTICATED');
  });

  test.each(withBody)(
    '[D2] %s refuses media type, coding and size before it asks for the credential',
    async (operation) => {
      const endpoint = endpointOf(operation);
      const target = targetOf(endpoint, await inputOf(operation, shared.person, server));
      const json = { 'content-type': 'application/json' };
      const refused = async (headers: Headers, body: string) =>
        sendRaw(server, endpoint.method, target, { headers, body });
      expect(await refused({ 'content-type': 'text/plain' }, '{}')).toMatchObject({
        status: 415,
        code: 'BAD_REQUEST',
      });
      expect(await refused({ ...json, 'content-encoding': 'gzip' }, '{}')).toMatchObject({ status: 415 });
      const oversized = ' '.repeat(limits.jsonBodyBytesMax + 1);
      expect(await refused(json, oversized)).toMatchObject({ status: 413, code: 'BAD_REQUEST' });
    },
  );

  test.each(withBody)('[D2] %s checks the schema before it looks for what is named', async (operation) => {
    const endpoint = endpointOf(operation);
    const stranger = await inputOf(operation, await server.signUp(), server);
    const headers =
      endpoint.credential === 'device'
        ? bearer(shared.tokens.device)
        : cookie(callerOf(operation).tokens.session);
    const answer = await send(server, endpoint, { ...stranger, body: { unknown: 1 } }, headers);
    expect(answer.code).toBe(endpoint.refusesAsUnsafe ? 'UNSAFE_PAYLOAD_REJECTED' : 'VALIDATION_FAILED');
  });
});

describe('the route comes first', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const paths = [...new Set(operations.map((operation) => endpointOf(operation).path))];

  test.each(paths)('[D2] %s answers NOT_FOUND under every method it does not have', async (path) => {
    const had = new Set(
      operations
        .map(endpointOf)
        .filter((endpoint) => samePath(endpoint.path, path))
        .map(({ method }) => method as string),
    );
    const target = `/api/v1${path.replace(/\{\w+\}/g, 'anything')}`;
    for (const method of methods.filter((candidate) => !had.has(candidate))) {
      const init =
        method === 'GET' ? {} : { body: 'not JSON', headers: { 'content-type': 'text/plain', ...basic } };
      expect(await sendRaw(server, method, target, init)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
  });

  // `/devices/current` is also what `/devices/{id}` matches.
  function samePath(one: string, other: string): boolean {
    if (one === other) return true;
    const pattern = new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`);
    return pattern.test(other);
  }
});
