import {
  bodyOf,
  codeOf,
  createFakeClock,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { inLane } from '@svc/testkit/lane';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

/** Of those who meet. */
const ROUNDS = inLane(3, 15);
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let member: SessionActor;
let stranger: SessionActor;

beforeAll(async () => {
  server = await startServer({ clock });
  [owner, member, stranger] = await Promise.all([server.signUp(), server.signUp(), server.signUp()]);
});
afterAll(() => server.close());
// Lists are by age; no two things of different tests or steps have the same.
beforeEach(() => clock.advance(1000));

const UNKNOWN = `ws_${'0'.repeat(26)}`;

async function makeTeam(name = 'Team', by = owner): Promise<string> {
  clock.advance(1000);
  return bodyOf(await by.api.createWorkspace({ body: { name } })).workspaceId;
}

async function join(
  workspaceId: string,
  person: SessionActor,
  role: 'owner' | 'member' = 'member',
): Promise<void> {
  clock.advance(1000);
  const { url } = bodyOf(await owner.api.createInvitation({ params: { id: workspaceId } }));
  bodyOf(await person.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
  if (role === 'owner') bodyOf(await setRole(workspaceId, person, 'owner'));
}

const setRole = (id: string, of: SessionActor, role: 'owner' | 'member', by = owner) =>
  by.api.changeMember({ params: { id, userId: of.user.userId }, body: { role, password: by.password } });
const remove = (id: string, of: SessionActor, by = owner) =>
  by.api.removeMember({ params: { id, userId: of.user.userId } });
const members = async (id: string, by = owner) =>
  bodyOf(await by.api.listMembers({ params: { id } })).members;
const workspacesOf = async (by: SessionActor) => bodyOf(await by.api.listWorkspaces()).workspaces;
async function personalOf(person: SessionActor): Promise<string> {
  return (await workspacesOf(person)).find(({ kind }) => kind === 'personal')?.workspaceId ?? '';
}

describe('making and listing workspaces', () => {
  test('[D5] a team workspace is on the free plan, and whoever makes it owns it', async () => {
    const person = await server.signUp();
    const outcome = await person.api.createWorkspace({ body: { name: '  The Team ' } });
    expect(outcome).toMatchObject({ status: 201 });
    const { workspaceId } = bodyOf(outcome);
    expect((await workspacesOf(person))[1]).toEqual({
      workspaceId,
      name: 'The Team',
      kind: 'team',
      role: 'owner',
      plan: 'free',
      createdAt: new Date(clock.now()).toISOString(),
    });
    expect(await members(workspaceId, person)).toEqual([
      {
        userId: person.user.userId,
        email: person.email,
        displayName: person.user.displayName,
        role: 'owner',
        joinedAt: new Date(clock.now()).toISOString(),
      },
    ]);
  });

  test('[D5] a device of the account makes and sees them too', async () => {
    const person = await server.signUp();
    const device = await server.linkDevice(person);
    const { workspaceId } = bodyOf(await device.api.createWorkspace({ body: { name: 'From a device' } }));
    const listed = bodyOf(await device.api.listWorkspaces()).workspaces;
    expect(listed.map((workspace) => workspace.workspaceId)).toContain(workspaceId);
    expect(listed).toEqual(await workspacesOf(person));
  });

  test.each([
    ['one character', 'x', 'VALIDATION_FAILED'],
    ['one character among white space', '  x  ', 'VALIDATION_FAILED'],
    ['two characters', 'ab', 'ok'],
    ['two emoji', '💻💻', 'ok'],
    ['80 characters', 'n'.repeat(80), 'ok'],
    ['81 characters', 'n'.repeat(81), 'VALIDATION_FAILED'],
    ['a line break', 'one\ntwo', 'VALIDATION_FAILED'],
    ['a bidirectional override', 'a\u202eb', 'VALIDATION_FAILED'],
  ])('[D5] a name of %s', async (_, name, code) => {
    expect(codeOf(await stranger.api.createWorkspace({ body: { name } }))).toBe(code);
  });

  test('[D2] the list is oldest first, and holds no workspace of others', async () => {
    const person = await server.signUp();
    for (const name of ['One', 'Two', 'Three']) await makeTeam(name, person);
    await makeTeam('Not theirs');
    expect((await workspacesOf(person)).map(({ name }) => name)).toEqual(['Personal', 'One', 'Two', 'Three']);
  });
});

describe('a workspace of others', () => {
  test('[T2] it is answered as one that never was, and as a malformed id, on every route', async () => {
    const id = await makeTeam();
    await join(id, member);
    const memberId = member.user.userId;
    const calls = {
      list: (at: string) => stranger.api.listMembers({ params: { id: at } }),
      delete: (at: string) => stranger.api.deleteWorkspace({ params: { id: at } }),
      change: (at: string) =>
        stranger.api.changeMember({
          params: { id: at, userId: memberId },
          body: { role: 'owner', password: stranger.password },
        }),
      remove: (at: string) => stranger.api.removeMember({ params: { id: at, userId: memberId } }),
      leave: (at: string) => stranger.api.removeMember({ params: { id: at, userId: stranger.user.userId } }),
      invite: (at: string) => stranger.api.createInvitation({ params: { id: at } }),
      projects: (at: string) => stranger.api.listProjects({ query: { workspaceId: at } }),
      quota: (at: string) => stranger.api.getSyncQuota({ query: { workspaceId: at } }),
      bind: (at: string) =>
        stranger.api.createProject({
          body: { workspaceId: at, name: 'x', bindingPublicId: 'stranger-binding' },
        }),
    };
    for (const [name, call] of Object.entries(calls)) {
      const answers = new Set<string>();
      for (const at of [id, UNKNOWN, 'ws_short', 'nothing']) {
        const outcome = await call(at);
        expect([name, codeOf(outcome)]).toEqual([name, 'NOT_FOUND']);
        answers.add(
          JSON.stringify([outcome.status, outcome.ok ? null : { ...outcome.error, requestId: '' }]),
        );
      }
      expect([name, answers.size]).toEqual([name, 1]);
    }
    expect(await members(id)).toHaveLength(2);
  });
});

describe('roles', () => {
  test('[D16] an owner changes roles, and a member can not', async () => {
    const id = await makeTeam();
    await join(id, member);
    expect(await setRole(id, owner, 'member', member)).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    });
    expect(codeOf(await setRole(id, member, 'owner', member))).toBe('FORBIDDEN');
    expect(await setRole(id, member, 'owner')).toEqual({
      ok: true,
      status: 200,
      body: { userId: member.user.userId, role: 'owner' },
    });
    expect(codeOf(await setRole(id, owner, 'member', member))).toBe('ok');
    expect(codeOf(await setRole(id, member, 'member', owner))).toBe('FORBIDDEN');
    expect((await members(id)).map(({ role }) => role)).toEqual(['member', 'owner']);
  });

  test('[D24] a role changes only with the password of the owner, and the password gives no right', async () => {
    const id = await makeTeam();
    await join(id, member);
    const params = { id, userId: member.user.userId };
    const change = (by: SessionActor, password: string) =>
      by.api.changeMember({ params, body: { role: 'owner', password } });
    expect(await change(owner, 'not the password')).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    });
    const without = await owner.fetch(`/api/v1/workspaces/${id}/members/${params.userId}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'owner' }),
    });
    expect(without.status).toBe(422);
    expect(codeOf(await change(await server.signUp(), 'not the password'))).toBe('NOT_FOUND');
    expect((await members(id)).map(({ role }) => role)).toEqual(['owner', 'member']);
    bodyOf(await change(owner, owner.password));
    expect((await members(id)).map(({ role }) => role)).toEqual(['owner', 'owner']);
  });

  test('[D16] an unknown role, a person who is not in it, and a malformed id', async () => {
    const id = await makeTeam();
    const params = { id, userId: owner.user.userId };
    const unknownRole = await owner.fetch(`/api/v1/workspaces/${params.id}/members/${params.userId}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'admin', password: owner.password }),
    });
    expect(unknownRole.status).toBe(422);
    expect(codeOf(await setRole(id, stranger, 'owner'))).toBe('NOT_FOUND');
    for (const userId of ['usr_short', `usr_${'0'.repeat(26)}`]) {
      const body = { role: 'owner', password: owner.password } as const;
      expect(codeOf(await owner.api.changeMember({ params: { id, userId }, body }))).toBe('NOT_FOUND');
      expect(codeOf(await owner.api.removeMember({ params: { id, userId } }))).toBe('NOT_FOUND');
    }
  });

  test('[D5] the last owner can not become a member', async () => {
    const id = await makeTeam();
    expect(codeOf(await setRole(id, owner, 'member'))).toBe('CONFLICT');
    await join(id, member);
    expect(await setRole(id, owner, 'member')).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    expect((await members(id)).map(({ role }) => role)).toEqual(['owner', 'member']);
  });

  test('[D5] two owners who step down at once leave one', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await makeTeam();
      await join(id, member, 'owner');
      const outcomes = await Promise.all([
        setRole(id, owner, 'member', owner),
        setRole(id, member, 'member', member),
      ]);
      expect(outcomes.map(codeOf).toSorted()).toEqual(['CONFLICT', 'ok']);
    }
  });

  test('[D5] two owners who demote each other at once leave one', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await makeTeam();
      await join(id, member, 'owner');
      const outcomes = await Promise.all([
        setRole(id, member, 'member', owner),
        setRole(id, owner, 'member', member),
      ]);
      expect(outcomes.map(codeOf).toSorted()).toEqual(['FORBIDDEN', 'ok']);
    }
  });
});

