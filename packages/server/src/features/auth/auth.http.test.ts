import { atOnce, bodyOf, codeOf, cookieOf, createFakeClock, PASSWORD } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { describe, expect, test } from 'vitest';

const clock = createFakeClock();
const server = sharedServer({ clock });

const post = (path: string, body: unknown, headers?: Record<string, string>) =>
  server.anonymous.post(path, body, headers);
const signUpOutcome = (body: { email: string; password: string; displayName?: string }) =>
  server.anonymous.api.signUp({ body });
const logIn = (email: string, password: string) => server.anonymous.api.logIn({ body: { email, password } });

async function codeOfSession(cookie: string): Promise<string> {
  return codeOf(await server.withCookie(cookie).api.getSession());
}

describe('signing up', () => {
  test('[D3] an account comes with a session, a recovery code and one personal workspace', async () => {
    const answer = await post('/auth/signup', { email: 'ada@example.test', password: PASSWORD });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({
      user: {
        userId: expect.stringMatching(/^usr_[0-9a-hjkmnp-tv-z]{26}$/),
        email: 'ada@example.test',
        displayName: 'ada',
        createdAt: new Date(clock.now()).toISOString(),
        isPlatformAdmin: false,
      },
      recoveryCode: expect.stringMatching(/^(?:[0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/),
    });
    const { workspaces } = bodyOf(await server.withCookie(cookieOf(answer)).api.listWorkspaces());
    expect(workspaces).toMatchObject([{ name: 'Personal', kind: 'personal', role: 'owner', plan: 'free' }]);
  });

  test('[D3] the address is stored trimmed and in lower case, and accepted with white space and in any letter case', async () => {
    const { user } = bodyOf(
      await signUpOutcome({ email: '  Grace.Hopper@Example.TEST ', password: PASSWORD }),
    );
    expect(user).toMatchObject({ email: 'grace.hopper@example.test', displayName: 'grace.hopper' });
    const again = await signUpOutcome({ email: 'GRACE.HOPPER@example.test', password: PASSWORD });
    expect(again).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    const login = await logIn(' grace.HOPPER@example.test', PASSWORD);
    expect(bodyOf(login).user.userId).toBe(user.userId);
  });

  test('[D3] parallel sign-ups under one address create one account', async () => {
    const body = { email: 'crowd@example.test', password: PASSWORD };
    const outcomes = await atOnce(8, () => signUpOutcome(body));
    expect(outcomes.map(codeOf).toSorted()).toEqual([...Array.from({ length: 7 }, () => 'CONFLICT'), 'ok']);
  });

  test('[D3] a display name is stored without white space at its ends', async () => {
    const body = { email: 'named@example.test', password: PASSWORD, displayName: '  Ada Lovelace ' };
    expect(bodyOf(await signUpOutcome(body)).user.displayName).toBe('Ada Lovelace');
    const nameless = { ...body, email: 'nameless@example.test', displayName: '   ' };
    expect(codeOf(await signUpOutcome(nameless))).toBe('VALIDATION_FAILED');
  });

  test('[D3] a name part of more than 80 characters becomes a display name within the limit', async () => {
    const { user } = bodyOf(
      await signUpOutcome({ email: `${'long'.repeat(30)}@example.test`, password: PASSWORD }),
    );
    expect(user.displayName).toBe('long'.repeat(20));
  });
});

describe('choosing a password', () => {
  let people = 0;
  function choosing(password: string, localPart?: string) {
    people += 1;
    return signUpOutcome({ email: `${localPart ?? `p${people}`}@choosing-${people}.test`, password });
  }

  test.each([
    ['from the list of common passwords', '1qaz2wsx3edc', undefined],
    ['from the list of common passwords in another letter case', '1QAZ2wsx3EDC', undefined],
    ['with the name part of the address', 'it is mary, so there', 'Mary'],
    ['with the name part of the address in another letter case', 'my name is MARGareT', 'margaret'],
  ])('[D3] a password %s is rejected, and not repeated in the response', async (_, password, localPart) => {
    const outcome = await choosing(password, localPart);
    expect(outcome).toMatchObject({
      status: 422,
      error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: '/password' }] } },
    });
    expect(JSON.stringify(outcome).toLowerCase()).not.toContain(password.toLowerCase());
    expect(JSON.stringify(outcome)).not.toContain('@choosing');
  });

  test.each([
    ['of 256 emoji', '😀'.repeat(256)],
    ['of control characters and line breaks', '\u0000\n\t\u0007\u001b\r\u0000\n\t\u0007\u001b\r'],
    ['of nothing but spaces', ' '.repeat(12)],
  ])('[D3] a password %s is accepted, and signs in', async (_, password) => {
    const { user } = bodyOf(await choosing(password));
    expect(codeOf(await logIn(user.email, password))).toBe('ok');
  });

  test('[D3] a name part of three characters is allowed in the password', async () => {
    expect(codeOf(await choosing('bob the builder of it', 'bob'))).toBe('ok');
  });

  test('[D2] a password chosen in decomposed form is accepted in composed form, and vice versa', async () => {
    const composed = 'Crème brûlée façade'.normalize('NFC');
    const decomposed = composed.normalize('NFD');
    expect(decomposed).not.toBe(composed);
    const one = bodyOf(await choosing(decomposed)).user.email;
    const other = bodyOf(await choosing(composed)).user.email;
    expect(codeOf(await logIn(one, composed))).toBe('ok');
    expect(codeOf(await logIn(other, decomposed))).toBe('ok');
  });

  test('[D3] the case of a password matters', async () => {
    const { email } = bodyOf(await choosing(PASSWORD)).user;
    expect(codeOf(await logIn(email, PASSWORD.toUpperCase()))).toBe('UNAUTHENTICATED');
  });

  test('[D3] recovery and a change apply the same rules to a new password', async () => {
    const { api, email, password, recoveryCode } = await server.signUp({ email: 'heinrich@example.test' });
    for (const outcome of [
      await server.anonymous.api.recover({ body: { email, recoveryCode, newPassword: 'Heinrich was here' } }),
      await api.changePassword({ body: { password, newPassword: '1qaz2wsx3edc' } }),
    ])
      expect(outcome).toMatchObject({
        error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: '/newPassword' }] } },
      });
    expect(codeOf(await logIn(email, password))).toBe('ok');
  });
});

