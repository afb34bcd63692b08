/** Whether an account exists can't be told at login and recovery: not by the bytes of the answer, and not by its time. */
import {
  welch,
  interleavedTimes,
  wholeAnswer,
  PASSWORD,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const SAMPLES = 100;
const WARM_UP = 10;
const T_MAX = 4.5;
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

/**
 * Of all threads of this process, in microseconds: hashing takes nearly all of it, however busy the machine is. Linux knows
 * the sum of user and system time alone well.
 */
async function processorTimeOf(call: () => Promise<Response>): Promise<number> {
  const before = process.cpuUsage();
  await (await call()).arrayBuffer();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

describe.each(['login', 'recover'] as const)('%s', (name) => {
  const guess = guesses[name];

  test('[T4] a known and an unknown account get the same bytes but for the request id', async () => {
    expect(await wholeAnswer(await guess(unknownEmail()))).toBe(await wholeAnswer(await guess(known.email)));
  });

  test('[T4] a known and an unknown account cost a hash each', { tags: 'thorough' }, async () => {
    const costs = { known: Infinity, unknown: Infinity };
    for (let time = 0; time < 5; time += 1) {
      costs.known = Math.min(costs.known, await processorTimeOf(() => guess(known.email)));
      costs.unknown = Math.min(costs.unknown, await processorTimeOf(() => guess(unknownEmail())));
    }
    expect(costs.unknown).toBeGreaterThan(costs.known / 4);
    expect(costs.known).toBeGreaterThan(costs.unknown / 4);
  });

  test('[T4] a known and an unknown account take the same time', { tags: 'thorough' }, async () => {
    const calls = { known: () => guess(known.email), unknown: () => guess(unknownEmail()) };
    const times = await interleavedTimes(calls, SAMPLES, WARM_UP);
    const t = welch(times.known, times.unknown);
    expect(Math.abs(t), `Welch's t over ${SAMPLES} samples each`).toBeLessThan(T_MAX);
  });
});

describe('right secrets for the wrong account', () => {
  test("[T4] another account's password and code are answered as any wrong ones are", async () => {
    const other = await server.signUp({ password: 'the password of another' });
    const wrong = await wholeAnswer(await guesses.login(known.email));
    expect(
      await wholeAnswer(await post('/auth/login', { email: known.email, password: other.password })),
    ).toBe(wrong);
    expect(await wholeAnswer(await post('/auth/login', { email: unknownEmail(), password: PASSWORD }))).toBe(
      wrong,
    );
    const body = {
      email: known.email,
      recoveryCode: other.recoveryCode,
      newPassword: 'a newer secret than before',
    };
    expect(await wholeAnswer(await post('/auth/recover', body))).toBe(
      await wholeAnswer(await guesses.recover(known.email)),
    );
  });

  test('[T4] a code of any form takes the same path', async () => {
    const wrong = await wholeAnswer(await guesses.recover(known.email));
    for (const recoveryCode of ['x', '-----', 'ÄÖÜ', ' '.repeat(100)]) {
      for (const email of [known.email, unknownEmail()]) {
        const body = { email, recoveryCode, newPassword: 'a newer secret than before' };
        expect(await wholeAnswer(await post('/auth/recover', body))).toBe(wrong);
      }
    }
  });
});

/** Many samples: an answer takes a millisecond, and a difference of one query shows. */
const SIGN_UP_SAMPLES = 1500;

describe('signing up', { tags: 'thorough' }, () => {
  test('[T25] a taken address and a wrong setup token take the same time', { timeout: 600_000 }, async () => {
    const administrator = known.email.replace(/^person/, 'bosses');
    await using guarded = await startServer({ config: { platformAdminEmail: administrator } });
    const taken = await guarded.signUp({ email: known.email });
    const signUp = (email: string) =>
      guarded.anonymous.fetch('/api/v1/auth/signup', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: PASSWORD, setupToken: 'x'.repeat(43) }),
      });
    const statusOf = async (email: string) => {
      const answer = await signUp(email);
      await answer.text();
      return answer.status;
    };
    expect([await statusOf(taken.email), await statusOf(administrator)]).toEqual([409, 409]);
    const calls = { taken: () => signUp(taken.email), wrong: () => signUp(administrator) };
    const times = await interleavedTimes(calls, SIGN_UP_SAMPLES, WARM_UP);
    const t = welch(times.taken, times.wrong);
    expect(Math.abs(t), `Welch's t over ${SIGN_UP_SAMPLES} samples each`).toBeLessThan(T_MAX);
  });
});
