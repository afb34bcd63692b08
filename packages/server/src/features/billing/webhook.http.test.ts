/** The address that the payment provider calls: what is not signed by it gets no further, and changes nothing. */
import { limits } from '@svc/contract';
import {
  APP_ORIGIN,
  BILLING_SECRET,
  bodyOf,
  createFakeClock,
  createTeam,
  exchangeRaw,
  SIGNATURE_HEADER,
  signatureOf,
  startServer,
  subscriptionEvent,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ADDRESS = '/api/v1/billing/webhook';
const OLD_SECRET = 'whsec_that_is_being_replaced';
const MINUTE_MS = 60_000;
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let workspaceId: string;

beforeAll(async () => {
  server = await startServer({ clock, config: { billingWebhookSecrets: [BILLING_SECRET, OLD_SECRET] } });
  owner = await server.signUp();
  workspaceId = await createTeam(owner, []);
});
afterAll(() => server.close());

const payload = () => JSON.stringify(subscriptionEvent({ at: clock.now(), workspaceId, lookupKey: 'team' }));
const signed = (body: string, at = clock.now(), secret = BILLING_SECRET) => ({
  [SIGNATURE_HEADER]: signatureOf(body, { secret, at }),
});

async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>, to = server) {
  const response = await to.anonymous.fetch(ADDRESS, {
    method: 'POST',
    body,
    headers: { ...JSON_TYPE, ...headers },
  });
  const requestId = response.headers.get('x-request-id') ?? '';
  const text = (await response.text()).replace(requestId, '');
  const { error } = JSON.parse(text) as { error?: { code: string } };
  const told = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return {
    status: response.status,
    code: error?.code ?? null,
    seen: JSON.stringify([response.status, text, told]),
  };
}

async function stored(): Promise<number> {
  const { read } = server.service.database;
  const events = await read.selectFrom('billingEvents').selectAll().execute();
  const subscriptions = await read.selectFrom('subscriptions').selectAll().execute();
  return events.length + subscriptions.length;
}

const planOf = async () => bodyOf(await owner.api.getBillingPlan({ query: { workspaceId } })).plan;

