/** The webhook of the payment provider: a request without its signature is rejected and changes nothing. */
import { errors, limits } from '@svc/contract';
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
  wholeAnswer,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

const ADDRESS = '/api/v1/billing/webhook';
const OLD_SECRET = 'whsec_that_is_being_replaced';
const MINUTE_MS = 60_000;
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const clock = createFakeClock();
const server = sharedServer({ clock, config: { billingWebhookSecrets: [BILLING_SECRET, OLD_SECRET] } });
let owner: SessionActor;
let workspaceId: string;

beforeAll(async () => {
  owner = await server.signUp();
  workspaceId = await createTeam(owner, []);
});

const payload = () => JSON.stringify(subscriptionEvent({ at: clock.now(), workspaceId, lookupKey: 'team' }));
const signed = (body: string, at = clock.now(), secret = BILLING_SECRET) => ({
  [SIGNATURE_HEADER]: signatureOf(body, { secret, at }),
});

async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>, to = server) {
  const init = { method: 'POST', body, headers: { ...JSON_TYPE, ...headers } };
  const response = await to.anonymous.fetch(ADDRESS, init);
  const { error } = (await response.clone().json()) as { error?: { code: string } };
  return { status: response.status, code: error?.code ?? null, seen: await wholeAnswer(response) };
}

async function stored(): Promise<number> {
  const { read } = server.service.database;
  const events = await read.selectFrom('billingEvents').selectAll().execute();
  const subscriptions = await read.selectFrom('subscriptions').selectAll().execute();
  return events.length + subscriptions.length;
}

const planOf = async () => bodyOf(await owner.api.getBillingPlan({ query: { workspaceId } })).plan;

describe('a signature', () => {
  test('[T20] that is missing, wrong, old, in the future, or of another body is rejected alike, and nothing is stored', async () => {
    const body = payload();
    const { [SIGNATURE_HEADER]: right = '' } = signed(body);
    const wrong = [
      '',
      'garbage',
      right.replace('v1=', 'v0='),
      `${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`,
      right.replace(/t=\d+/, `t=${Math.floor(clock.now() / 1000) + 1}`),
    ];
    const rejected = [
      await post(body, {}),
      ...(await Promise.all(wrong.map((signature) => post(body, { [SIGNATURE_HEADER]: signature })))),
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
    expect([rejected[0]?.status, rejected[0]?.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(new Set(rejected.map(({ seen }) => seen)).size).toBe(1);
    expect([await stored(), await planOf()]).toEqual([0, 'free']);
  });

  test('[D18] by either of two secrets is accepted', async () => {
    for (const secret of [BILLING_SECRET, OLD_SECRET]) {
      const body = payload();
      expect(await post(body, signed(body, clock.now() - 4 * MINUTE_MS, secret))).toMatchObject({
        status: 200,
      });
    }
    expect(await planOf()).toBe('team');
  });

  test('[D18] covers the exact bytes of the body, in any JSON spelling', async () => {
    const spelled = `\n{"é": 1, "data": {"object": {}, "x": 1e3},  "created":1,"id":"evt_spelled","type":"a.\\u0062"}\t`;
    expect(await post(spelled, signed(spelled))).toMatchObject({ status: 200 });
  });

  test('[T20] is the only credential: a session, a device or an origin makes no difference', async () => {
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
  const bodyWith = (given: object) =>
    JSON.stringify({ id: 'evt_a', type: 'x', created: 1, data: { object: {} }, ...given });

  test.each([
    ['not JSON', 'not JSON', 'BAD_REQUEST'],
    ['nothing but a space', ' ', 'BAD_REQUEST'],
    ['deeply nested', '['.repeat(10_000) + ']'.repeat(10_000), 'BAD_REQUEST'],
    ['an array', '[]', 'VALIDATION_FAILED'],
    ['null', 'null', 'VALIDATION_FAILED'],
    ['a number', '12', 'VALIDATION_FAILED'],
    ['an empty object', '{}', 'VALIDATION_FAILED'],
    ['an event without a subject', bodyWith({ data: {} }), 'VALIDATION_FAILED'],
    ['an event whose subject is null', bodyWith({ data: { object: null } }), 'VALIDATION_FAILED'],
    ['an event with a NUL in its id', bodyWith({ id: 'evt_\u0000' }), 'VALIDATION_FAILED'],
    ['an event with an impossible time', bodyWith({ created: 1e300 }), 'VALIDATION_FAILED'],
  ] as const)('[T20] that is %s is rejected', async (_title, body, code) => {
    const before = await stored();
    const { status } = errors[code];
    expect(await post(body, signed(body))).toMatchObject({ status, code });
    expect(await stored()).toBe(before);
  });

  test('[T20] with a hundred unknown fields is accepted, and a body that is too large is not read', async () => {
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

  test('[D2] is JSON without a content coding', async () => {
    const body = payload();
    const rejected = { status: 415, code: 'BAD_REQUEST' };
    for (const other of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }])
      expect(await post(body, { ...signed(body), ...other })).toMatchObject(rejected);
  });
});

describe('without a secret', () => {
  test('[D18] the address returns the same bytes as an unknown address, whatever is sent', async () => {
    await using deaf = await startServer({ clock });
    const body = payload();
    const method = 'POST';
    const large = 'x'.repeat(limits.jsonBodyBytesMax + 1);
    for (const init of [
      { method, body, headers: { ...JSON_TYPE, ...signed(body) } },
      { method, body, headers: JSON_TYPE },
      { method, body: large, headers: { 'content-type': 'text/plain' } },
      { method },
      {},
    ]) {
      const answer = await deaf.anonymous.fetch(ADDRESS, init);
      expect(answer.status).toBe(404);
      const unknown = await deaf.anonymous.fetch('/api/v1/billing/nothing', init);
      expect(await wholeAnswer(answer)).toBe(await wholeAnswer(unknown));
    }
  });
});

test('[D15] no log line contains a secret, a signature or a body', async () => {
  const body = payload();
  const { [SIGNATURE_HEADER]: signature = '' } = signed(body);
  await post(body, { [SIGNATURE_HEADER]: signature });
  await post(`${body} `, { [SIGNATURE_HEADER]: signature });
  const log = server.logLines.join('');
  const [, hash = ''] = signature.split('v1=');
  for (const secret of [BILLING_SECRET, OLD_SECRET, hash, 'cus_of_somebody'])
    expect(log).not.toContain(secret);
});
