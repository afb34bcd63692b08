import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bodyOf,
  codeOf,
  cookieOf,
  createFakeClock,
  createTestDatabase,
  PASSWORD,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { inLane } from '@svc/testkit/lane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Of those who meet. */
const ROUNDS = inLane(3, 10);
const ADMIN_EMAIL = 'root@example.test';
const NEW_PASSWORD = 'another password entirely';
const clock = createFakeClock();
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ clock, config: { platformAdminEmail: ADMIN_EMAIL } });
});
afterAll(() => server.close());

function logInRaw(email: string, password: string): Promise<Response> {
  return server.anonymous.fetch('/api/v1/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
}

async function codeOfLogin(email: string, password: string): Promise<string> {
  return codeOf(await server.anonymous.api.logIn({ body: { email, password } }));
}

async function codeOfSession(cookie: string): Promise<string> {
  return codeOf(await server.withCookie(cookie).api.getSession());
}

async function makeTeam(owner: SessionActor, name = 'Team'): Promise<string> {
  clock.advance(1000);
  return bodyOf(await owner.api.createWorkspace({ body: { name } })).workspaceId;
}

async function joinTeam(
  owner: SessionActor,
  workspaceId: string,
  person: SessionActor,
  role: 'owner' | 'member',
): Promise<void> {
  const { url } = bodyOf(await owner.api.createInvitation({ params: { id: workspaceId } }));
  bodyOf(await person.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
  if (role === 'owner') {
    bodyOf(
      await owner.api.changeMember({
        params: { id: workspaceId, userId: person.user.userId },
        body: { role, password: owner.password },
      }),
    );
  }
}

function deleteAccount(person: SessionActor) {
  return person.api.deleteAccount({ body: { password: person.password } });
}

describe('changing the password', () => {
  test('[D16] the new one signs in, the old one no longer, and only this session stays', async () => {
    const person = await server.signUp();
    const other = cookieOf(await logInRaw(person.email, person.password));
    const changed = await person.api.changePassword({
      body: { password: person.password, newPassword: NEW_PASSWORD },
    });
    expect(changed).toMatchObject({ status: 200, body: { changed: true } });
    expect(await codeOfSession(person.cookie)).toBe('ok');
    expect(await codeOfSession(other)).toBe('UNAUTHENTICATED');
    expect(await codeOfLogin(person.email, person.password)).toBe('UNAUTHENTICATED');
    expect(await codeOfLogin(person.email, NEW_PASSWORD)).toBe('ok');
  });

  test('[D16] the recovery code stays valid', async () => {
    const { api, email, password, recoveryCode } = await server.signUp();
    bodyOf(await api.changePassword({ body: { password, newPassword: NEW_PASSWORD } }));
    const body = { email, recoveryCode, newPassword: PASSWORD };
    expect(codeOf(await server.anonymous.api.recover({ body }))).toBe('ok');
  });

  test('[D16] a wrong password is FORBIDDEN and changes nothing', async () => {
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
    const body = { email: person.email, recoveryCode: person.recoveryCode, newPassword: NEW_PASSWORD };
    expect(codeOf(await server.anonymous.api.recover({ body }))).toBe('ok');
  });

  test('[T4] no login with the old password outlives a change made at the same moment', async () => {
    const person = await server.signUp();
    let password: string = person.password;
    for (let round = 0; round < 12; round += 1) {
      const next = `password of round ${round}`;
      const [changed, ...logins] = await Promise.all([
        person.api.changePassword({ body: { password, newPassword: next } }),
        ...Array.from({ length: 4 }, () => logInRaw(person.email, password)),
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

  test('[T4] of parallel changes from one password exactly one is made', async () => {
    const person = await server.signUp();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        person.api.changePassword({
          body: { password: person.password, newPassword: `parallel password ${index}` },
        }),
      ),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const won = outcomes.findIndex(({ ok }) => ok);
    expect(await codeOfLogin(person.email, `parallel password ${won}`)).toBe('ok');
  });
});

describe('replacing the recovery code', () => {
  test('[D16] the new code recovers, and the old one no longer', async () => {
    const { api, email, password, recoveryCode: old } = await server.signUp();
    const { recoveryCode } = bodyOf(await api.replaceRecoveryCode({ body: { password } }));
    expect(recoveryCode).not.toBe(old);
    const recover = (code: string) =>
      server.anonymous.api.recover({ body: { email, recoveryCode: code, newPassword: NEW_PASSWORD } });
    expect(codeOf(await recover(old))).toBe('UNAUTHENTICATED');
    expect(codeOf(await recover(recoveryCode))).toBe('ok');
  });

  test('[D16] it ends no session', async () => {
    const person = await server.signUp();
    const other = cookieOf(await logInRaw(person.email, person.password));
    bodyOf(await person.api.replaceRecoveryCode({ body: { password: person.password } }));
    expect(await codeOfSession(other)).toBe('ok');
    expect(await codeOfSession(person.cookie)).toBe('ok');
  });
});

describe('deleting the account', () => {
  test('[D5] sessions, devices and the personal workspace with its projects go, and the address is free again', async () => {
    const person = await server.signUp();
    const device = await server.linkDevice(person);
    const [personal] = bodyOf(await person.api.listWorkspaces()).workspaces;
    const binding = `gone-${person.user.userId}`;
    bodyOf(
      await device.api.createProject({
        body: { workspaceId: personal?.workspaceId ?? '', name: 'repository', bindingPublicId: binding },
      }),
    );
    const other = cookieOf(await logInRaw(person.email, person.password));

    expect(await deleteAccount(person)).toEqual({
      ok: true,
      status: 200,
      body: { userId: person.user.userId, deleted: true },
    });

    expect(await codeOfSession(person.cookie)).toBe('UNAUTHENTICATED');
    expect(await codeOfSession(other)).toBe('UNAUTHENTICATED');
    expect(codeOf(await device.api.listWorkspaces())).toBe('UNAUTHENTICATED');
    expect(await codeOfLogin(person.email, person.password)).toBe('UNAUTHENTICATED');

    const again = await server.signUp({ email: person.email });
    expect(again.user.userId).not.toBe(person.user.userId);
    const [fresh] = bodyOf(await again.api.listWorkspaces()).workspaces;
    expect(bodyOf(await again.api.listProjects()).projects).toEqual([]);
    const rebound = await again.api.createProject({
      body: { workspaceId: fresh?.workspaceId ?? '', name: 'repository', bindingPublicId: binding },
    });
    expect(rebound).toMatchObject({ status: 201, body: { created: true } });
  });

  test('[D5] the answer takes the cookie back', async () => {
    const person = await server.signUp();
    const answer = await person.fetch('/api/v1/account', {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: person.password }),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^svc_session=;/);
  });

  test('[D5] teams without another member go, and teams with another owner stay', async () => {
    const leaving = await server.signUp();
    const staying = await server.signUp();
    const alone = await makeTeam(leaving, 'Alone');
    const together = await makeTeam(leaving, 'Together');
    const guest = await makeTeam(staying, 'Guest');
    await joinTeam(leaving, together, staying, 'owner');
    await joinTeam(staying, guest, leaving, 'member');
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

  test('[D5] the only owner of teams with members is refused, told which, and nothing is gone', async () => {
    const owner = await server.signUp();
    const member = await server.signUp();
    const one = await makeTeam(owner, 'First');
    await makeTeam(owner, 'Alone');
    const two = await makeTeam(owner, 'Second');
    await joinTeam(owner, one, member, 'member');
    await joinTeam(owner, two, member, 'member');
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
    const promote = {
      params: { id: one, userId: member.user.userId },
      body: { role: 'owner', password: owner.password },
    } as const;
    bodyOf(await owner.api.changeMember(promote));
    bodyOf(await owner.api.deleteWorkspace({ params: { id: two } }));
    expect(codeOf(await deleteAccount(owner))).toBe('ok');
  });

  test('[D5] two owners who delete their accounts at once never leave a member without an owner', async () => {
    const member = await server.signUp();
    for (let round = 0; round < 20; round += 1) {
      const [first, second] = await Promise.all([server.signUp(), server.signUp()]);
      const team = await makeTeam(first);
      await joinTeam(first, team, second, 'owner');
      await joinTeam(first, team, member, 'member');
      const outcomes = await Promise.all([deleteAccount(first), deleteAccount(second)]);
      expect(outcomes.map(codeOf).toSorted()).toEqual(['CONFLICT', 'ok']);
      const { members } = bodyOf(await member.api.listMembers({ params: { id: team } }));
      expect(members.map(({ role }) => role).toSorted()).toEqual(['member', 'owner']);
    }
  });

  test('[D5] an owner who deletes the account while the other leaves the team never leaves a member without an owner', async () => {
    const member = await server.signUp();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [first, second] = await Promise.all([server.signUp(), server.signUp()]);
      const team = await makeTeam(first);
      await joinTeam(first, team, second, 'owner');
      await joinTeam(first, team, member, 'member');
      const outcomes = await Promise.all([
        deleteAccount(first),
        second.api.removeMember({ params: { id: team, userId: second.user.userId } }),
      ]);
      expect(outcomes.map((outcome) => codeOf(outcome)).toSorted()).toEqual(['CONFLICT', 'ok']);
      const { members } = bodyOf(await member.api.listMembers({ params: { id: team } }));
      expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1);
    }
  });

  test('[D5] what a person does while their account is being deleted is done before, or refused', async () => {
    const host = await server.signUp();
    const team = await makeTeam(host);
    const statuses = new Set<number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = await server.signUp();
      const deletion = new AbortController();
      const busy = async (call: () => Promise<{ readonly status: number }>) => {
        while (!deletion.signal.aborted) statuses.add((await call()).status);
      };
      const acceptNext = async () => {
        const { url } = bodyOf(await host.api.createInvitation({ params: { id: team } }));
        return person.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } });
      };
      const approveNext = async () => {
        const { publicRequestId } = await server.beginLink();
        return person.api.approveDeviceLink({ params: { id: publicRequestId } });
      };
      const createNext = () => person.api.createWorkspace({ body: { name: 'Late' } });
      await Promise.all([
        ...Array.from({ length: 4 }, () => busy(createNext)),
        ...Array.from({ length: 4 }, () => busy(acceptNext)),
        ...Array.from({ length: 4 }, () => busy(approveNext)),
        deleteAccount(person).finally(() => deletion.abort()),
      ]);
    }
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 201, 401]);
  });
});