describe('a signature', () => {
  test('[T20] that is missing, wrong, old, of later, or of another body is refused alike, and nothing is stored', async () => {
    const body = payload();
    const { [SIGNATURE_HEADER]: right = '' } = signed(body);
    const refused = [
      await post(body, {}),
      await post(body, { [SIGNATURE_HEADER]: '' }),
      await post(body, { [SIGNATURE_HEADER]: 'garbage' }),
      await post(body, { [SIGNATURE_HEADER]: right.replace('v1=', 'v0=') }),
      await post(body, { [SIGNATURE_HEADER]: `${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}` }),
      await post(body, {
        [SIGNATURE_HEADER]: right.replace(/t=\d+/, `t=${Math.floor(clock.now() / 1000) + 1}`),
      }),
      await post(body, signed(body, clock.now(), 'whsec_of_somebody_else')),
      await post(body, signed(body, clock.now() - 5 * MINUTE_MS - 1000)),
      await post(body, signed(body, clock.now() + 5 * MINUTE_MS + 1000)),
      await post(body.replace('"team"', '"pro"'), signed(body)),
      await post(`${body} `, signed(body)),
      await post(`\ufeff${body}`, signed(body)),
      await post(JSON.stringify(JSON.parse(body), null, 2), signed(body)),
      await post(new TextEncoder().encode(body).fill(0xff, 5, 6), signed(body)),
      await post('not JSON', {}),
      await post('['.repeat(1000), {}),
      await post('', {}),
    ];
    expect([refused[0]?.status, refused[0]?.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(new Set(refused.map(({ seen }) => seen)).size).toBe(1);
    expect([await stored(), await planOf()]).toEqual([0, 'free']);
  });

  test('[D18] by either of two secrets is taken', async () => {
    for (const secret of [BILLING_SECRET, OLD_SECRET]) {
      const body = payload();
      expect(await post(body, signed(body, clock.now() - 4 * MINUTE_MS, secret))).toMatchObject({
        status: 200,
      });
    }
    expect(await planOf()).toBe('team');
  });

  test('[D18] is over the bytes as they came, whatever their spelling', async () => {
    const spelled = `\n{"é": 1, "data": {"object": {}, "x": 1e3},  "created":1,"id":"evt_spelled","type":"a.\\u0062"}\t`;
    expect(await post(spelled, signed(spelled))).toMatchObject({ status: 200 });
  });

  test('[T20] is the only credential: neither a session, a device nor an origin counts for or against it', async () => {
    const device = await server.linkDevice(owner);
    const evil = { origin: 'http://evil.test', 'sec-fetch-site': 'cross-site' };
    for (const headers of [
      { cookie: owner.cookie, origin: APP_ORIGIN },
      { authorization: `Bearer ${device.deviceToken}` },
      { cookie: owner.cookie, ...evil },
    ]) {
      const body = payload();
      expect(await post(body, headers)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
      expect(await post(body, { ...headers, ...signed(body) })).toMatchObject({ status: 200 });
    }
  });
});

describe('a signed body', () => {
  test.each([
    ['no JSON', 'not JSON', 400, 'BAD_REQUEST'],
    ['nothing but a space', ' ', 400, 'BAD_REQUEST'],
    ['nested deep', '['.repeat(10_000) + ']'.repeat(10_000), 400, 'BAD_REQUEST'],
    ['an array', '[]', 422, 'VALIDATION_FAILED'],
    ['null', 'null', 422, 'VALIDATION_FAILED'],
    ['a number', '12', 422, 'VALIDATION_FAILED'],
    ['an empty object', '{}', 422, 'VALIDATION_FAILED'],
    [
      'an event without a subject',
      '{"id":"evt_a","type":"x","created":1,"data":{}}',
      422,
      'VALIDATION_FAILED',
    ],
    [
      'an event whose subject is null',
      '{"id":"evt_a","type":"x","created":1,"data":{"object":null}}',
      422,
      'VALIDATION_FAILED',
    ],
    [
      'an event with a NUL in its id',
      '{"id":"evt_\\u0000","type":"x","created":1,"data":{"object":{}}}',
      422,
      'VALIDATION_FAILED',
    ],
    [
      'an event of no time',
      '{"id":"evt_a","type":"x","created":1e300,"data":{"object":{}}}',
      422,
      'VALIDATION_FAILED',
    ],
  ])('[T20] that is %s is refused', async (_title, body, status, code) => {
    const before = await stored();
    expect(await post(body, signed(body))).toMatchObject({ status, code });
    expect(await stored()).toBe(before);
  });

  test('[T20] of a hundred unknown fields is taken, and one that is too large is not read', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, index]));
    const body = JSON.stringify({ ...JSON.parse(payload()), ...many });
    expect(await post(body, signed(body))).toMatchObject({ status: 200 });
    const padded = payload().padEnd(limits.jsonBodyBytesMax, ' ');
    expect(await post(padded, signed(padded))).toMatchObject({ status: 200 });
    const large = `${padded} `;
    expect(await post(large, signed(large))).toMatchObject({ status: 413, code: 'BAD_REQUEST' });
    const head = ['Host: svc.test', 'Content-Type: application/json', 'Content-Length: 99000000'];
    const expecting = `POST ${ADDRESS} HTTP/1.1\r\n${[...head, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`;
    const { answers } = await exchangeRaw(server.port, expecting);
    expect(answers.map(({ status }) => status)).toEqual([413]);
  });

  test('[D2] is JSON without a coding', async () => {
    const body = payload();
    for (const other of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }])
      expect(await post(body, { ...signed(body), ...other })).toMatchObject({
        status: 415,
        code: 'BAD_REQUEST',
      });
  });
});

describe('without a secret', () => {
  test('[D18] the address answers byte for byte as one that is not there, whatever is sent', async () => {
    await using deaf = await startServer({ clock });
    const body = payload();
    const at = async (address: string, method: string, init: RequestInit) => {
      const response = await deaf.anonymous.fetch(address, { ...init, method });
      const requestId = response.headers.get('x-request-id') ?? '';
      const told = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
      return [response.status, (await response.text()).replace(requestId, ''), told];
    };
    for (const [method, init] of [
      ['POST', { body, headers: { ...JSON_TYPE, ...signed(body) } }],
      ['POST', { body, headers: JSON_TYPE }],
      ['POST', { body: 'x'.repeat(limits.jsonBodyBytesMax + 1), headers: { 'content-type': 'text/plain' } }],
      ['POST', {}],
      ['GET', {}],
    ] as const) {
      const answer = await at(ADDRESS, method, init);
      expect(answer).toEqual(await at('/api/v1/billing/nothing', method, init));
      expect(answer[0]).toBe(404);
    }
  });
});

test('[D15] no line of the log holds a secret, a signature or a body', async () => {
  const body = payload();
  const { [SIGNATURE_HEADER]: signature = '' } = signed(body);
  await post(body, { [SIGNATURE_HEADER]: signature });
  await post(`${body} `, { [SIGNATURE_HEADER]: signature });
  const log = server.logLines.join('');
  for (const secret of [
    BILLING_SECRET,
    OLD_SECRET,
    signature,
    signature.split('v1=')[1] ?? '',
    'cus_of_somebody',
  ])
    expect(log).not.toContain(secret);
});
