import {
  bodyOf,
  codeOf,
  cookieOf,
  createFakeClock,
  PASSWORD,
  startServer,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const clock = createFakeClock();
const server = sharedServer({ clock });

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

describe('the cookie', () => {
  test.each([
    ['http://svc.test', {}],
    ['https://svc.test', { Secure: true }],
  ])(
    '[D3] of %s is for this site only, hidden from scripts, and valid for 30 days',
    async (appBaseUrl, also) => {
      await using own = await startServer({ clock, config: { appBaseUrl } });
      const account = { email: 'cookie@example.test', password: PASSWORD };
      expect(attributesOf(await own.anonymous.post('/auth/signup', account))).toEqual({
        'Max-Age': '2592000',
        Path: '/',
        HttpOnly: true,
        SameSite: 'Lax',
        ...also,
      });
    },
  );

  test('[D3] is cleared by logging out, with the attributes it was set with', async () => {
    const { fetch } = await server.signUp();
    const answer = await fetch('/api/v1/auth/logout', { method: 'POST' });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^svc_session=;/);
    expect(attributesOf(answer)).toMatchObject({ Path: '/', HttpOnly: true, SameSite: 'Lax' });
    expect(Date.parse(String(attributesOf(answer)['Expires']))).toBeLessThan(clock.now());
  });
});

describe('logging out', () => {
  test('[D3] logging out returns the same without a session, with an invalid session, and when repeated', async () => {
    const person = await server.signUp();
    const callers = [
      server.anonymous,
      server.withCookie('svc_session=garbage'),
      server.withCookie(`svc_session=${'B'.repeat(43)}`),
      person,
      person,
    ];
    for (const { api } of callers) expect(bodyOf(await api.logOut())).toEqual({ loggedOut: true });
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
  test('[D16] contains the open sessions of the account, oldest first, and marks the current one', async () => {
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

  test('[D24] shows the system, browser and network of each sign-in', async () => {
    await using proxied = await startServer({ clock, config: { trustedProxyHops: 1 } });
    const { email, password } = await proxied.signUp();
    const headers = {
      'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0',
      'x-forwarded-for': '2001:db8:1:2::3',
    };
    const answer = await proxied.anonymous.post('/auth/login', { email, password }, headers);
    const { api } = proxied.withCookie(cookieOf(answer));
    expect(bodyOf(await api.listSessions()).sessions).toMatchObject([
      { system: 'unknown', browser: 'unknown', network: '127.0.0.0/24' },
      { system: 'macOS', browser: 'Firefox', network: '2001:db8:1::/48' },
    ]);
  });

  test('[D16] allows ending one of them, which is then no longer accepted', async () => {
    const person = await server.signUp();
    const second = await logIn(person);
    const { sessions } = bodyOf(await person.api.listSessions());
    const id = sessions.find(({ current }) => !current)?.sessionId ?? '';
    expect(bodyOf(await person.api.revokeSession({ params: { id } }))).toEqual({
      sessionId: id,
      revoked: true,
    });
    expect(await codeOfSession(second)).toBe('UNAUTHENTICATED');
    expect(await codeOfSession(person.cookie)).toBe('ok');
    expect(codeOf(await person.api.revokeSession({ params: { id } }))).toBe('NOT_FOUND');
  });

  test('[D16] allows ending the current session', async () => {
    const person = await server.signUp();
    const [own] = bodyOf(await person.api.listSessions()).sessions;
    expect(codeOf(await person.api.revokeSession({ params: { id: own?.sessionId ?? '' } }))).toBe('ok');
    expect(codeOf(await person.api.listSessions())).toBe('UNAUTHENTICATED');
  });
});

describe('a session', () => {
  test('[T5] ends 30 days after it began, however much it was used', async () => {
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

  test('[D24] ends when it was unused for SESSION_IDLE_DAYS, and the list shows that time', async () => {
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

  test('[D24] is deleted by the job when unused, and stays when used', async () => {
    await using strict = await startServer({ clock, config: { sessionIdleMs: 2 * DAY_MS } });
    await strict.signUp();
    const used = await strict.signUp();
    clock.advance(DAY_MS);
    bodyOf(await used.api.getSession());
    clock.advance(DAY_MS);
    await strict.runJob('expired sessions');
    const rows = await strict.service.database.read.selectFrom('sessions').select('userId').execute();
    expect(rows.map(({ userId }) => userId)).toEqual([used.user.userId]);
  });

  test('[D3] stores the hour of its last use', async () => {
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

  test('[T5] is deleted by the job when it has expired, and not before', async () => {
    const person = await server.signUp();
    clock.advance(DAY_MS);
    const later = await logIn(person);
    clock.advance(29 * DAY_MS);
    await server.runJob('expired sessions');
    const rows = await server.service.database.read
      .selectFrom('sessions')
      .selectAll()
      .where('userId', '=', person.user.userId)
      .execute();
    expect(rows).toHaveLength(1);
    expect(await codeOfSession(later)).toBe('ok');
  });
});
