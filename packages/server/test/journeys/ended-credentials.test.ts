/** A credential in steady use that ends: its cached record must not outlive the response that ended it. */
import { bodyOf, codeOf, type Actor, type SessionActor } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { expect, test } from 'vitest';

const USERS_AT_ONCE = 4;
const server = sharedServer();

const logIn = async (person: SessionActor): Promise<Actor> => server.withCookie(await server.logIn(person));

/**
 * Uses the credential without a pause, before and during `end`, and a few times after its response. Resolves to the
 * codes of the requests that were sent after that.
 */
async function useThrough(actor: Actor, end: () => Promise<{ ok: boolean }>): Promise<string[]> {
  let answered = false;
  const after: string[] = [];
  async function useOn(): Promise<void> {
    for (let late = 0; late < 3;) {
      const sentLate = answered;
      const code = codeOf(await actor.api.listWorkspaces());
      if (!sentLate) continue;
      late += 1;
      after.push(code);
    }
  }
  expect(codeOf(await actor.api.listWorkspaces())).toBe('ok');
  const using = Array.from({ length: USERS_AT_ONCE }, useOn);
  const outcome = await end();
  answered = true;
  await Promise.all(using);
  expect(outcome.ok).toBe(true);
  return after;
}

const NEW_PASSWORD = 'another horse battery staple';

const ends: [string, (owner: SessionActor, used: Actor) => Promise<{ ok: boolean }>][] = [
  ['logging out', (_, used) => used.api.logOut()],
  [
    'revoking it from another browser',
    async (owner) => {
      const { sessions } = bodyOf(await owner.api.listSessions());
      const other = sessions.find(({ current }) => !current);
      return owner.api.revokeSession({ params: { id: other?.sessionId ?? '' } });
    },
  ],
  [
    'changing the password',
    ({ api, password }) => api.changePassword({ body: { password, newPassword: NEW_PASSWORD } }),
  ],
  [
    'recovering the account',
    ({ email, recoveryCode }) =>
      server.anonymous.api.recover({ body: { email, recoveryCode, newPassword: NEW_PASSWORD } }),
  ],
  ['deleting the account', ({ api, password }) => api.deleteAccount({ body: { password } })],
];

test.each(ends)('[T19] a session in use is rejected after the response to %s', async (_, end) => {
  const owner = await server.signUp();
  const used = await logIn(owner);
  const after = await useThrough(used, () => end(owner, used));
  expect(new Set(after)).toEqual(new Set(['UNAUTHENTICATED']));
});

test('[T19] a device in use is rejected after the response to revoking it', async () => {
  const owner = await server.signUp();
  const device = await server.linkDevice(owner);
  const after = await useThrough(device, () => owner.api.revokeDevice({ params: { id: device.deviceId } }));
  expect(new Set(after)).toEqual(new Set(['DEVICE_REVOKED']));
});

test('[T19] a device in use is unknown after the response to deleting its account', async () => {
  const owner = await server.signUp();
  const device = await server.linkDevice(owner);
  const after = await useThrough(device, () =>
    owner.api.deleteAccount({ body: { password: owner.password } }),
  );
  expect(new Set(after)).toEqual(new Set(['UNAUTHENTICATED']));
});
