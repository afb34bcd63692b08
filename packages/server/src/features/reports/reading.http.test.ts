import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  reportBytes,
  startTeamServer,
  syncReport,
  type SessionActor,
  type TeamServer,
} from '@svc/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const clock = createFakeClock();
let server: TeamServer;
let owner: SessionActor;
let member: SessionActor;
let operator: SessionActor;
let team: string;

beforeAll(async () => {
  server = await startTeamServer(clock);
  ({ owner, member, operator, team } = server);
});
afterAll(() => server.close());

const read = (by: SessionActor, id: string) => by.api.getReport({ params: { id } });

/** A device of the owner, and a project of the team. */
async function begin() {
  return { device: await server.linkDevice(owner), project: await bindProject(owner, team) };
}

async function finalized(): Promise<string> {
  const { device, project } = await begin();
  return (await syncReport(device, { project })).reportId;
}

test('[D6] what was uploaded is read whole by its owner and by members, each under their own name of access', async () => {
  const { device, project } = await begin();
  const { reportId, localReportId } = await syncReport(device, { project });
  const bytes = reportBytes({ localReportId });
  const { localReportId: _, ...uploaded } = JSON.parse(Buffer.from(bytes).toString()) as Record<
    string,
    unknown
  >;
  const own = bodyOf(await read(owner, reportId));
  expect(own).toMatchObject({
    reportId,
    state: 'finalized',
    workspaceId: team,
    access: 'owner',
    supportAccesses: [],
    finalizedAt: new Date(clock.now()).toISOString(),
  });
  expect(own.report).toEqual({ ...uploaded, id: reportId, projectedFor: { principalType: 'user' } });
  const theirs = bodyOf(await read(member, reportId));
  expect(theirs).toEqual({
    ...own,
    access: 'member',
    report: { ...own.report, projectedFor: { principalType: 'workspace' } },
  });
});

test('[D6] a live report has no text yet', async () => {
  const { device, project } = await begin();
  const { reportId } = await createShell(device, project);
  expect(bodyOf(await read(owner, reportId))).toMatchObject({
    state: 'live',
    finalizedAt: null,
    report: null,
  });
});

test('[D17] strangers and an administrator who is a member find nothing, also once it has expired', async () => {
  const stranger = await server.signUp();
  const reportId = await finalized();
  for (const person of [stranger, operator]) expect(codeOf(await read(person, reportId))).toBe('NOT_FOUND');
  bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
  for (const person of [stranger, operator]) expect(codeOf(await read(person, reportId))).toBe('NOT_FOUND');
  for (const person of [owner, member]) expect(codeOf(await read(person, reportId))).toBe('REPORT_EXPIRED');
});

test('[D6] the moment its time is over nobody reads it, before any sweep', async () => {
  const reportId = await finalized();
  const { expiresAt } = bodyOf(await read(owner, reportId));
  const now = clock.now();
  clock.set(expiresAt);
  expect(codeOf(await read(owner, reportId))).toBe('REPORT_EXPIRED');
  clock.set(now);
});

test('[D5] of reports finalized at one moment the project tells of the newest', async () => {
  const { device, project } = await begin();
  const findingsOf = async () =>
    bodyOf(await owner.api.listProjects({ query: { workspaceId: team } })).projects.find(
      ({ projectId }) => projectId === project.projectId,
    );
  const shells = await Promise.all(
    Array.from({ length: 8 }, async () => {
      clock.advance(1000);
      return syncReport(device, { project });
    }),
  );
  const times = await Promise.all(
    shells.map(async ({ reportId }) => bodyOf(await read(owner, reportId)).finalizedAt ?? ''),
  );
  expect((await findingsOf())?.lastReportAt).toBe(times.toSorted().at(-1));
});
