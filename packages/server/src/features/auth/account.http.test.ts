import {
  approveLink,
  atOnce,
  bindProject,
  bodyOf,
  codeOf,
  cookieOf,
  createFakeClock,
  createTeam,
  createTestStorage,
  invitationTo,
  joinTeam,
  PASSWORD,
  setRole,
  startServer,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { inLane } from '@svc/testkit/lane';
import { describe, expect, test } from 'vitest';

/** The number of races. */
const ROUNDS = inLane(3, 10);
const ADMIN_EMAIL = 'root@example.test';
const NEW_PASSWORD = 'another password entirely';
const clock = createFakeClock();
const server = sharedServer({ clock, config: { platformAdminEmail: ADMIN_EMAIL } });

const codeOfLogin = async (email: string, password: string) =>
  codeOf(await server.anonymous.api.logIn({ body: { email, password } }));
const codeOfSession = async (cookie: string) => codeOf(await server.withCookie(cookie).api.getSession());
const deleteAccount = ({ api, password }: SessionActor) => api.deleteAccount({ body: { password } });
const recover = ({ email, recoveryCode }: SessionActor) =>
  server.anonymous.api.recover({ body: { email, recoveryCode, newPassword: NEW_PASSWORD } });

/** Creates a team a second later, so it is newer than the existing data. */
function newTeam(owner: SessionActor, others: readonly SessionActor[] = [], name = 'Team'): Promise<string> {
  clock.advance(1000);
  return createTeam(owner, others, name);
}

describe('changing the password', () => {
  test('[D16] makes only the new password valid, and keeps only this session and the recovery code', async () => {
    const person = await server.signUp();
    const other = await server.logIn(person);
    const body = { password: person.password, newPassword: NEW_PASSWORD };
    expect(bodyOf(await person.api.changePassword({ body }))).toEqual({ changed: true });
    expect(await codeOfSession(person.cookie)).toBe('ok');
    expect(await codeOfSession(other)).toBe('UNAUTHENTICATED');
    expect(await codeOfLogin(person.email, person.password)).toBe('UNAUTHENTICATED');
    expect(await codeOfLogin(person.email, NEW_PASSWORD)).toBe('ok');
    expect(codeOf(await recover(person))).toBe('ok');
  });

  test('[D16] with a wrong password is FORBIDDEN and changes nothing', async () => {
    const person = await server.signUp();
    const wrong = 'not the password';
    for (const outcome of [
      await person.api.changePassword({ body: { password: wrong, newPassword: NEW_PASSWORD } }),
      await person.api.replaceRecoveryCode({ body: { password: wrong } }),
      await person.api.deleteAccount({ body: { password: wrong } }),
    ]) {
      expect(outcome).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
    }
    expect(await codeOfSession(person.cookie)).toBe('ok');
    expect(await codeOfLogin(person.email, person.password)).toBe('ok');
    expect(codeOf(await recover(person))).toBe('ok');
  });

  test('[T4] ends every session that a simultaneous login with the old password began', async () => {
    const person = await server.signUp();
    let password: string = person.password;
    for (let round = 0; round < 12; round += 1) {
      const next = `password of round ${round}`;
      const [changed, ...logins] = await Promise.all([
        person.api.changePassword({ body: { password, newPassword: next } }),
        ...Array.from({ length: 4 }, () =>
          server.anonymous.post('/auth/login', { email: person.email, password }),
        ),
      ]);
      expect(codeOf(changed)).toBe('ok');
      for (const login of logins) {
        expect([200, 401]).toContain(login.status);
        expect(await codeOfSession(cookieOf(login))).toBe('UNAUTHENTICATED');
      }
      password = next;
    }
    expect(bodyOf(await person.api.listSessions()).sessions).toHaveLength(1);
  });

  test('[T4] succeeds once when parallel changes start from the same password', async () => {
    const person = await server.signUp();
    const outcomes = await atOnce(6, (index) =>
      person.api.changePassword({
        body: { password: person.password, newPassword: `parallel password ${index}` },
      }),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const won = outcomes.findIndex(({ ok }) => ok);
    expect(await codeOfLogin(person.email, `parallel password ${won}`)).toBe('ok');
  });
});

describe('replacing the recovery code', () => {
  test('[D16] makes only the new code valid, and ends no session', async () => {
    const person = await server.signUp();
    const other = await server.logIn(person);
    const { recoveryCode } = bodyOf(await person.api.replaceRecoveryCode({ body: { password: PASSWORD } }));
    for (const cookie of [other, person.cookie]) expect(await codeOfSession(cookie)).toBe('ok');
    expect(codeOf(await recover(person))).toBe('UNAUTHENTICATED');
    expect(codeOf(await recover({ ...person, recoveryCode }))).toBe('ok');
  });
});

describe('deleting the account', () => {
  test('[D5] deletes sessions, devices and the personal workspace with its projects, and frees the address', async () => {
    const person = await server.signUp();
    const device = await server.linkDevice(person);
    const binding = `gone-${person.user.userId}`;
    await bindProject(device, undefined, binding);
    const other = await server.logIn(person);

    expect(bodyOf(await deleteAccount(person))).toEqual({ userId: person.user.userId, deleted: true });

    for (const cookie of [person.cookie, other]) expect(await codeOfSession(cookie)).toBe('UNAUTHENTICATED');
    expect(codeOf(await device.api.listWorkspaces())).toBe('UNAUTHENTICATED');
    expect(await codeOfLogin(person.email, person.password)).toBe('UNAUTHENTICATED');

    const again = await server.signUp({ email: person.email });
    expect(again.user.userId).not.toBe(person.user.userId);
    expect(bodyOf(await again.api.listProjects()).projects).toEqual([]);
    await bindProject(again, undefined, binding);
  });

  test('[D5] clears the cookie', async () => {
    const person = await server.signUp();
    const answer = await person.fetch('/api/v1/account', {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: person.password }),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^svc_session=;/);
  });

  test('[D5] deletes teams without another member, and keeps teams with another owner', async () => {
    const leaving = await server.signUp();
    const staying = await server.signUp();
    const alone = await newTeam(leaving, [], 'Alone');
    const together = await newTeam(leaving, [], 'Together');
    await newTeam(staying, [leaving], 'Guest');
    await joinTeam(leaving, together, staying, 'owner');
    expect(codeOf(await deleteAccount(leaving))).toBe('ok');
    const { workspaces } = bodyOf(await staying.api.listWorkspaces());
    expect(workspaces.map(({ name }) => name)).toEqual(['Personal', 'Together', 'Guest']);
    const { members } = bodyOf(await staying.api.listMembers({ params: { id: together } }));
    expect(members.map(({ userId }) => userId)).toEqual([staying.user.userId]);
    const rows = await server.service.database.read
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', alone)
      .execute();
    expect(rows).toEqual([]);
  });

  test('[D5] of the only owner of teams with members is rejected with a list of the teams, and deletes nothing', async () => {
    const [owner, member] = [await server.signUp(), await server.signUp()];
    const one = await newTeam(owner, [member], 'First');
    await newTeam(owner, [], 'Alone');
    const two = await newTeam(owner, [member], 'Second');
    expect(await deleteAccount(owner)).toMatchObject({
      status: 409,
      error: {
        code: 'CONFLICT',
        details: {
          workspaces: [
            { workspaceId: one, name: 'First' },
            { workspaceId: two, name: 'Second' },
          ],
        },
      },
    });
    const { workspaces } = bodyOf(await owner.api.listWorkspaces());
    expect(workspaces.map(({ name }) => name)).toEqual(['Personal', 'First', 'Alone', 'Second']);
    bodyOf(await setRole(owner, one, member, 'owner'));
    bodyOf(await owner.api.deleteWorkspace({ params: { id: two } }));
    expect(codeOf(await deleteAccount(owner))).toBe('ok');
  });

  test.each<[string, number, (second: SessionActor, id: string) => Promise<{ readonly ok: boolean }>]>([
    ['deletes their account', 20, (second) => deleteAccount(second)],
    [
      'leaves the team',
      ROUNDS,
      ({ api, user: { userId } }, id) => api.removeMember({ params: { id, userId } }),
    ],
  ])(
    '[D5] leaves a team with one owner, even if the other owner simultaneously %s',
    { tags: 'repeated' },
    async (_, rounds, end) => {
      const member = await server.signUp();
      for (let round = 0; round < rounds; round += 1) {
        const [first, second] = await Promise.all([server.signUp(), server.signUp()]);
        const team = await newTeam(first, [second, member]);
        bodyOf(await setRole(first, team, second, 'owner'));
        const outcomes = await Promise.all([deleteAccount(first), end(second, team)]);
        expect(outcomes.map((outcome) => codeOf(outcome)).toSorted()).toEqual(['CONFLICT', 'ok']);
        const { members } = bodyOf(await member.api.listMembers({ params: { id: team } }));
        expect(members.map(({ role }) => role).toSorted()).toEqual(['member', 'owner']);
      }
    },
  );

  test(
    '[D5] completes simultaneous actions of the person first, or rejects them',
    { tags: 'repeated' },
    async () => {
      const host = await server.signUp();
      const team = await newTeam(host);
      const statuses = new Set<number>();
      for (let round = 0; round < ROUNDS; round += 1) {
        const person = await server.signUp();
        const deletion = new AbortController();
        const busy = async (call: () => Promise<{ readonly status: number }>) => {
          while (!deletion.signal.aborted) statuses.add((await call()).status);
        };
        const acceptNext = async () => {
          const token = await invitationTo(host, team);
          return person.api.acceptInvitation({ params: { token } });
        };
        const approveNext = async () => approveLink(person, await server.beginLink());
        const createNext = () => person.api.createWorkspace({ body: { name: 'Late' } });
        await Promise.all([
          ...Array.from({ length: 4 }, () => busy(createNext)),
          ...Array.from({ length: 4 }, () => busy(acceptNext)),
          ...Array.from({ length: 4 }, () => busy(approveNext)),
          deleteAccount(person).finally(() => deletion.abort()),
        ]);
      }
      expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 201, 401]);
    },
  );
});