describe('logging in', () => {
  test('[D3] each login creates its own session', async () => {
    const { email, password, user, cookie } = await server.signUp();
    const answer = await post('/auth/login', { email, password });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ user });
    expect(cookieOf(answer)).not.toBe(cookie);
    expect(await codeOfSession(cookieOf(answer))).toBe('ok');
    expect(await codeOfSession(cookie)).toBe('ok');
  });

  test('[D3] a wrong password and an unknown address are rejected, and set no cookie', async () => {
    const { email, password } = await server.signUp();
    for (const body of [
      { email, password: `${password}.` },
      { email: 'unknown@example.test', password },
    ]) {
      const answer = await post('/auth/login', body);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  test.each(['signup', 'login', 'recover'] as const)(
    '[T4] a cookie from before %s is replaced',
    async (call) => {
      const person = await server.signUp();
      const preset = `svc_session=${'A'.repeat(43)}`;
      const { email, password, recoveryCode } = person;
      const body = {
        signup: { email: `fixed-${email}`, password },
        login: { email, password },
        recover: { email, recoveryCode, newPassword: 'quite another secret' },
      }[call];
      const answer = await post(`/auth/${call}`, body, { cookie: preset, 'sec-fetch-site': 'same-origin' });
      expect(answer.ok).toBe(true);
      expect(cookieOf(answer)).toMatch(/^svc_session=[A-Za-z0-9_-]{43}$/);
      expect(cookieOf(answer)).not.toBe(preset);
      expect(await codeOfSession(preset)).toBe('UNAUTHENTICATED');
      expect(await codeOfSession(cookieOf(answer))).toBe('ok');
    },
  );

  test('[T4] a login with the cookie of another account leaves the session of that account valid', async () => {
    const victim = await server.signUp();
    const other = await server.signUp();
    const { email, password } = victim;
    const headers = { cookie: other.cookie, 'sec-fetch-site': 'same-origin' };
    const cookie = cookieOf(await post('/auth/login', { email, password }, headers));
    expect(cookie).not.toBe(other.cookie);
    expect(bodyOf(await other.api.getSession()).user.userId).toBe(other.user.userId);
    const { user } = bodyOf(await server.withCookie(cookie).api.getSession());
    expect(user.userId).toBe(victim.user.userId);
  });
});

describe('recovering', () => {
  const newPassword = 'a newer secret than before';

  test('[D3] the code sets a password, is used up, and is replaced by a new one', async () => {
    const { email, password, recoveryCode, user } = await server.signUp();
    const answer = await post('/auth/recover', { email, recoveryCode, newPassword });
    expect(answer.status).toBe(200);
    const recovered = (await answer.json()) as { user: unknown; recoveryCode: string };
    expect(recovered).toEqual({
      user,
      recoveryCode: expect.stringMatching(/^(?:[0-9A-Z]{5}-){4}[0-9A-Z]{5}$/),
    });
    expect(recovered.recoveryCode).not.toBe(recoveryCode);
    expect(await codeOfSession(cookieOf(answer))).toBe('ok');

    const { api } = server.anonymous;
    expect(codeOf(await logIn(email, password))).toBe('UNAUTHENTICATED');
    expect(codeOf(await logIn(email, newPassword))).toBe('ok');
    expect(codeOf(await api.recover({ body: { email, recoveryCode, newPassword } }))).toBe('UNAUTHENTICATED');
    const again = { email, recoveryCode: recovered.recoveryCode, newPassword: 'the newest secret of all' };
    expect(codeOf(await api.recover({ body: again }))).toBe('ok');
  });

  test('[D3] every other session of the account ends', async () => {
    const person = await server.signUp();
    const { email, recoveryCode } = person;
    const other = await server.logIn(person);
    const answer = await post('/auth/recover', { email, recoveryCode, newPassword });
    for (const cookie of [person.cookie, other]) expect(await codeOfSession(cookie)).toBe('UNAUTHENTICATED');
    const { sessions } = bodyOf(await server.withCookie(cookieOf(answer)).api.listSessions());
    expect(sessions).toMatchObject([{ current: true }]);
  });

  test.each([
    ['in lower case', (code: string) => code.toLowerCase()],
    ['without hyphens', (code: string) => code.replaceAll('-', '')],
    [
      'with spaces for hyphens and white space around it',
      (code: string) => `  ${code.replaceAll('-', ' ')}\n`,
    ],
    ['with look-alikes for its digits', (code: string) => code.replaceAll('0', 'o').replaceAll('1', 'l')],
  ])('[D1] the code is accepted %s', async (_, typed) => {
    const { email, recoveryCode } = await server.signUp();
    const body = { email, recoveryCode: typed(recoveryCode), newPassword };
    expect(codeOf(await server.anonymous.api.recover({ body }))).toBe('ok');
  });

  test('[D3] a wrong code changes nothing', async () => {
    const { email, password, cookie, recoveryCode } = await server.signUp();
    const last = recoveryCode.endsWith('0') ? '2' : '0';
    const body = { email, recoveryCode: recoveryCode.slice(0, -1) + last, newPassword };
    expect(codeOf(await server.anonymous.api.recover({ body }))).toBe('UNAUTHENTICATED');
    expect(await codeOfSession(cookie)).toBe('ok');
    expect(codeOf(await logIn(email, password))).toBe('ok');
  });

  test('[T4] a code that 100 parallel calls use works once', async () => {
    const { email, recoveryCode } = await server.signUp();
    const secret = (index: number) => `parallel secret ${index}`;
    const outcomes = await atOnce(100, (index) =>
      server.anonymous.api.recover({ body: { email, recoveryCode, newPassword: secret(index) } }),
    );
    const won = outcomes.findIndex(({ ok }) => ok);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(new Set(outcomes.filter(({ ok }) => !ok).map(codeOf))).toEqual(new Set(['UNAUTHENTICATED']));
    expect(codeOf(await logIn(email, secret(won)))).toBe('ok');
  });
});
