/** How many records one account or workspace may create, with low limits: parallel calls never exceed a limit. */
import { limits } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  createTeam,
  declarationOf,
  declareUpload,
  newLocalId,
  reportBytes,
  startServer,
  upload,
  type DeviceActor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const CAP = 3;
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let device: DeviceActor;

beforeAll(async () => {
  server = await startServer({
    clock,
    generousPlans: true,
    budgets: {
      creations: {
        teamWorkspacesPerUser: CAP,
        projectsPerWorkspace: CAP,
        openInvitationsPerWorkspace: CAP,
        openUploadIntentsPerUser: CAP,
      },
    },
  });
  owner = await server.signUp();
  device = await server.linkDevice(owner);
});
afterAll(() => server.close());

/** How often each code was returned by parallel calls, three more than the limit allows. */
async function codesOf(call: () => Promise<Parameters<typeof codeOf>[0]>): Promise<Record<string, number>> {
  const outcomes = await Promise.all(Array.from({ length: CAP + 3 }, call));
  const codes: Record<string, number> = {};
  for (const outcome of outcomes) codes[codeOf(outcome)] = (codes[codeOf(outcome)] ?? 0) + 1;
  return codes;
}

test('[D24] [T28] a user owns no more team workspaces than the limit, until one is deleted', async () => {
  const person = await server.signUp();
  const create = () => person.api.createWorkspace({ body: { name: 'Team' } });
  expect(await codesOf(create)).toEqual({ ok: CAP, CONFLICT: 3 });
  expect(await create()).toMatchObject({
    error: { message: expect.stringContaining('Delete one') as string },
  });
  const { workspaces } = bodyOf(await person.api.listWorkspaces());
  expect(workspaces.filter(({ kind }) => kind === 'team')).toHaveLength(CAP);
  const id = workspaces.find(({ kind }) => kind === 'team')?.workspaceId ?? '';
  bodyOf(await person.api.deleteWorkspace({ params: { id } }));
  expect(codeOf(await create())).toBe('ok');
  // Another owner's workspace counts only for that owner.
  await createTeam(owner, [person]);
});

test('[D24] [T28] a workspace has no more projects than the limit, and a bound repository still gets its own', async () => {
  const person = await server.signUp();
  const workspaceId = bodyOf(await person.api.listWorkspaces()).workspaces[0]?.workspaceId ?? '';
  const first = { workspaceId, name: 'first', bindingPublicId: newLocalId() };
  const { projectId } = bodyOf(await person.api.createProject({ body: first }));
  const create = () =>
    person.api.createProject({ body: { workspaceId, name: 'more', bindingPublicId: newLocalId() } });
  expect(await codesOf(create)).toEqual({ ok: CAP - 1, CONFLICT: 4 });
  expect(await create()).toMatchObject({
    error: { message: expect.stringContaining('Delete one') as string },
  });
  expect(bodyOf(await person.api.createProject({ body: first }))).toEqual({ projectId, created: false });
  expect(bodyOf(await person.api.listProjects({ query: { workspaceId } })).projects).toHaveLength(CAP);
  bodyOf(await person.api.deleteProject({ params: { id: projectId } }));
  expect(codeOf(await create())).toBe('ok');
});

test('[D24] [T28] a workspace has no more open invitations than the limit, until one is used or expires', async () => {
  const person = await server.signUp();
  const guest = await server.signUp();
  const { workspaceId: id } = bodyOf(await person.api.createWorkspace({ body: { name: 'Team' } }));
  const { url } = bodyOf(await person.api.createInvitation({ params: { id } }));
  const create = () => person.api.createInvitation({ params: { id } });
  expect(await codesOf(create)).toEqual({ ok: CAP - 1, CONFLICT: 4 });
  expect(await create()).toMatchObject({
    error: { message: expect.stringContaining('Revoke one') as string },
  });
  bodyOf(await guest.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
  expect(codeOf(await create())).toBe('ok');
  expect(codeOf(await create())).toBe('CONFLICT');
  clock.advance(limits.invitationLifetimeMs);
  expect(codeOf(await create())).toBe('ok');
});

test('[D24] an invitation of a former owner is not open, and does not count', async () => {
  const [person, other] = [await server.signUp(), await server.signUp()];
  const { workspaceId: id } = bodyOf(await person.api.createWorkspace({ body: { name: 'Team' } }));
  const { url } = bodyOf(await person.api.createInvitation({ params: { id } }));
  bodyOf(await other.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
  const setRole = (role: 'owner' | 'member') =>
    person.api.changeMember({
      params: { id, userId: other.user.userId },
      body: { role, password: person.password },
    });
  bodyOf(await setRole('owner'));
  for (let made = 0; made < CAP; made += 1) bodyOf(await other.api.createInvitation({ params: { id } }));
  expect(codeOf(await person.api.createInvitation({ params: { id } }))).toBe('CONFLICT');
  bodyOf(await setRole('member'));
  expect(bodyOf(await person.api.listInvitations({ params: { id } })).invitations).toEqual([]);
  expect(codeOf(await person.api.createInvitation({ params: { id } }))).toBe('ok');
});

test('[D24] [T28] a user has no more open uploads than the limit, until one is received, replaced or lapses', async () => {
  const project = await bindProject(device);
  const shells = await Promise.all(Array.from({ length: CAP + 3 }, () => createShell(device, project)));
  const bytes = (localReportId = 'x') => reportBytes({ localReportId });
  const declare = (id: string) =>
    device.api.createUploadIntent({ params: { id }, body: declarationOf(bytes()) });
  const outcomes = await Promise.all(shells.map(({ reportId }) => declare(reportId)));
  const open = shells.filter((_, at) => outcomes[at]?.ok);
  const denied = shells.find((_, at) => !outcomes[at]?.ok);
  expect(open).toHaveLength(CAP);
  const response = await device.fetch(`/api/v1/reports/${denied!.reportId}/upload-intent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(declarationOf(bytes())),
  });
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe(String(limits.uploadIntentLifetimeMs / 1000));
  // A newer upload of the same report replaces its older one.
  await declareUpload(device, open[0]!.reportId, bytes());
  const { reportId, localReportId } = open[1]!;
  await upload(device, reportId, bytes(localReportId));
  expect(codeOf(await declare(denied!.reportId))).toBe('ok');
  const another = shells.find((shell, at) => !outcomes[at]?.ok && shell !== denied);
  expect(codeOf(await declare(another!.reportId))).toBe('RATE_LIMITED');
  clock.advance(limits.uploadIntentLifetimeMs);
  expect(codeOf(await declare(another!.reportId))).toBe('ok');
});
