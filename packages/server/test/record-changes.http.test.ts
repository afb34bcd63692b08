/** How many records one account may create and delete in an hour, with a low limit. */
import {
  atOnce,
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createTeam,
  newLocalId,
  shellOf,
  startServer,
  wholePolicy,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { defaultPlans } from '#features/quota';
import { beforeEach, describe, expect, test } from 'vitest';

const LIMIT = 10;
const HOUR_MS = 3_600_000;
const clock = createFakeClock();
const budgets = { recordsAccount: { limit: LIMIT, windowMs: HOUR_MS } };
const server = sharedServer({ clock, generousPlans: true, budgets });

/** One record of each kind. */
interface Records {
  readonly project: BoundProject;
  readonly reportId: string;
  readonly shareId: string;
  readonly invitationId: string;
}

let owner: SessionActor;
let device: DeviceActor;
beforeEach(async () => {
  owner = await server.signUp();
  device = await server.linkDevice(owner);
});

const sharing = (id: string) => ({
  params: { id },
  body: { defaultPolicy: wholePolicy, password: 'crème brûlée' },
});

/** Takes five calls. */
async function makeRecords(): Promise<Records> {
  const workspaceId = await createTeam(owner);
  const project = await bindProject(owner, workspaceId);
  const { reportId } = bodyOf(await device.api.createReport({ body: shellOf(project) }));
  const { shareId } = bodyOf(await owner.api.createShare(sharing(reportId)));
  const invitation = await owner.api.createInvitation({ params: { id: workspaceId } });
  return { project, reportId, shareId, invitationId: bodyOf(invitation).invitationId };
}

/** Deletes them in an order in which each is still there. */
const deletions = ({ project, reportId, shareId, invitationId }: Records) => ({
  share: () => owner.api.revokeShare({ params: { shareId }, query: { reportId } }),
  invitation: () => owner.api.revokeInvitation({ params: { token: invitationId } }),
  report: () => owner.api.deleteReport({ params: { id: reportId } }),
  project: () => owner.api.deleteProject({ params: { id: project.projectId } }),
  workspace: () => owner.api.deleteWorkspace({ params: { id: project.workspaceId } }),
});

const creations = ({ project, reportId }: Records) => ({
  workspace: () => owner.api.createWorkspace({ body: { name: 'Team' } }),
  project: () =>
    owner.api.createProject({
      body: { workspaceId: project.workspaceId, name: 'another', bindingPublicId: newLocalId() },
    }),
  report: () => device.api.createReport({ body: shellOf(project) }),
  share: () => owner.api.createShare(sharing(reportId)),
  invitation: () => owner.api.createInvitation({ params: { id: project.workspaceId } }),
});

type Call = () => Promise<Parameters<typeof codeOf>[0]>;
async function codesOf(calls: Readonly<Record<string, Call>>): Promise<Record<string, string>> {
  const codes: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) codes[name] = codeOf(await call());
  return codes;
}
const all = (code: string) => ({
  workspace: code,
  project: code,
  report: code,
  share: code,
  invitation: code,
});

/** How many more records the account may create. */
async function room(): Promise<number> {
  const { workspaces } = bodyOf(await owner.api.listWorkspaces());
  const workspaceId = workspaces[0]?.workspaceId ?? '';
  for (let count = 0; count <= LIMIT; count += 1) {
    const body = { workspaceId, name: 'one more', bindingPublicId: newLocalId() };
    if (!(await owner.api.createProject({ body })).ok) return count;
  }
  throw new Error('There is no limit.');
}

