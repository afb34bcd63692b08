import {
  atOnce,
  bodyOf,
  codeOf,
  createFakeClock,
  createTeam,
  joinTeam,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

const clock = createFakeClock();
const server = sharedServer({ clock });
let owner: SessionActor;
let member: SessionActor;
let stranger: SessionActor;
/** A team of the owner and the member. */
let team: string;

beforeAll(async () => {
  [owner, member, stranger] = await Promise.all([server.signUp(), server.signUp(), server.signUp()]);
  team = await createTeam(owner, [member]);
});

function makeTeam(by: SessionActor): Promise<string> {
  clock.advance(1000);
  return createTeam(by);
}

let bindings = 0;
function freshBinding(): string {
  bindings += 1;
  return `binding-${bindings}`;
}

function bind(
  by: Pick<SessionActor, 'api'>,
  workspaceId: string,
  bindingPublicId = freshBinding(),
  name = 'repository',
) {
  clock.advance(1000);
  return by.api.createProject({ body: { workspaceId, name, bindingPublicId } });
}

async function namesOf(by: Pick<SessionActor, 'api'>, workspaceId?: string): Promise<string[]> {
  const input = workspaceId === undefined ? {} : { query: { workspaceId } };
  return bodyOf(await by.api.listProjects(input)).projects.map(({ name }) => name);
}

describe('binding a repository', () => {
  test('[D5] creates a project once, and returns it again for any member', async () => {
    const binding = freshBinding();
    const device = await server.linkDevice(member);
    const created = await bind(owner, team, binding);
    expect(created).toMatchObject({
      status: 201,
      body: { projectId: expect.stringMatching(/^prj_/), created: true },
    });
    const { projectId } = bodyOf(created);
    for (const by of [owner, member, device]) {
      expect(bodyOf(await bind(by, team, binding, 'another name'))).toEqual({ projectId, created: false });
    }
    const { projects } = bodyOf(await owner.api.listProjects({ query: { workspaceId: team } }));
    expect(projects.find((project) => project.projectId === projectId)).toMatchObject({
      workspaceId: team,
      name: 'repository',
      bindingPublicId: binding,
      lastReportAt: null,
      openFindings: null,
    });
  });

  test('[D5] 50 times in parallel creates one project', async () => {
    const binding = freshBinding();
    const device = await server.linkDevice(member);
    const callers = [owner, member, device];
    const outcomes = await atOnce(50, (index) => bind(callers[index % 3] ?? owner, team, binding));
    const bodies = outcomes.map((outcome) => bodyOf(outcome));
    expect(bodies.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(bodies.map(({ projectId }) => projectId)).size).toBe(1);
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(49);
  });

  test('[D5] in two workspaces in parallel succeeds in one', async () => {
    const elsewhere = await makeTeam(stranger);
    for (let round = 0; round < 10; round += 1) {
      const binding = freshBinding();
      const outcomes = await Promise.all([bind(owner, team, binding), bind(stranger, elsewhere, binding)]);
      expect(outcomes.map(codeOf).toSorted()).toEqual(['CONFLICT', 'ok']);
    }
  });

  test('[D5] that is bound in another workspace is a CONFLICT that names no id', async () => {
    const binding = freshBinding();
    const { projectId } = bodyOf(await bind(owner, team, binding));
    const elsewhere = await makeTeam(stranger);
    const outcome = await bind(stranger, elsewhere, binding);
    expect(outcome).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    const text = JSON.stringify(outcome);
    for (const id of [projectId, team, owner.user.userId, 'prj_', 'ws_', 'usr_'])
      expect(text).not.toContain(id);
    const mine = await makeTeam(owner);
    expect(codeOf(await bind(owner, mine, binding))).toBe('CONFLICT');
  });

  test('[D5] to a foreign workspace is not found, whether the binding is taken or not', async () => {
    const binding = freshBinding();
    bodyOf(await bind(owner, team, binding));
    for (const workspaceId of [team, `ws_${'0'.repeat(26)}`])
      expect(codeOf(await bind(stranger, workspaceId, binding))).toBe('NOT_FOUND');
    expect(codeOf(await bind(stranger, team))).toBe('NOT_FOUND');
  });

  test('[D5] distinguishes upper and lower case', async () => {
    expect(bodyOf(await bind(owner, team, 'Case-Matters')).created).toBe(true);
    expect(bodyOf(await bind(owner, team, 'case-matters')).created).toBe(true);
  });

  test('[D5] stores the name as one line, without white space at its ends', async () => {
    for (const name of ['   ', 'a\u0007b'])
      expect(codeOf(await bind(owner, team, freshBinding(), name))).toBe('VALIDATION_FAILED');
    const person = await server.signUp();
    bodyOf(await bind(person, await makeTeam(person), freshBinding(), '  spaced out '));
    expect(await namesOf(person)).toEqual(['spaced out']);
  });
});

describe('listing projects', () => {
  test('[D5] returns all projects of the caller, oldest first, or those of one workspace', async () => {
    const person = await server.signUp();
    const device = await server.linkDevice(person);
    const [one, other] = [await makeTeam(person), await makeTeam(person)];
    for (const [workspaceId, name] of [
      [one, 'a'],
      [other, 'b'],
      [one, 'c'],
    ] as const) {
      bodyOf(await bind(person, workspaceId, freshBinding(), name));
    }
    bodyOf(await bind(owner, team));
    for (const by of [person, device]) {
      expect(await namesOf(by)).toEqual(['a', 'b', 'c']);
      expect(await namesOf(by, one)).toEqual(['a', 'c']);
      expect(await namesOf(by, other)).toEqual(['b']);
    }
  });

  test('[D5] no longer returns the projects of a workspace that the caller has left', async () => {
    const person = await server.signUp();
    await joinTeam(owner, team, person);
    bodyOf(await bind(person, team));
    expect((await namesOf(person)).length).toBeGreaterThan(0);
    bodyOf(await person.api.removeMember({ params: { id: team, userId: person.user.userId } }));
    expect(await namesOf(person)).toEqual([]);
    for (const workspaceId of [team, ''])
      expect(codeOf(await person.api.listProjects({ query: { workspaceId } }))).toBe('NOT_FOUND');
  });
});

describe('deleting a project', () => {
  test('[D16] is allowed to an owner of its workspace, and not to a member', async () => {
    const { projectId } = bodyOf(await bind(member, team));
    const params = { id: projectId };
    expect(codeOf(await member.api.deleteProject({ params }))).toBe('FORBIDDEN');
    expect(bodyOf(await owner.api.deleteProject({ params }))).toEqual({ projectId, deleted: true });
    expect(codeOf(await owner.api.deleteProject({ params }))).toBe('NOT_FOUND');
  });

  test('[D5] frees its binding', async () => {
    const binding = freshBinding();
    const { projectId } = bodyOf(await bind(owner, team, binding));
    bodyOf(await owner.api.deleteProject({ params: { id: projectId } }));
    const again = await bind(stranger, await makeTeam(stranger), binding);
    expect(again).toMatchObject({ status: 201, body: { created: true } });
    expect(bodyOf(again).projectId).not.toBe(projectId);
  });
});
