import {
  bodyOf,
  codeOf,
  cookieOf,
  createFakeClock,
  PASSWORD,
  startServer,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const clock = createFakeClock();
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.close());

/** A raw call of a browser that sends no cookie of its own. */
function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return server.anonymous.fetch(`/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

function signUpOutcome(body: { email: string; password: string; displayName?: string }) {
  return server.anonymous.api.signUp({ body });
}

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

  test('[D3] the address is kept trimmed and in lower case, and is taken in every spelling', async () => {
    const { user } = bodyOf(
      await signUpOutcome({ email: '  Grace.Hopper@Example.TEST ', password: PASSWORD }),
    );
    expect(user).toMatchObject({ email: 'grace.hopper@example.test', displayName: 'grace.hopper' });
    const again = await signUpOutcome({ email: 'GRACE.HOPPER@example.test', password: PASSWORD });
    expect(again).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    const login = await server.anonymous.api.logIn({
      body: { email: ' grace.HOPPER@example.test', password: PASSWORD },
    });
    expect(bodyOf(login).user.userId).toBe(user.userId);
  });

  test('[D3] of parallel sign-ups under one address one makes the account', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => signUpOutcome({ email: 'crowd@example.test', password: PASSWORD })),
    );
    expect(outcomes.map(codeOf).toSorted()).toEqual([...Array.from({ length: 7 }, () => 'CONFLICT'), 'ok']);
  });

  test('[D3] a display name is kept without the white space at its ends', async () => {
    const named = await signUpOutcome({
      email: 'named@example.test',
      password: PASSWORD,
      displayName: '  Ada Lovelace ',
    });
    expect(bodyOf(named).user.displayName).toBe('Ada Lovelace');
  });

  test('[D3] a display name of 80 characters fits, one of 81 or of white space alone does not', async () => {
    const outcome = (displayName: string) =>
      signUpOutcome({ email: `display-${displayName.length}@example.test`, password: PASSWORD, displayName });
    expect(codeOf(await outcome('n'.repeat(80)))).toBe('ok');
    expect(codeOf(await outcome('n'.repeat(81)))).toBe('VALIDATION_FAILED');
    expect(codeOf(await outcome('   '))).toBe('VALIDATION_FAILED');
  });

  test('[D3] a name part of more than 80 characters becomes a display name that the answer may hold', async () => {
    const { user } = bodyOf(
      await signUpOutcome({ email: `${'long'.repeat(30)}@example.test`, password: PASSWORD }),
    );
    expect(user.displayName).toBe('long'.repeat(20));
  });

  test.each([
    ['no address at all', 'nobody'],
    ['two addresses', 'a@example.test, b@example.test'],
    ['a line break', 'a@example.test\nb'],
    ['more than 254 characters', `${'a'.repeat(246)}@abc.test`],
  ])('[D3] an address with %s is refused', async (_, email) => {
    const outcome = await signUpOutcome({ email, password: PASSWORD });
    expect(outcome).toMatchObject({
      error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: '/email' }] } },
    });
  });

  test('[D3] an address of exactly 254 characters is accepted', async () => {
    const email = `${'a'.repeat(245)}@abc.test`;
    expect(email).toHaveLength(254);
    expect(codeOf(await signUpOutcome({ email, password: PASSWORD }))).toBe('ok');
  });
});

describe('choosing a password', () => {
  let people = 0;
  function choosing(password: string, localPart?: string) {
    people += 1;
    return signUpOutcome({ email: `${localPart ?? `p${people}`}@choosing-${people}.test`, password });
  }

  test.each([
    ['of 11 characters', 'x7!kPq2#vLm'],
    ['of 11 characters that take 22 UTF-16 units', '😀'.repeat(11)],
    ['of 257 characters', `${'ab'.repeat(128)}c`],
    ['of the list of common ones', '1qaz2wsx3edc'],
    ['of the list of common ones in other case', '1QAZ2wsx3EDC'],
  ])('[D3] a password %s is refused', async (_, password) => {
    const outcome = await choosing(password);
    expect(outcome).toMatchObject({
      status: 422,
      error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: '/password' }] } },
    });
  });

  test.each([
    ['of 12 characters', 'x7!kPq2#vLmz'],
    ['of 12 emoji', '😀'.repeat(12)],
    ['of 256 emoji', '😀'.repeat(256)],
    ['of control characters and line breaks', '\u0000\n\t\u0007\u001b\r\u0000\n\t\u0007\u001b\r'],
    ['of nothing but spaces', ' '.repeat(12)],
  ])('[D3] a password %s is accepted, and signs in', async (_, password) => {
    const { user } = bodyOf(await choosing(password));
    expect(codeOf(await server.anonymous.api.logIn({ body: { email: user.email, password } }))).toBe('ok');
  });

  test('[D3] a password that holds the name part of the address in any case is refused', async () => {
    expect(await choosing('my name is MARGareT', 'margaret')).toMatchObject({
      error: { code: 'VALIDATION_FAILED' },
    });
    expect(await choosing('it is mary, so there', 'Mary')).toMatchObject({
      error: { code: 'VALIDATION_FAILED' },
    });
  });

  test('[D3] a name part of three characters may stand in the password', async () => {
    expect(codeOf(await choosing('bob the builder of it', 'bob'))).toBe('ok');
  });

  test('[D3] the refusal repeats neither the password nor the address', async () => {
    const text = await (
      await post('/auth/signup', { email: 'x.y.z@q.test', password: '1QAZ2wsx3EDC' })
    ).text();
    expect(text).not.toMatch(/1qaz2wsx3edc/i);
    expect(text).not.toContain('x.y.z');
  });

  test('[D2] a password that was chosen decomposed signs in composed, and the other way round', async () => {
    const composed = 'Crème brûlée façade'.normalize('NFC');
    const decomposed = composed.normalize('NFD');
    expect(decomposed).not.toBe(composed);
    const one = bodyOf(await choosing(decomposed)).user.email;
    const other = bodyOf(await choosing(composed)).user.email;
    expect(codeOf(await server.anonymous.api.logIn({ body: { email: one, password: composed } }))).toBe('ok');
    expect(codeOf(await server.anonymous.api.logIn({ body: { email: other, password: decomposed } }))).toBe(
      'ok',
    );
  });

  test('[D3] the case of a password counts', async () => {
    const { email } = bodyOf(await choosing(PASSWORD)).user;
    const outcome = await server.anonymous.api.logIn({ body: { email, password: PASSWORD.toUpperCase() } });
    expect(codeOf(outcome)).toBe('UNAUTHENTICATED');
  });

  test('[D3] recovering and changing hold a new password to the same rules', async () => {
    const person = await server.signUp({ email: 'heinrich@example.test' });
    const recovered = await server.anonymous.api.recover({
      body: { email: person.email, recoveryCode: person.recoveryCode, newPassword: 'Heinrich was here' },
    });
    expect(recovered).toMatchObject({
      error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: '/newPassword' }] } },
    });
    const changed = await person.api.changePassword({
      body: { password: person.password, newPassword: '1qaz2wsx3edc' },
    });
    expect(changed).toMatchObject({
      error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: '/newPassword' }] } },
    });
    expect(codeOf(await server.anonymous.api.logIn({ body: person }))).toBe('VALIDATION_FAILED');
    const { email, password } = person;
    expect(codeOf(await server.anonymous.api.logIn({ body: { email, password } }))).toBe('ok');
  });
});

describe('logging in', () => {
  test('[D3] each login gives a session of its own', async () => {
    const { email, password, user, cookie } = await server.signUp();
    const answer = await post('/auth/login', { email, password });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ user });
    expect(cookieOf(answer)).not.toBe(cookie);
    expect(await codeOfSession(cookieOf(answer))).toBe('ok');
    expect(await codeOfSession(cookie)).toBe('ok');
  });

  test('[D3] a wrong password and an unknown address are refused, and set no cookie', async () => {
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
    '[T4] a cookie that was there before %s is replaced',
    async (call) => {
      const person = await server.signUp();
      const preset = `svc_session=${'A'.repeat(43)}`;
      const body = {
        signup: { email: `fixed-${person.email}`, password: PASSWORD },
        login: { email: person.email, password: person.password },
        recover: {
          email: person.email,
          recoveryCode: person.recoveryCode,
          newPassword: 'quite another secret',
        },
      }[call];
      const answer = await post(`/auth/${call}`, body, { cookie: preset, 'sec-fetch-site': 'same-origin' });
      expect(answer.ok).toBe(true);
      expect(cookieOf(answer)).toMatch(/^svc_session=[A-Za-z0-9_-]{43}$/);
      expect(cookieOf(answer)).not.toBe(preset);
      expect(await codeOfSession(preset)).toBe('UNAUTHENTICATED');
      expect(await codeOfSession(cookieOf(answer))).toBe('ok');
    },
  );

  test('[T4] a login over the session of another account leaves that session to the other', async () => {
    const victim = await server.signUp();
    const other = await server.signUp();
    const credentials = { email: victim.email, password: victim.password };
    const answer = await post('/auth/login', credentials, {
      cookie: other.cookie,
      'sec-fetch-site': 'same-origin',
    });
    expect(cookieOf(answer)).not.toBe(other.cookie);
    expect(bodyOf(await other.api.getSession()).user.userId).toBe(other.user.userId);
    expect(bodyOf(await server.withCookie(cookieOf(answer)).api.getSession()).user.userId).toBe(
      victim.user.userId,
    );
  });
});

describe('recovering', () => {
  const newPassword = 'a newer secret than before';

  test('[D3] the code sets a password, is spent, and a new one takes its place', async () => {
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
    expect(codeOf(await api.logIn({ body: { email, password } }))).toBe('UNAUTHENTICATED');
    expect(codeOf(await api.logIn({ body: { email, password: newPassword } }))).toBe('ok');
    expect(codeOf(await api.recover({ body: { email, recoveryCode, newPassword } }))).toBe('UNAUTHENTICATED');
    const again = { email, recoveryCode: recovered.recoveryCode, newPassword: 'the newest secret of all' };
    expect(codeOf(await api.recover({ body: again }))).toBe('ok');
  });

  test('[D3] every other session of the account ends', async () => {
    const person = await server.signUp();
    const login = await post('/auth/login', { email: person.email, password: person.password });
    const answer = await post('/auth/recover', {
      email: person.email,
      recoveryCode: person.recoveryCode,
      newPassword,
    });
    expect(await codeOfSession(person.cookie)).toBe('UNAUTHENTICATED');
    expect(await codeOfSession(cookieOf(login))).toBe('UNAUTHENTICATED');
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
  ])('[D1] the code is known %s', async (_, typed) => {
    const { email, recoveryCode } = await server.signUp();
    const body = { email, recoveryCode: typed(recoveryCode), newPassword };
    expect(codeOf(await server.anonymous.api.recover({ body }))).toBe('ok');
  });

  test('[D3] a wrong code changes nothing', async () => {
    const { email, password, cookie, recoveryCode } = await server.signUp();
    const last = recoveryCode.endsWith('0') ? '2' : '0';
    const body = { email, recoveryCode: recoveryCode.slice(0, -1) + last, newPassword };
    expect(await server.anonymous.api.recover({ body })).toMatchObject({
      status: 401,
      error: { code: 'UNAUTHENTICATED' },
    });
    expect(await codeOfSession(cookie)).toBe('ok');
    expect(codeOf(await server.anonymous.api.logIn({ body: { email, password } }))).toBe('ok');
  });

  test('[T4] a code that 100 parallel calls use works once', async () => {
    const { email, recoveryCode } = await server.signUp();
    const secret = (index: number) => `parallel secret ${index}`;
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        server.anonymous.api.recover({ body: { email, recoveryCode, newPassword: secret(index) } }),
      ),
    );
    const won = outcomes.findIndex(({ ok }) => ok);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(new Set(outcomes.filter(({ ok }) => !ok).map(codeOf))).toEqual(new Set(['UNAUTHENTICATED']));
    expect(codeOf(await server.anonymous.api.logIn({ body: { email, password: secret(won) } }))).toBe('ok');
  });
});
