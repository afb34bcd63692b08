import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createTeam,
  joinTeam,
  setRole as setRoleBy,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { inLane } from '@svc/testkit/lane';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

/** The number of races. */
const ROUNDS = inLane(3, 15);
const clock = createFakeClock();
const server = sharedServer({ clock });
let owner: SessionActor;
let member: SessionActor;
let stranger: SessionActor;

beforeAll(async () => {
  [owner, member, stranger] = await Promise.all([server.signUp(), server.signUp(), server.signUp()]);
});
// Lists are sorted by age, so time passes between tests and steps.
beforeEach(() => clock.advance(1000));

function makeTeam(name = 'Team', by = owner): Promise<string> {
  clock.advance(1000);
  return createTeam(by, [], name);
}

function join(id: string, person: SessionActor, role: 'owner' | 'member' = 'member'): Promise<void> {
  clock.advance(1000);
  return joinTeam(owner, id, person, role);
}

const setRole = (id: string, of: SessionActor, role: 'owner' | 'member', by = owner) =>
  setRoleBy(by, id, of, role);
const remove = (id: string, of: SessionActor, by = owner) =>
  by.api.removeMember({ params: { id, userId: of.user.userId } });
const members = async (id: string, by = owner) =>
  bodyOf(await by.api.listMembers({ params: { id } })).members;
const workspacesOf = async (by: SessionActor) => bodyOf(await by.api.listWorkspaces()).workspaces;

