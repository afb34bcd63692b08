import {
  bodyOf,
  codeOf,
  createFakeClock,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let member: SessionActor;
let stranger: SessionActor;
/** A team of the owner and the member. */
let team: string;

beforeAll(async () => {
  server = await startServer({ clock });
  [owner, member, stranger] = await Promise.all([server.signUp(), server.signUp(), server.signUp()]);
  team = await makeTeam(owner);
  const { url } = bodyOf(await owner.api.createInvitation({ params: { id: team } }));
  bodyOf(await member.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
});
afterAll(() => server.close());

async function makeTeam(by: SessionActor): Promise<string> {
  clock.advance(1000);
  return bodyOf(await by.api.createWorkspace({ body: { name: 'Team' } })).workspaceId;
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
  test('[D5] a new binding is created, the same again is the same project, by whichever member', async () => {
    const binding = freshBinding();
    const device = await server.linkDevice(member);
    const created = await bind(owner, team, binding);
    expect(created).toMatchObject({
      status: 201,
      body: { projectId: expect.stringMatching(/^prj_/), created: true },
    });
    const { projectId } = bodyOf(created);
    for (const by of [owner, member, device]) {
      expect(await bind(by, team, binding, 'another name')).toEqual({
        ok: true,
        status: 200,
        body: { projectId, created: false },
      });
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

  test('[D5] 50 parallel creations of one binding make one project', async () => {
    const binding = freshBinding();
    const device = await server.linkDevice(member);
    const callers = [owner, member, device];
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => bind(callers[index % 3] ?? owner, team, binding)),
    );
    const bodies = outcomes.map((outcome) => bodyOf(outcome));
    expect(bodies.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(bodies.map(({ projectId }) => projectId)).size).toBe(1);
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(49);
  });

  test('[D5] of parallel creations of one binding in two workspaces one workspace has it', async () => {
    const teams = [await makeTeam(owner), await makeTeam(stranger)];
    for (let round = 0; round < 10; round += 1) {
      const binding = freshBinding();
      const outcomes = await Promise.all([
        bind(owner, teams[0] ?? '', binding),
        bind(stranger, teams[1] ?? '', binding),
      ]);
      expect(outcomes.map(codeOf).toSorted()).toEqual(['CONFLICT', 'ok']);
    }
  });

  test('[D5] a binding in another workspace is a CONFLICT that names no id', async () => {
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

  test('[D5] a workspace of others is not found, whether the binding is taken or not', async () => {
    const binding = freshBinding();
    bodyOf(await bind(owner, team, binding));
    const answers = [
      await bind(stranger, team, binding),
      await bind(stranger, team),
      await bind(stranger, `ws_${'0'.repeat(26)}`, binding),
      await bind(stranger, 'malformed'),
    ];
    expect(answers.map(codeOf)).toEqual(Array.from({ length: 4 }, () => 'NOT_FOUND'));
  });

  test.each([
    ['of 7 characters', 'a'.repeat(7), 'VALIDATION_FAILED'],
    ['of 8 characters', 'eightchr', 'ok'],
    ['of 128 characters', 'b'.repeat(128), 'ok'],
    ['of 129 characters', 'b'.repeat(129), 'VALIDATION_FAILED'],
    ['of every allowed sort', 'AZaz09_-', 'ok'],
    ['with a dot', 'abc.defgh', 'VALIDATION_FAILED'],
    ['with a space at its end', 'abcdefgh ', 'VALIDATION_FAILED'],
    ['with a line break at its end', 'abcdefgh\n', 'VALIDATION_FAILED'],
    ['with a letter beyond ASCII', 'äbcdefghi', 'VALIDATION_FAILED'],
  ])('[D5] a binding %s', async (_, binding, code) => {
    expect(codeOf(await bind(owner, team, binding))).toBe(code);
  });

  test('[D5] bindings that differ in case are two', async () => {
    expect(bodyOf(await bind(owner, team, 'Case-Matters')).created).toBe(true);
    expect(bodyOf(await bind(owner, team, 'case-matters')).created).toBe(true);
  });

  test.each([
    ['nothing', '', 'VALIDATION_FAILED'],
    ['white space alone', '   ', 'VALIDATION_FAILED'],
    ['one character', 'x', 'ok'],
    ['120 characters', 'n'.repeat(120), 'ok'],
    ['121 characters', 'n'.repeat(121), 'VALIDATION_FAILED'],
    ['a control character', 'a\u0007b', 'VALIDATION_FAILED'],
  ])('[D5] a name of %s', async (_, name, code) => {
    expect(codeOf(await bind(owner, team, freshBinding(), name))).toBe(code);
  });

  test('[D5] a name is kept without the white space at its ends', async () => {
    const person = await server.signUp();
    bodyOf(await bind(person, await makeTeam(person), freshBinding(), '  spaced out '));
    expect(await namesOf(person)).toEqual(['spaced out']);
  });
});

describe('listing projects', () => {
  test('[D5] all of the caller, oldest first, or those of one workspace', async () => {
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

  test('[D5] a workspace that is not held is not found; an empty one has an empty list', async () => {
    expect(codeOf(await stranger.api.listProjects({ query: { workspaceId: team } }))).toBe('NOT_FOUND');
    expect(codeOf(await stranger.api.listProjects({ query: { workspaceId: '' } }))).toBe('NOT_FOUND');
    expect(await namesOf(stranger, await makeTeam(stranger))).toEqual([]);
  });

  test('[D5] who leaves the workspace sees its projects no more', async () => {
    const person = await server.signUp();
    const { url } = bodyOf(await owner.api.createInvitation({ params: { id: team } }));
    bodyOf(await person.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
    bodyOf(await bind(person, team));
    expect((await namesOf(person)).length).toBeGreaterThan(0);
    bodyOf(await person.api.removeMember({ params: { id: team, userId: person.user.userId } }));
    expect(await namesOf(person)).toEqual([]);
    expect(codeOf(await person.api.listProjects({ query: { workspaceId: team } }))).toBe('NOT_FOUND');
  });
});

describe('deleting a project', () => {
  test('[D16] an owner of its workspace does, a member may not, and nobody else finds it', async () => {
    const { projectId } = bodyOf(await bind(member, team));
    const params = { id: projectId };
    const device = await server.linkDevice(owner);
    expect(codeOf(await device.api.deleteProject({ params }))).toBe('UNAUTHENTICATED');
    expect(await stranger.api.deleteProject({ params })).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
    });
    expect(await member.api.deleteProject({ params })).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    });
    expect(await owner.api.deleteProject({ params })).toEqual({
      ok: true,
      status: 200,
      body: { projectId, deleted: true },
    });
    expect(codeOf(await owner.api.deleteProject({ params }))).toBe('NOT_FOUND');
  });

  test('[T2] an unknown and a malformed id are answered as the project of others is', async () => {
    const { projectId } = bodyOf(await bind(owner, team));
    const answers = new Set<string>();
    for (const id of [projectId, `prj_${'0'.repeat(26)}`, 'prj_short', '%20']) {
      const outcome = await stranger.api.deleteProject({ params: { id } });
      answers.add(
        JSON.stringify(outcome.ok ? outcome : { ...outcome, error: { ...outcome.error, requestId: '' } }),
      );
    }
    expect(answers.size).toBe(1);
    expect([...answers][0]).toContain('NOT_FOUND');
  });

  test('[D5] its binding is free afterwards', async () => {
    const binding = freshBinding();
    const { projectId } = bodyOf(await bind(owner, team, binding));
    bodyOf(await owner.api.deleteProject({ params: { id: projectId } }));
    const again = await bind(stranger, await makeTeam(stranger), binding);
    expect(again).toMatchObject({ status: 201, body: { created: true } });
    expect(bodyOf(again).projectId).not.toBe(projectId);
  });
});
