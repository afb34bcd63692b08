/** Passwords that are long enough and not common, but still easy to guess. */
import { codeOf, createFakeClock, PASSWORD } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { expect, test } from 'vitest';

const server = sharedServer({ clock: createFakeClock(), judgedPasswords: true });
let people = 0;
const signUp = (password: string, displayName?: string) => {
  people += 1;
  const email = `zz${people}@example.test`;
  return server.anonymous.api.signUp({ body: { email, password, ...(displayName ? { displayName } : {}) } });
};

test.each([
  ['purplepurplepurple', 'Repeated character patterns'],
  ['P@55w0rd2024', 'similar to a commonly used password'],
  ['qwertyuiop123456', ''],
  ['abcdefghijklmnop', 'Common character sequences'],
  ['aaaaaaaaaaaaaaaa', 'Repeated characters'],
  ['01.02.1999'.repeat(10), 'Repeated character patterns'],
  ['a'.repeat(256), 'Repeated characters'],
  [`${'a'.repeat(100)} and then several unrelated words`, 'Repeated characters'],
])('[D24] %s is rejected with the reason', async (password, reason) => {
  const outcome = await signUp(password);
  expect(outcome).toMatchObject({
    status: 422,
    error: {
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path: '/password', message: expect.stringContaining(reason) }] },
    },
  });
  expect(JSON.stringify(outcome)).not.toContain(password);
});

test.each([PASSWORD, 'seven red bicycles in the rain', 'grüner Tee um vier Uhr', 'k7#Qz!m2Lp9$'])(
  '[D24] %s is accepted',
  async (password) => {
    expect(codeOf(await signUp(password))).toBe('ok');
  },
);

test('[D24] the name of the person counts as known to an attacker', async () => {
  expect(codeOf(await signUp('Wilhelmina Featherstonehaugh', 'Wilhelmina Featherstonehaugh'))).toBe(
    'VALIDATION_FAILED',
  );
  expect(codeOf(await signUp('Wilhelmina Featherstonehaugh', 'Somebody else'))).toBe('ok');
});

test('[D24] recovery and a password change also reject a guessable password, and keep the old one', async () => {
  const person = await server.signUp();
  const { email, recoveryCode, password } = person;
  const weak = 'purplepurplepurple';
  const changed = await person.api.changePassword({ body: { password, newPassword: weak } });
  const recovered = await server.anonymous.api.recover({ body: { email, recoveryCode, newPassword: weak } });
  for (const outcome of [changed, recovered])
    expect(outcome).toMatchObject({
      status: 422,
      error: { details: { issues: [{ path: '/newPassword' }] } },
    });
  expect(codeOf(await server.anonymous.api.logIn({ body: { email, password } }))).toBe('ok');
  const body = { email, recoveryCode, newPassword: 'several unrelated words here' };
  expect(codeOf(await server.anonymous.api.recover({ body }))).toBe('ok');
});

test('[T4] at recovery only a right code makes the server rate the password', async () => {
  const { email } = await server.signUp();
  const recoveryCode = '00000-00000-00000-00000-00000';
  const body = { email, recoveryCode, newPassword: 'purplepurplepurple' };
  expect(codeOf(await server.anonymous.api.recover({ body }))).toBe('UNAUTHENTICATED');
});

test('[D24] passwords that are slow to rate do not block the service', async () => {
  const set = '4@8({[<3691!|7$5+2%';
  const hostile = Array.from({ length: 256 }, (_, at) => set[(at * 7 + (at >> 3)) % set.length]).join('');
  const judging = { isOver: false };
  const outcome = signUp(hostile).finally(() => {
    judging.isOver = true;
  });
  let answersMeanwhile = 0;
  while (!judging.isOver) {
    await server.anonymous.api.getHealth();
    answersMeanwhile += 1;
  }
  expect(codeOf(await outcome)).toBe('ok');
  expect(answersMeanwhile).toBeGreaterThan(5);
});
