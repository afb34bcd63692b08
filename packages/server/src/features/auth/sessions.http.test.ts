import {
  bodyOf,
  codeOf,
  cookieOf,
  createFakeClock,
  PASSWORD,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const clock = createFakeClock();
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.close());

const logIn = (person: SessionActor) => server.logIn(person);

async function codeOfSession(cookie: string): Promise<string> {
  return codeOf(await server.withCookie(cookie).api.getSession());
}

function attributesOf(response: Response): Record<string, string | true> {
  const [cookie = ''] = response.headers.getSetCookie();
  const [, ...attributes] = cookie.split('; ');
  return Object.fromEntries(
    attributes.map((attribute) => attribute.split('=')).map(([name, value]) => [name, value ?? true]),
  );
}

function signUpRaw(at: TestServer): Promise<Response> {
  return at.anonymous.fetch('/api/v1/auth/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'cookie@example.test', password: PASSWORD }),
  });
}

describe('the cookie', () => {
  test('[D3] is for this site, out of reach of scripts, and for 30 days', async () => {
    const answer = await signUpRaw(server);
    expect(attributesOf(answer)).toEqual({
      'Max-Age': '2592000',
      Path: '/',
      HttpOnly: true,
      SameSite: 'Lax',
    });
  });

  test('[D3] is for https only when the pages are', async () => {
    await using secured = await startServer({ clock, config: { appBaseUrl: 'https://svc.example.test' } });
    const answer = await signUpRaw(secured);
    expect(attributesOf(answer)).toEqual({
      'Max-Age': '2592000',
      Path: '/',
      HttpOnly: true,
      SameSite: 'Lax',
      Secure: true,
    });
  });

  test('[D3] is taken back by logging out, with the attributes it was set with', async () => {
    const { fetch } = await server.signUp();
    const answer = await fetch('/api/v1/auth/logout', { method: 'POST' });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^svc_session=;/);
    expect(attributesOf(answer)).toMatchObject({ Path: '/', HttpOnly: true, SameSite: 'Lax' });
    expect(Date.parse(String(attributesOf(answer)['Expires']))).toBeLessThan(clock.now());
  });
});

describe('logging out', () => {
  test('[T5] a session that was logged out is refused when it is replayed', async () => {
    const person = await server.signUp();
    const other = await logIn(person);
    expect(await person.api.logOut()).toMatchObject({ status: 200, body: { loggedOut: true } });
    expect(await person.api.getSession()).toMatchObject({ status: 401, error: { code: 'UNAUTHENTICATED' } });
    expect(await codeOfSession(other)).toBe('ok');
  });

  test('[D3] it is answered alike without a session, with one of garbage, and twice', async () => {
    const person = await server.signUp();
    const callers = [
      server.anonymous,
      server.withCookie('svc_session=garbage'),
      server.withCookie(`svc_session=${'B'.repeat(43)}`),
      person,
      person,
    ];
    for (const { api } of callers)
      expect(await api.logOut()).toMatchObject({ status: 200, body: { loggedOut: true } });
  });

  test('[D3] a device credential ends no session', async () => {
    const person = await server.signUp();
    const device = await server.linkDevice(person);
    expect(await device.api.logOut()).toMatchObject({ status: 200 });
    expect(await codeOfSession(person.cookie)).toBe('ok');
    expect(codeOf(await device.api.getCurrentDevice())).toBe('ok');
  });
});

describe('the list of sessions', () => {
  test('[D16] it holds the open ones of the account, oldest first, and marks the one that asks', async () => {
    const person = await server.signUp();
    clock.advance(1000);
    const second = await logIn(person);
    const ended = await logIn(person);
    await server.withCookie(ended).api.logOut();
    await server.signUp();
    const { sessions } = bodyOf(await server.withCookie(second).api.listSessions());
    expect(sessions).toMatchObject([{ current: false }, { current: true }]);
    for (const session of sessions) {
      expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(30 * DAY_MS);
    }
  });

  test('[D24] it says from which system, browser and network each was begun; older ones say nothing', async () => {
    await using proxied = await startServer({ clock, config: { trustedProxyHops: 1 } });
    const { email, password } = await proxied.signUp();
    const answer = await proxied.anonymous.fetch('/api/v1/auth/login', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0',
        'x-forwarded-for': '2001:db8:1:2::3',
      },
      body: JSON.stringify({ email, password }),
    });
    const { api } = proxied.withCookie(cookieOf(answer));
    const list = async () => bodyOf(await api.listSessions()).sessions;
    expect(await list()).toMatchObject([
      { system: 'unknown', browser: 'unknown', network: '127.0.0.0/24' },
      { system: 'macOS', browser: 'Firefox', network: '2001:db8:1::/48' },
    ]);
    const older = { system: null, browser: null, network: null };
    await proxied.service.database.transaction((tx) => tx.updateTable('sessions').set(older).execute());
    expect(await list()).toMatchObject([older, older]);
  });

  test('[D16] one of them can be ended, and then counts for nothing', async () => {
    const person = await server.signUp();
    const second = await logIn(person);
    const { sessions } = bodyOf(await person.api.listSessions());
    const id = sessions.find(({ current }) => !current)?.sessionId ?? '';
    expect(await person.api.revokeSession({ params: { id } })).toEqual({
      ok: true,
      status: 200,
      body: { sessionId: id, revoked: true },
    });
    expect(await codeOfSession(second)).toBe('UNAUTHENTICATED');
    expect(await codeOfSession(person.cookie)).toBe('ok');
    expect(codeOf(await person.api.revokeSession({ params: { id } }))).toBe('NOT_FOUND');
  });

  test('[D16] the session that asks can end itself', async () => {
    const person = await server.signUp();
    const [own] = bodyOf(await person.api.listSessions()).sessions;
    expect(codeOf(await person.api.revokeSession({ params: { id: own?.sessionId ?? '' } }))).toBe('ok');
    expect(codeOf(await person.api.listSessions())).toBe('UNAUTHENTICATED');
  });

  test("[T2] another's session, an unknown one and a malformed id are answered alike, and end nothing", async () => {
    const victim = await server.signUp();
    const stranger = await server.signUp();
    const [session] = bodyOf(await victim.api.listSessions()).sessions;
    const answers = [];
    for (const id of [session?.sessionId ?? '', `ses_${'0'.repeat(26)}`, 'ses_short', '%00']) {
      const { status, error } = (await stranger.api.revokeSession({ params: { id } })) as {
        status: number;
        error: { code: string; message: string };
      };
      answers.push({ status, code: error.code, message: error.message });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await codeOfSession(victim.cookie)).toBe('ok');
  });
});