describe('the platform administrator', () => {
  test('[D17] is the account that signs up under the configured address, in any letter case', async () => {
    const { user } = await server.signUp({ email: 'Root@Example.test' });
    expect(user.isPlatformAdmin).toBe(true);
    const { user: other } = await server.signUp();
    expect(other.isPlatformAdmin).toBe(false);
  });

  test('[D17] needs both the flag from sign-up and the address that is configured now', async () => {
    await using storage = await createTestStorage();
    const { dataDir, database } = storage;
    const cookies: string[] = [];
    const areAdmins: boolean[][] = [];
    for (const platformAdminEmail of [ADMIN_EMAIL, null, 'later@example.test', ADMIN_EMAIL]) {
      await using restarted = await startServer({ clock, config: { dataDir, database, platformAdminEmail } });
      if (cookies.length === 0) {
        for (const email of [ADMIN_EMAIL, 'later@example.test'])
          cookies.push((await restarted.signUp({ email })).cookie);
      }
      const sessions = await Promise.all(
        cookies.map((cookie) => restarted.withCookie(cookie).api.getSession()),
      );
      areAdmins.push(sessions.map((session) => bodyOf(session).user.isPlatformAdmin));
    }
    expect(areAdmins).toEqual([
      [true, false],
      [false, false],
      [false, false],
      [true, false],
    ]);
  });
});
