/** Who may sign up in each mode of `SIGNUP`. */
import {
  bodyOf,
  cookieOf,
  createFakeClock,
  createTeam,
  invitationTo,
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
  const email = `guest-${people}@example.test`;
  const answer = await server.anonymous.post('/auth/signup', { email, password: PASSWORD, ...body });
  const text = (await answer.text()).replace(/"requestId":"[0-9a-f-]{36}"/, '"requestId":""');
  return { status: answer.status, text, cookie: cookieOf(answer) };
}

/** Creates an invitation as the administrator, who can sign up with the setup token in every mode. */
async function invitationFor(server: TestServer) {
  const owner = await server.signUp({ email: ADMIN });
  const workspaceId = await createTeam(owner);
  return { owner, workspaceId, invite: () => invitationTo(owner, workspaceId) };
}

test('[D24] the mode closed accepts only the administrator with the setup token, and reveals nothing about addresses', async () => {
  await using server = await start('closed');
  const setupToken = readSetupToken(server.dataDir);
  const denied = await signUp(server);
  expect(denied.status).toBe(403);
  expect(JSON.parse(denied.text)).toMatchObject({
    error: { code: 'FORBIDDEN', message: 'Sign-up is closed on this service.' },
  });
  const same = { status: 403, text: denied.text };
  for (const body of [{ email: ADMIN }, { email: ADMIN, setupToken: 'wrong' }, { setupToken }])
    expect(await signUp(server, body)).toMatchObject(same);
  const { owner, invite } = await invitationFor(server);
  expect(owner.user.isPlatformAdmin).toBe(true);
  expect(await signUp(server, { invitation: await invite() })).toMatchObject(same);
  expect(await signUp(server, { email: ADMIN, setupToken })).toMatchObject(same);
});

test('[D24] the mode invited accepts the token of an open invitation, and does not spend it', async () => {
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

test('[D24] the mode invited rejects an invitation that expired or whose workspace was deleted', async () => {
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

test('[T25] with an invitation the administrator’s taken address stays taken, and without one it is rejected', async () => {
  await using server = await start('invited');
  const member = await invitationFor(server);
  const taken = await signUp(server, { email: ADMIN, invitation: await member.invite() });
  await using later = await startServer({ clock, config: { signUp: 'invited' } });
  expect(taken.status).toBe(409);
  expect((await signUp(later, { email: ADMIN })).status).toBe(403);
});

test('[D24] the mode open requires no invitation, and checks none', async () => {
  await using server = await start('open');
  expect((await signUp(server)).status).toBe(201);
  expect((await signUp(server, { invitation: 'one that never was' })).status).toBe(201);
});

test('[D24] the pages show how people may sign up', async () => {
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
