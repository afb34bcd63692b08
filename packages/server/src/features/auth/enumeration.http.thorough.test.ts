/** Whether an account exists can't be told at login and recovery by the time of the answer. */
import {
  interleavedTimes,
  PASSWORD,
  startServer,
  welch,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const SAMPLES = 150;
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

describe.each(['login', 'recover'] as const)('%s', (name) => {
  const guess = guesses[name];

  test('[T4] a known and an unknown account take the same time', { timeout: 120_000 }, async () => {
    const calls = { known: () => guess(known.email), unknown: () => guess(unknownEmail()) };
    const times = await interleavedTimes(calls, SAMPLES, WARM_UP);
    const t = welch(times.known, times.unknown);
    expect(Math.abs(t), `Welch's t over ${SAMPLES} samples each`).toBeLessThan(T_MAX);
  });
});

/** Many samples: an answer takes a millisecond, and a difference of one query shows. */
const SIGN_UP_SAMPLES = Number(process.env['SVC_TIMING_SAMPLES'] ?? 0);

describe('signing up', () => {
  test.skipIf(SIGN_UP_SAMPLES === 0)(
    '[T25] a taken address and a wrong setup token take the same time',
    { timeout: 600_000 },
    async () => {
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
    },
  );
});