describe('the platform administrator', () => {
  test('[D17] is whoever signs up under the configured address, in whatever case', async () => {
    const { user } = await server.signUp({ email: 'Root@Example.test' });
    expect(user.isPlatformAdmin).toBe(true);
    const { user: other } = await server.signUp();
    expect(other.isPlatformAdmin).toBe(false);
  });

  test('[D17] is one only while that address is configured, and was so at sign-up', async () => {
    const database = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-admin-'));
    const start = (platformAdminEmail: string | null) =>
      startServer({ clock, config: { dataDir, database: database.config, platformAdminEmail } });
    const cookies: string[] = [];
    const areAdmins: boolean[][] = [];
    try {
      for (const configured of [ADMIN_EMAIL, null, 'later@example.test', ADMIN_EMAIL]) {
        await using restarted = await start(configured);
        if (cookies.length === 0) {
          for (const email of [ADMIN_EMAIL, 'later@example.test'])
            cookies.push((await restarted.signUp({ email })).cookie);
        }
        const sessions = await Promise.all(
          cookies.map((cookie) => restarted.withCookie(cookie).api.getSession()),
        );
        areAdmins.push(sessions.map((session) => bodyOf(session).user.isPlatformAdmin));
      }
    } finally {
      await database.drop();
      await rm(dataDir, { recursive: true });
    }
    expect(areAdmins).toEqual([
      [true, false],
      [false, false],
      [false, false],
      [true, false],
    ]);
  });
});