describe('creating and listing workspaces', () => {
  test('[D5] a team workspace is on the free plan, and its creator owns it', async () => {
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

  test('[D5] a name is one line of at least two characters, not counting white space at its ends', async () => {
    for (const name of ['  x  ', 'one\ntwo', 'a\u202eb'])
      expect(codeOf(await stranger.api.createWorkspace({ body: { name } }))).toBe('VALIDATION_FAILED');
  });

  test('[D2] the list is oldest first, and contains no workspace of others', async () => {
    const person = await server.signUp();
    for (const name of ['One', 'Two', 'Three']) await makeTeam(name, person);
    await makeTeam('Not theirs');
    expect((await workspacesOf(person)).map(({ name }) => name)).toEqual(['Personal', 'One', 'Two', 'Three']);
  });
});

describe('roles', () => {
  test('[D16] an owner changes roles, and a member cannot', async () => {
    const id = await makeTeam();
    await join(id, member);
    expect(codeOf(await setRole(id, owner, 'member', member))).toBe('FORBIDDEN');
    expect(codeOf(await setRole(id, member, 'owner', member))).toBe('FORBIDDEN');
    expect(bodyOf(await setRole(id, member, 'owner'))).toEqual({ userId: member.user.userId, role: 'owner' });
    expect(codeOf(await setRole(id, owner, 'member', member))).toBe('ok');
    expect(codeOf(await setRole(id, member, 'member', owner))).toBe('FORBIDDEN');
    expect((await members(id)).map(({ role }) => role)).toEqual(['member', 'owner']);
  });

  test('[D24] a role changes only with the password of the owner, and the password alone gives no permission', async () => {
    const id = await makeTeam();
    await join(id, member);
    const params = { id, userId: member.user.userId };
    const change = (by: SessionActor, password: string) =>
      by.api.changeMember({ params, body: { role: 'owner', password } });
    expect(codeOf(await change(owner, 'not the password'))).toBe('FORBIDDEN');
    expect(codeOf(await change(await server.signUp(), 'not the password'))).toBe('NOT_FOUND');
    expect((await members(id)).map(({ role }) => role)).toEqual(['owner', 'member']);
    bodyOf(await change(owner, owner.password));
    expect((await members(id)).map(({ role }) => role)).toEqual(['owner', 'owner']);
  });

  test('[D5] the last owner cannot become a member', async () => {
    const id = await makeTeam();
    expect(codeOf(await setRole(id, owner, 'member'))).toBe('CONFLICT');
    await join(id, member);
    expect(codeOf(await setRole(id, owner, 'member'))).toBe('CONFLICT');
    expect((await members(id)).map(({ role }) => role)).toEqual(['owner', 'member']);
  });

  test.each([
    ['step down', 'CONFLICT', () => [owner, member]],
    ['demote each other', 'FORBIDDEN', () => [member, owner]],
  ] as const)(
    '[D5] when two owners %s simultaneously, one owner remains',
    { tags: 'repeated' },
    async (_, code, demoted) => {
      const [byOwner, byMember] = demoted() as [SessionActor, SessionActor];
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = await makeTeam();
        await join(id, member, 'owner');
        const outcomes = await Promise.all([
          setRole(id, byOwner, 'member', owner),
          setRole(id, byMember, 'member', member),
        ]);
        expect(outcomes.map(codeOf).toSorted()).toEqual([code, 'ok']);
      }
    },
  );
});

describe('leaving and removing', () => {
  test('[D16] a member may leave, and then has no access', async () => {
    const id = await makeTeam();
    await join(id, member);
    expect(bodyOf(await remove(id, member, member))).toEqual({ userId: member.user.userId, deleted: true });
    expect(codeOf(await member.api.listMembers({ params: { id } }))).toBe('NOT_FOUND');
    expect((await workspacesOf(member)).map(({ workspaceId }) => workspaceId)).not.toContain(id);
  });

  test('[D16] an owner can remove others, and a member can remove nobody else', async () => {
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

  test('[D5] the last owner cannot leave while members remain', async () => {
    const id = await makeTeam();
    await join(id, member);
    expect(codeOf(await remove(id, owner))).toBe('CONFLICT');
    bodyOf(await setRole(id, member, 'owner'));
    expect(codeOf(await remove(id, owner))).toBe('ok');
    expect((await members(id, member)).map(({ userId }) => userId)).toEqual([member.user.userId]);
  });

  test('[D5] a team whose last member leaves is deleted, and its bindings can be used again', async () => {
    const id = await makeTeam();
    const bindingPublicId = `left-behind-${id}`;
    await bindProject(owner, id, bindingPublicId);
    expect(codeOf(await remove(id, owner))).toBe('ok');
    expect(codeOf(await owner.api.listMembers({ params: { id } }))).toBe('NOT_FOUND');
    await bindProject(owner, await makeTeam(), bindingPublicId);
  });

  test(
    '[D5] two owners who leave simultaneously never leave a member without an owner',
    { tags: 'repeated' },
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = await makeTeam();
        await join(id, member, 'owner');
        await join(id, stranger);
        const outcomes = await Promise.all([remove(id, owner, owner), remove(id, member, member)]);
        expect(outcomes.map(codeOf).toSorted()).toEqual(['CONFLICT', 'ok']);
        expect((await members(id, stranger)).filter(({ role }) => role === 'owner')).toHaveLength(1);
      }
    },
  );
});

describe('a personal workspace', () => {
  test('[D5] has no invitations, and cannot be left, deleted or transferred', async () => {
    const { workspaceId: id } = await bindProject(owner);
    for (const outcome of [
      await owner.api.createInvitation({ params: { id } }),
      await remove(id, owner),
      await owner.api.deleteWorkspace({ params: { id } }),
      await setRole(id, owner, 'member'),
    ])
      expect(outcome).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    expect(await members(id)).toMatchObject([{ userId: owner.user.userId, role: 'owner' }]);
  });
});

describe('deleting a workspace', () => {
  test('[D5] is allowed for an owner, not for a member, and deletes its projects and memberships', async () => {
    const id = await makeTeam();
    await join(id, member);
    const bindingPublicId = `deleted-${id}`;
    await bindProject(member, id, bindingPublicId);
    expect(codeOf(await member.api.deleteWorkspace({ params: { id } }))).toBe('FORBIDDEN');
    expect(bodyOf(await owner.api.deleteWorkspace({ params: { id } }))).toEqual({
      workspaceId: id,
      deleted: true,
    });
    for (const person of [owner, member]) {
      expect(codeOf(await person.api.listMembers({ params: { id } }))).toBe('NOT_FOUND');
      const { projects } = bodyOf(await person.api.listProjects());
      expect(projects.map((project) => project.bindingPublicId)).not.toContain(bindingPublicId);
    }
    expect(codeOf(await owner.api.deleteWorkspace({ params: { id } }))).toBe('NOT_FOUND');
  });

  test(
    '[D5] makes simultaneous actions of members either complete before it or fail',
    { tags: 'repeated' },
    async () => {
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
        // Whichever came first, either everything of the workspace is left or nothing.
        const left = await server.service.database.read
          .selectFrom('memberships')
          .select('userId')
          .where('workspaceId', '=', id)
          .execute();
        expect(left.length === 0 || !outcomes[3].ok).toBe(true);
      }
      expect(
        [...codes].filter((code) => !['ok', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'].includes(code)),
      ).toEqual([]);
    },
  );
});
