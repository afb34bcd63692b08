/** What is logged about wrong passwords and recovery codes. */
import { bodyOf, codeOf } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { expect, test } from 'vitest';

const WRONG = 'wrong but quite long';
const NEW_PASSWORD = 'several unrelated words here';
const server = sharedServer({ config: { trustedProxyHops: 1 } });
/** The log lines about failures that `call` adds. */
async function failuresOf(call: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const before = server.logLines.length;
  await call();
  const lines = server.logLines.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.filter(({ msg }) => String(msg).endsWith('failed')).map(({ time: _, ...line }) => line);
}

async function post(path: string, body: unknown, network = '198.51.100.7'): Promise<number> {
  const answer = await server.anonymous.post(path, body, { 'x-forwarded-for': network });
  await answer.text();
  return answer.status;
}

test('[D24] a failed login, recovery or confirmation is logged in one line with the account and the network', async () => {
  const person = await server.signUp();
  const { email, user } = person;
  const expected = { level: 'warn', userId: user.userId, network: '198.51.100.7' };
  expect(await failuresOf(() => post('/auth/login', { email, password: WRONG }))).toEqual([
    { ...expected, msg: 'login failed' },
  ]);
  const recovery = { email, recoveryCode: '00000-00000-00000-00000-00000', newPassword: NEW_PASSWORD };
  expect(await failuresOf(() => post('/auth/recover', recovery))).toEqual([
    { ...expected, msg: 'recovery failed' },
  ]);
  const confirm = async () =>
    expect(codeOf(await person.api.replaceRecoveryCode({ body: { password: WRONG } }))).toBe('FORBIDDEN');
  expect(await failuresOf(confirm)).toEqual([
    { ...expected, network: '127.0.0.1', msg: 'password confirmation failed' },
  ]);
});

test('[T22] an address without an account is logged as a keyed digest that differs between deployments', async () => {
  const logIn = (email: string) => () => post('/auth/login', { email, password: WRONG }, '2001:db8:1:2::9');
  const [first] = await failuresOf(logIn('Canary-Nobody@example.test'));
  const [second] = await failuresOf(logIn('canary-nobody@example.test'));
  const [other] = await failuresOf(logIn('canary-other@example.test'));
  expect(first).toEqual({
    level: 'warn',
    addressDigest: expect.stringMatching(/^[\w-]{22}$/),
    network: '2001:db8:1:2::/64',
    msg: 'login failed',
  });
  expect(second).toEqual(first);
  expect(other?.['addressDigest']).not.toBe(first?.['addressDigest']);
  const log = server.logLines.join('');
  for (const secret of ['canary', 'Canary', WRONG]) expect(log).not.toContain(secret);
});

test('[D24] a successful attempt is not logged as a failure', async () => {
  const person = await server.signUp();
  const { email, password } = person;
  expect(
    await failuresOf(async () => {
      expect(await post('/auth/login', { email, password })).toBe(200);
      bodyOf(await person.api.replaceRecoveryCode({ body: { password } }));
    }),
  ).toEqual([]);
});