describe('how long a session lives', () => {
  test('[T5] it ends 30 days after it began, however much it was used', async () => {
    const person = await server.signUp();
    for (let day = 0; day < 29; day += 1) {
      clock.advance(DAY_MS);
      expect(await codeOfSession(person.cookie)).toBe('ok');
    }
    clock.advance(DAY_MS - 1);
    expect(await codeOfSession(person.cookie)).toBe('ok');
    clock.advance(1);
    expect(await codeOfSession(person.cookie)).toBe('UNAUTHENTICATED');
  });

  test('[D24] it ends when it was not used for as long as SESSION_IDLE_DAYS says, and says so', async () => {
    await using strict = await startServer({ clock, config: { sessionIdleMs: 2 * DAY_MS } });
    clock.set(Math.ceil(clock.now() / HOUR_MS) * HOUR_MS + 20 * 60_000);
    const [unused, used] = await Promise.all([strict.signUp(), strict.signUp()]);
    const code = async ({ api }: SessionActor) => codeOf(await api.getSession());
    const [session] = bodyOf(await unused.api.listSessions()).sessions;
    expect(session?.expiresAt).toBe(new Date(clock.now() + 2 * DAY_MS).toISOString());
    clock.advance(2 * DAY_MS - 1);
    expect(await code(used)).toBe('ok');
    clock.advance(1);
    expect(await code(unused)).toBe('UNAUTHENTICATED');
    expect(await code(used)).toBe('ok');
    clock.advance(2 * DAY_MS);
    expect(await code(used)).toBe('UNAUTHENTICATED');
  });

  test('[D24] one that was not used is removed by the job, and one that was stays', async () => {
    await using strict = await startServer({ clock, config: { sessionIdleMs: 2 * DAY_MS } });
    const [unused, used] = await Promise.all([strict.signUp(), strict.signUp()]);
    clock.advance(DAY_MS);
    bodyOf(await used.api.getSession());
    clock.advance(DAY_MS);
    await strict.service.app.jobs.find(({ name }) => name === 'expired sessions')?.run();
    const rows = await strict.service.database.read.selectFrom('sessions').select('userId').execute();
    expect(rows.map(({ userId }) => userId)).toEqual([used.user.userId]);
    expect(unused.user.userId).not.toBe(used.user.userId);
  });

  test('[D3] what was last seen of it is kept to the hour', async () => {
    const hour = Math.ceil(clock.now() / HOUR_MS) * HOUR_MS;
    const lastSeen = async (cookie: string) =>
      bodyOf(await server.withCookie(cookie).api.listSessions()).sessions[0]?.lastSeenAt;
    clock.set(hour + 59 * 60_000);
    const { cookie } = await server.signUp();
    expect(await lastSeen(cookie)).toBe(new Date(hour).toISOString());
    clock.set(hour + HOUR_MS - 1);
    expect(await lastSeen(cookie)).toBe(new Date(hour).toISOString());
    clock.set(hour + HOUR_MS + 1);
    expect(await lastSeen(cookie)).toBe(new Date(hour + HOUR_MS).toISOString());
  });

  test('[T5] expired sessions are removed by their job, and only they', async () => {
    const person = await server.signUp();
    clock.advance(DAY_MS);
    const later = await logIn(person);
    clock.advance(29 * DAY_MS);
    const job = server.service.app.jobs.find(({ name }) => name === 'expired sessions');
    await job?.run();
    const rows = await server.service.database.read
      .selectFrom('sessions')
      .selectAll()
      .where('userId', '=', person.user.userId)
      .execute();
    expect(rows).toHaveLength(1);
    expect(await codeOfSession(later)).toBe('ok');
  });
});
