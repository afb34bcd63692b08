/**
 * Several credentials in one request. Browsers also send cookies that a sibling origin or another port has set, and a
 * proxy may use the Authorization header.
 */
import {
  bindProject,
  bodyOf,
  codeOf,
  connectRaw,
  createShell,
  shareOf,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

let victim: SessionActor;
let attacker: SessionActor;

const server = sharedServer();

beforeAll(async () => {
  [victim, attacker] = await Promise.all([server.signUp(), server.signUp()]);
});

/** The victim's browser, with one more cookie. */
const tossed = () => [
  `${victim.cookie}; ${attacker.cookie}`,
  `${attacker.cookie}; ${victim.cookie}`,
  `${victim.cookie};theme=dark;  svc_session =x`,
  `${victim.cookie}; svc_session=`,
  `${victim.cookie}; ${victim.cookie}`,
];

describe('several session cookies', () => {
  test('[T29] count as no session, in any order and for any owner', async () => {
    for (const cookie of tossed())
      expect(codeOf(await server.withCookie(cookie).api.getSession())).toBe('UNAUTHENTICATED');
    const mixed = await server.withCookie(tossed()[0] ?? '').api.listWorkspaces();
    expect(mixed).toMatchObject({
      status: 401,
      error: { message: expect.stringContaining('several'), details: { reason: 'several_cookies' } },
    });
  });

  test('[T29] count as no session when each has its own header', async () => {
    await using connection = await connectRaw(server.port);
    const headers = [victim.cookie, attacker.cookie].map((cookie) => `Cookie: ${cookie}\r\n`).join('');
    await connection.send(`GET /api/v1/session HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
    const { answers } = await connection.until(1);
    expect(answers.map(({ status }) => status)).toEqual([401]);
  });

  test('[T29] link a device to no account', async () => {
    const link = await server.beginLink();
    const params = { id: link.publicRequestId };
    for (const cookie of tossed()) {
      const { api } = server.withCookie(cookie);
      expect(codeOf(await api.approveDeviceLink({ params }))).toBe('UNAUTHENTICATED');
    }
    expect(bodyOf(await victim.api.getDeviceLink({ params })).state).toBe('pending');
  });

  test('[T29] open no stream, no page of an account, and no share for named accounts', async () => {
    const device = await server.linkDevice(victim);
    const { reportId } = await createShell(device, await bindProject(victim));
    const { slug } = await shareOf(victim, reportId, { mode: 'private', anonymousAllowed: false });
    const browser = server.withCookie(`${victim.cookie}; ${attacker.cookie}`);
    const stream = await browser.fetch(`/api/v1/reports/${reportId}/events`);
    expect(stream.status).toBe(401);
    expect(codeOf(await victim.api.readShare({ params: { slug } }))).toBe('ok');
    expect(codeOf(await browser.api.readShare({ params: { slug } }))).toBe('UNAUTHENTICATED');
    for (const path of ['/', '/settings']) {
      const page = async (by: { fetch: SessionActor['fetch'] }) =>
        (await by.fetch(path, { headers: { accept: 'text/html' } })).text();
      expect(await page(victim)).toContain(victim.email);
      expect(await page(browser)).not.toContain(victim.email);
    }
  });

  test('[T29] end no session by logging out, and count as cookies of a cross-site request', async () => {
    const cookie = `${victim.cookie}; ${attacker.cookie}`;
    expect(codeOf(await server.withCookie(cookie).api.logOut())).toBe('ok');
    expect(codeOf(await victim.api.getSession())).toBe('ok');
    expect(codeOf(await attacker.api.getSession())).toBe('ok');
    const withoutOrigin = await server.anonymous.fetch('/api/v1/auth/logout', {
      method: 'POST',
      headers: { cookie },
    });
    expect(withoutOrigin.status).toBe(403);
  });

  test('[T29] are distinguished from cookies with similar names', async () => {
    const cookie = `svc_session2=x; my_svc_session=x; ${victim.cookie}; SVC_SESSION=x; a="svc_session"`;
    expect(codeOf(await server.withCookie(cookie).api.getSession())).toBe('ok');
  });
});

test.each(['Basic dXNlcjpwYXNzd29yZA==', 'Bearer '])(
  '[D3] beside a session, an Authorization header without a token (%s) does not count',
  async (authorization) => {
    const response = await victim.fetch('/api/v1/workspaces', { headers: { authorization } });
    expect(response.status).toBe(200);
  },
);
