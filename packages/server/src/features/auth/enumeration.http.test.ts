/** Login and recovery do not reveal whether an account exists: neither the bytes nor the time of a response differ. */
import { welch, interleavedTimes, wholeAnswer, PASSWORD, startServer, type SessionActor } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

const SAMPLES = 100;
const WARM_UP = 10;
const T_MAX = 4.5;
const WRONG_CODE = '00000-00000-00000-00000-00000';
const server = sharedServer({ costlyHashing: true });
let known: SessionActor;

beforeAll(async () => {
  known = await server.signUp();
});

const NEW_PASSWORD = 'a newer secret than before';
const post = (path: string, body: unknown) => server.anonymous.post(path, body);

/** Has the length of the known address, so that even the requests have equal sizes. */
const unknownEmail = () => known.email.replace(/^person/, 'nobody');

const guesses = {
  login: (email: string) => post('/auth/login', { email, password: 'not the password of it' }),
  recover: (email: string) =>
    post('/auth/recover', { email, recoveryCode: WRONG_CODE, newPassword: NEW_PASSWORD }),
};

/**
 * Processor time of all threads in microseconds. Hashing takes nearly all of it, however busy the machine is. On Linux only
 * the sum of user and system time is exact.
 */
async function processorTimeOf(call: () => Promise<Response>): Promise<number> {
  const before = process.cpuUsage();
  await (await call()).arrayBuffer();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

describe.each(['login', 'recover'] as const)('%s', (name) => {
  const guess = guesses[name];

  test('[T4] a known and an unknown account get the same bytes except for the request id', async () => {
    expect(await wholeAnswer(await guess(unknownEmail()))).toBe(await wholeAnswer(await guess(known.email)));
  });

  test('[T4] a known and an unknown account cost one hash each', { tags: 'thorough' }, async () => {
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
  test("[T4] another account's password and code get the same response as wrong ones", async () => {
    const { password, recoveryCode } = await server.signUp({ password: 'the password of another' });
    const { email } = known;
    const wrong = await wholeAnswer(await guesses.login(email));
    for (const body of [
      { email, password },
      { email: unknownEmail(), password: PASSWORD },
    ])
      expect(await wholeAnswer(await post('/auth/login', body))).toBe(wrong);
    const body = { email, recoveryCode, newPassword: NEW_PASSWORD };
    expect(await wholeAnswer(await post('/auth/recover', body))).toBe(
      await wholeAnswer(await guesses.recover(email)),
    );
  });

  test('[T4] a malformed code gets the same response as a wrong one, for any account', async () => {
    const wrong = await wholeAnswer(await guesses.recover(known.email));
    for (const recoveryCode of ['x', '-----', 'ÄÖÜ', ' '.repeat(100)]) {
      for (const email of [known.email, unknownEmail()]) {
        const body = { email, recoveryCode, newPassword: NEW_PASSWORD };
        expect(await wholeAnswer(await post('/auth/recover', body))).toBe(wrong);
      }
    }
  });
});

/**
 * The number of samples. There are many, because a response takes a millisecond and one more query must be detected.
 */
const SIGN_UP_SAMPLES = 1500;

describe('signing up', { tags: 'thorough' }, () => {
  test('[T25] a taken address and a wrong setup token take the same time', { timeout: 600_000 }, async () => {
    const administrator = known.email.replace(/^person/, 'bosses');
    await using guarded = await startServer({ config: { platformAdminEmail: administrator } });
    const taken = await guarded.signUp({ email: known.email });
    const signUp = (email: string) =>
      guarded.anonymous.post('/auth/signup', { email, password: PASSWORD, setupToken: 'x'.repeat(43) });
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