describe('leaving and removing', () => {
  test('[D16] a member may leave, and is then a stranger to it', async () => {
    const id = await makeTeam();
    await join(id, member);
    expect(await remove(id, member, member)).toEqual({
      ok: true,
      status: 200,
      body: { userId: member.user.userId, deleted: true },
    });
    expect(codeOf(await member.api.listMembers({ params: { id } }))).toBe('NOT_FOUND');
    expect((await workspacesOf(member)).map(({ workspaceId }) => workspaceId)).not.toContain(id);
  });

  test('[D16] an owner removes others, and a member nobody else', async () => {
    const id = await makeTeam();
    await join(id, member);
    const third = await server.signUp();
    await join(id, third);
    expect(codeOf(await remove(id, third, member))).toBe('FORBIDDEN');
    expect(codeOf(await remove(id, owner, member))).toBe('FORBIDDEN');
    expect(codeOf(await remove(id, third))).toBe('ok');
    expect(codeOf(await remove(id, third))).toBe('NOT_FOUND');
    expect((await members(id)).map(({ userId }) => userId)).toEqual([owner.user.userId, member.user.userId]);
  });

  test('[D5] the last owner can not leave while members remain', async () => {
    const id = await makeTeam();
    await join(id, member);
    expect(await remove(id, owner)).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    bodyOf(await setRole(id, member, 'owner'));
    expect(codeOf(await remove(id, owner))).toBe('ok');
    expect((await members(id, member)).map(({ userId }) => userId)).toEqual([member.user.userId]);
  });

  test('[D5] a team whose last member leaves is gone, and its bindings are free', async () => {
    const id = await makeTeam();
    const bindingPublicId = `left-behind-${id}`;
    bodyOf(await owner.api.createProject({ body: { workspaceId: id, name: 'x', bindingPublicId } }));
    expect(codeOf(await remove(id, owner))).toBe('ok');
    expect(codeOf(await owner.api.listMembers({ params: { id } }))).toBe('NOT_FOUND');
    const workspaceId = await makeTeam();
    const rebound = await owner.api.createProject({ body: { workspaceId, name: 'x', bindingPublicId } });
    expect(rebound).toMatchObject({ status: 201, body: { created: true } });
  });

  test('[D5] two owners who leave at once never leave a member without an owner', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await makeTeam();
      await join(id, member, 'owner');
      await join(id, stranger);
      const outcomes = await Promise.all([remove(id, owner, owner), remove(id, member, member)]);
      expect(outcomes.map(codeOf).toSorted()).toEqual(['CONFLICT', 'ok']);
      expect((await members(id, stranger)).filter(({ role }) => role === 'owner')).toHaveLength(1);
    }
  });
});

