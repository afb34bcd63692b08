import {
  bindProject,
  bodyOf,
  createFakeClock,
  createShell,
  reportBody,
  syncReport,
  type SessionActor,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { beforeAll, expect, test } from 'vitest';

const clock = createFakeClock();
let owner: SessionActor;
let member: SessionActor;
let operator: SessionActor;
let team: string;

const server = sharedTeamServer(clock);

beforeAll(async () => {
  ({ owner, member, operator, team } = server);
});

const read = (by: SessionActor, id: string) => by.api.getReport({ params: { id } });

/** A device of the owner, and a project of the team. */
async function begin() {
  return { device: await server.linkDevice(owner), project: await bindProject(owner, team) };
}

async function finalized(): Promise<string> {
  const { device, project } = await begin();
  return (await syncReport(device, { project })).reportId;
}

test('[D6] an uploaded report is returned whole to its owner and to members, each with their kind of access', async () => {
  const { device, project } = await begin();
  const { reportId, localReportId } = await syncReport(device, { project });
  const { localReportId: _, ...uploaded } = reportBody({ localReportId });
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

test('[D6] a live report has no body yet', async () => {
  const { device, project } = await begin();
  const { reportId } = await createShell(device, project);
  expect(bodyOf(await read(owner, reportId))).toMatchObject({
    state: 'live',
    finalizedAt: null,
    report: null,
  });
});

test('[D17] an administrator who is a member lists no reports of others', async () => {
  const reportId = await finalized();
  const listed = async (by: SessionActor) =>
    bodyOf(await by.api.listReports()).reports.map((report) => report.reportId);
  expect(await listed(owner)).toContain(reportId);
  expect(await listed(operator)).toEqual([]);
});

test('[D5] of reports finalized at the same time the project shows the newest', async () => {
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
