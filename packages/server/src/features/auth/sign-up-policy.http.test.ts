/** Who may sign up, by `SIGNUP`. */
import {
  bodyOf,
  createFakeClock,
  PASSWORD,
  readSetupToken,
  startServer,
  type TestServer,
} from '@svc/testkit';
import { expect, test } from 'vitest';

const ADMIN = 'boss@example.test';
const DAY_MS = 86_400_000;
const clock = createFakeClock();

const start = (mode: 'open' | 'invited' | 'closed') =>
  startServer({ clock, config: { signUp: mode, platformAdminEmail: ADMIN } });

let people = 0;
async function signUp(server: TestServer, body: Record<string, unknown> = {}) {
  people += 1;
  const answer = await server.anonymous.fetch('/api/v1/auth/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `guest-${people}@example.test`, password: PASSWORD, ...body }),
  });
  const text = (await answer.text()).replace(/"requestId":"[0-9a-f-]{36}"/, '"requestId":""');
  return { status: answer.status, text, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

/** By the administrator, who gets in with the setup token in every mode. */
async function invitationFor(server: TestServer) {
  const owner = await server.signUp({ email: ADMIN });
  const { workspaceId } = bodyOf(await owner.api.createWorkspace({ body: { name: 'Team' } }));
  const invite = async () => {
    const { url } = bodyOf(await owner.api.createInvitation({ params: { id: workspaceId } }));
    return url.split('/').at(-1) ?? '';
  };
  return { owner, workspaceId, invite };
}

test('[D24] closed takes nobody but the administrator with the setup token, and reveals nothing about addresses', async () => {
  await using server = await start('closed');
  const setupToken = readSetupToken(server.dataDir);
  const denied = await signUp(server);
  expect(denied.status).toBe(403);
  expect(JSON.parse(denied.text)).toMatchObject({
    error: { code: 'FORBIDDEN', message: 'Sign-up is closed on this service.' },
  });
  const same = { status: 403, text: denied.text };
  expect(await signUp(server, { email: ADMIN })).toMatchObject(same);
  expect(await signUp(server, { email: ADMIN, setupToken: 'wrong' })).toMatchObject(same);
  expect(await signUp(server, { setupToken })).toMatchObject(same);
  const { owner, invite } = await invitationFor(server);
  expect(owner.user.isPlatformAdmin).toBe(true);
  expect(await signUp(server, { invitation: await invite() })).toMatchObject(same);
  expect(await signUp(server, { email: ADMIN, setupToken })).toMatchObject(same);
});

test('[D24] invited takes the token of an open invitation, which is not spent by it', async () => {
  await using server = await start('invited');
  const { workspaceId, invite } = await invitationFor(server);
  const invitation = await invite();
  for (const wrong of [undefined, 'x', 'A'.repeat(32), `${invitation}x`])
    expect((await signUp(server, { invitation: wrong })).status).toBe(403);
  expect((await signUp(server, { invitation })).status).toBe(201);
  const second = await signUp(server, { invitation });
  expect(second.status).toBe(201);
  const { api } = server.withCookie(second.cookie);
  expect(bodyOf(await api.acceptInvitation({ params: { token: invitation } }))).toEqual({
    workspaceId,
    role: 'member',
  });
  expect((await signUp(server, { invitation })).status).toBe(403);
});

test('[D24] invited rejects an invitation that expired or whose workspace was deleted', async () => {
  await using server = await start('invited');
  const { owner, workspaceId, invite } = await invitationFor(server);
  const old = await invite();
  clock.advance(7 * DAY_MS);
  expect((await signUp(server, { invitation: old })).status).toBe(403);
  const { api } = server.withCookie(await server.logIn(owner));
  const fresh = await invite();
  bodyOf(await api.deleteWorkspace({ params: { id: workspaceId } }));
  expect((await signUp(server, { invitation: fresh })).status).toBe(403);
});

test('[T25] an invitation does not stand in for the setup token', async () => {
  await using server = await start('invited');
  const member = await invitationFor(server);
  const taken = await signUp(server, { email: ADMIN, invitation: await member.invite() });
  await using later = await startServer({ clock, config: { signUp: 'invited' } });
  expect(taken.status).toBe(409);
  expect((await signUp(later, { email: ADMIN })).status).toBe(403);
});

test('[D24] open asks for no invitation, and looks at none', async () => {
  await using server = await start('open');
  expect((await signUp(server)).status).toBe(201);
  expect((await signUp(server, { invitation: 'one that never was' })).status).toBe(201);
});

test('[D24] the documents of pages say how people may sign up', async () => {
  for (const [mode, stated] of [
    ['open', undefined],
    ['invited', 'invited'],
    ['closed', 'closed'],
  ] as const) {
    await using server = await start(mode);
    for (const path of ['/', '/signup', '/invitations/nothing', '/s/nothing', '/nothing']) {
      const text = await (await server.anonymous.fetch(path, { headers: { accept: 'text/html' } })).text();
      expect(/<meta name="svc-signup" content="(\w+)">/.exec(text)?.[1]).toBe(stated);
    }
  }
});