describe('creating and deleting', () => {
  test('[D24] [T28] count together, and all of them are rejected at the limit until the hour ends', async () => {
    const kept = await makeRecords();
    expect(await codesOf(deletions(await makeRecords()))).toEqual(all('RATE_LIMITED'));
    clock.advance(HOUR_MS);
    const gone = await makeRecords();
    expect(await codesOf(deletions(gone))).toEqual(all('ok'));
    expect(await codesOf(creations(kept))).toEqual(all('RATE_LIMITED'));
    expect(await codesOf(deletions(kept))).toEqual(all('RATE_LIMITED'));
    clock.advance(HOUR_MS - 1000);
    const rejected = await owner.post('/workspaces', { name: 'Team' });
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '1']);
    clock.advance(1000);
    // Nothing was deleted meanwhile.
    expect(await codesOf(creations(kept))).toEqual(all('ok'));
    expect(await codesOf(deletions(kept))).toEqual(all('ok'));
  });

  test('[D24] in parallel never exceed the limit', async () => {
    const outcomes = await atOnce(LIMIT + 5, () => owner.api.createWorkspace({ body: { name: 'Team' } }));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(LIMIT);
  });

  test('[D24] of one account leave the others their own limit', async () => {
    expect(await room()).toBe(LIMIT);
    owner = await server.signUp();
    expect(await room()).toBe(LIMIT);
  });
});

describe('a call that changes nothing', () => {
  test('[D24] because it repeats one that did is not counted, and succeeds at the limit', async () => {
    const records = await makeRecords();
    const { project, reportId, shareId, invitationId } = records;
    const shell = shellOf(project);
    const bound = { workspaceId: project.workspaceId, name: 'again', bindingPublicId: newLocalId() };
    const repeats = {
      report: () => device.api.createReport({ body: shell }),
      project: () => owner.api.createProject({ body: bound }),
      share: () => owner.api.revokeShare({ params: { shareId }, query: { reportId } }),
      invitation: () => owner.api.revokeInvitation({ params: { token: invitationId } }),
    };
    const succeed = { report: 'ok', project: 'ok', share: 'ok', invitation: 'ok' };
    for (let index = 0; index < 5; index += 1) expect(await codesOf(repeats)).toEqual(succeed);
    expect(await room()).toBe(LIMIT - 9);
    expect(await codesOf(repeats)).toEqual(succeed);
  });

  test('[D24] because it is not allowed or not possible is not counted, and gets the same code at the limit', async () => {
    const { project } = await makeRecords();
    const stranger = await server.signUp();
    const elsewhere = await bindProject(stranger, undefined, newLocalId());
    const [binding] = bodyOf(await stranger.api.listProjects({ query: {} })).projects;
    const personal = bodyOf(await owner.api.listWorkspaces()).workspaces[0]?.workspaceId ?? '';
    const rejections = {
      'another’s project': () => owner.api.deleteProject({ params: { id: elsewhere.projectId } }),
      'another’s workspace': () => owner.api.createInvitation({ params: { id: elsewhere.workspaceId } }),
      'a report in another’s project': () => device.api.createReport({ body: shellOf(elsewhere) }),
      'an unknown report': () => owner.api.deleteReport({ params: { id: 'rep_x' } }),
      'a share of an unknown report': () => owner.api.createShare(sharing('rep_x')),
      'a personal workspace': () => owner.api.deleteWorkspace({ params: { id: personal } }),
      'an invitation to it': () => owner.api.createInvitation({ params: { id: personal } }),
      'a binding elsewhere': () =>
        owner.api.createProject({
          body: {
            workspaceId: project.workspaceId,
            name: 'theirs',
            bindingPublicId: binding?.bindingPublicId ?? '',
          },
        }),
    };
    const codes = await codesOf(rejections);
    expect(Object.values(codes)).toEqual([
      ...Array.from({ length: 5 }, () => 'NOT_FOUND'),
      ...Array.from({ length: 3 }, () => 'CONFLICT'),
    ]);
    for (let index = 0; index < LIMIT; index += 1) expect(await codesOf(rejections)).toEqual(codes);
    expect(await room()).toBe(LIMIT - 5);
    expect(await codesOf(rejections)).toEqual(codes);
  });

  test('[D24] because the quota allows no more is not counted', async () => {
    await using plain = await startServer({ clock, budgets });
    owner = await plain.signUp();
    device = await plain.linkDevice(owner);
    const project = await bindProject(owner);
    const create = async () => codeOf(await device.api.createReport({ body: shellOf(project) }));
    for (let index = 0; index < defaultPlans.free.daily; index += 1) expect(await create()).toBe('ok');
    for (let index = 0; index < LIMIT; index += 1) expect(await create()).toBe('SYNC_DAILY_LIMIT_REACHED');
    expect(await room()).toBe(LIMIT - 1 - defaultPlans.free.daily);
  });
});
