/** Whether an account exists can't be told at login and recovery: not by the bytes of the answer, and not by its time. */
import { PASSWORD, startServer, type SessionActor, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const WRONG_CODE = '00000-00000-00000-00000-00000';
let server: TestServer;
let known: SessionActor;

beforeAll(async () => {
  server = await startServer({ costlyHashing: true });
  known = await server.signUp();
});
afterAll(() => server.close());

function post(path: string, body: unknown): Promise<Response> {
  return server.anonymous.fetch(`/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The same length as the known one, so that even the requests are of equal size. */
const unknownEmail = () => known.email.replace(/^person/, 'nobody');

const guesses = {
  login: (email: string) => post('/auth/login', { email, password: 'not the password of it' }),
  recover: (email: string) =>
    post('/auth/recover', { email, recoveryCode: WRONG_CODE, newPassword: 'a newer secret than before' }),
};

/** All that an answer is, but for what differs between any two. */
async function bytesOf(answer: Response): Promise<string> {
  const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  const text = (await answer.text()).replace(/"requestId":"[0-9a-f-]{36}"/, '"requestId":""');
  return JSON.stringify([answer.status, headers, text]);
}

/** Of all threads of this process, in microseconds: hashing takes nearly all of it, however busy the machine is. */
async function processorTimeOf(call: () => Promise<Response>): Promise<number> {
  const before = process.cpuUsage();
  await (await call()).arrayBuffer();
  return process.cpuUsage(before).user;
}

describe.each(['login', 'recover'] as const)('%s', (name) => {
  const guess = guesses[name];

  test('[T4] a known and an unknown account get the same bytes but for the request id', async () => {
    expect(await bytesOf(await guess(unknownEmail()))).toBe(await bytesOf(await guess(known.email)));
  });

  // The times themselves are compared in enumeration.http.thorough.test.ts.
  test('[T4] a known and an unknown account cost a hash each', async () => {
    const costs = { known: Infinity, unknown: Infinity };
    for (let time = 0; time < 5; time += 1) {
      costs.known = Math.min(costs.known, await processorTimeOf(() => guess(known.email)));
      costs.unknown = Math.min(costs.unknown, await processorTimeOf(() => guess(unknownEmail())));
    }
    expect(costs.unknown).toBeGreaterThan(costs.known / 4);
    expect(costs.known).toBeGreaterThan(costs.unknown / 4);
  });
});

describe('right secrets for the wrong account', () => {
  test("[T4] another account's password and code are answered as any wrong ones are", async () => {
    const other = await server.signUp({ password: 'the password of another' });
    const wrong = await bytesOf(await guesses.login(known.email));
    expect(await bytesOf(await post('/auth/login', { email: known.email, password: other.password }))).toBe(
      wrong,
    );
    expect(await bytesOf(await post('/auth/login', { email: unknownEmail(), password: PASSWORD }))).toBe(
      wrong,
    );
    const body = {
      email: known.email,
      recoveryCode: other.recoveryCode,
      newPassword: 'a newer secret than before',
    };
    expect(await bytesOf(await post('/auth/recover', body))).toBe(
      await bytesOf(await guesses.recover(known.email)),
    );
  });

  test('[T4] a code of any form takes the same path', async () => {
    const wrong = await bytesOf(await guesses.recover(known.email));
    for (const recoveryCode of ['x', '-----', 'ÄÖÜ', ' '.repeat(100)]) {
      for (const email of [known.email, unknownEmail()]) {
        const body = { email, recoveryCode, newPassword: 'a newer secret than before' };
        expect(await bytesOf(await post('/auth/recover', body))).toBe(wrong);
      }
    }
  });
});