describe('a personal workspace', () => {
  test('[D5] it takes no invitations, and can be neither left nor deleted nor given away', async () => {
    const id = await personalOf(owner);
    expect(await owner.api.createInvitation({ params: { id } })).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT' },
    });
    expect(codeOf(await remove(id, owner))).toBe('CONFLICT');
    expect(codeOf(await owner.api.deleteWorkspace({ params: { id } }))).toBe('CONFLICT');
    expect(codeOf(await setRole(id, owner, 'member'))).toBe('CONFLICT');
    expect(await members(id)).toMatchObject([{ userId: owner.user.userId, role: 'owner' }]);
  });
});

describe('deleting a workspace', () => {
  test('[D5] an owner deletes it with its projects and memberships; a member can not', async () => {
    const id = await makeTeam();
    await join(id, member);
    const bindingPublicId = `deleted-${id}`;
    bodyOf(await member.api.createProject({ body: { workspaceId: id, name: 'x', bindingPublicId } }));
    expect(await member.api.deleteWorkspace({ params: { id } })).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    });
    expect(await owner.api.deleteWorkspace({ params: { id } })).toEqual({
      ok: true,
      status: 200,
      body: { workspaceId: id, deleted: true },
    });
    for (const person of [owner, member]) {
      expect(codeOf(await person.api.listMembers({ params: { id } }))).toBe('NOT_FOUND');
      const { projects } = bodyOf(await person.api.listProjects());
      expect(projects.map((project) => project.bindingPublicId)).not.toContain(bindingPublicId);
    }
    expect(codeOf(await owner.api.deleteWorkspace({ params: { id } }))).toBe('NOT_FOUND');
  });

  test('[D5] what members do while it is being deleted is done before, or finds nothing', async () => {
    const codes = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await makeTeam();
      await join(id, member, 'owner');
      const bind = (index: number) =>
        member.api.createProject({
          body: { workspaceId: id, name: 'x', bindingPublicId: `race-${id}-${index}` },
        });
      const outcomes = await Promise.all([
        bind(1),
        bind(2),
        member.api.createInvitation({ params: { id } }),
        owner.api.deleteWorkspace({ params: { id } }),
        bind(3),
        member.api.createInvitation({ params: { id } }),
        setRole(id, owner, 'member', member),
        remove(id, member, member),
      ]);
      for (const outcome of outcomes) codes.add(codeOf(outcome));
      // Whoever came first, nothing is left of it, or all of it is.
      const left = await server.service.database.read
        .selectFrom('memberships')
        .select('userId')
        .where('workspaceId', '=', id)
        .execute();
      expect(left.length === 0 || !outcomes[3].ok).toBe(true);
    }
    expect([...codes].filter((code) => !['ok', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'].includes(code))).toEqual(
      [],
    );
  });
});
