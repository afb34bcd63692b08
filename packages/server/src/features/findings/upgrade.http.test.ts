/** Projects and reports from before the service counted what is present. */
import { createHash } from 'node:crypto';
import {
  bindProject,
  bodyOf,
  createFakeClock,
  findingBody,
  syncReport,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, beforeEach, expect, test } from 'vitest';

const clock = createFakeClock();
const server = sharedServer({ clock, generousPlans: true });
let owner: SessionActor;
let device: DeviceActor;
let project: BoundProject;

beforeAll(async () => {
  owner = await server.signUp();
  device = await server.linkDevice(owner);
});
beforeEach(async () => {
  project = await bindProject(owner);
});

const finding = (number: number, more: object = {}) => ({
  ...findingBody(number),
  fingerprint: createHash('sha256').update(`finding ${number}`).digest('hex'),
  ...more,
});
async function synced(...findings: Record<string, unknown>[]): Promise<string> {
  clock.advance(1000);
  return (await syncReport(device, { project, body: { findings } })).reportId;
}
const openHigh = async () =>
  bodyOf(await owner.api.listProjects({ query: { workspaceId: project.workspaceId } })).projects.find(
    ({ projectId }) => projectId === project.projectId,
  )?.openFindings?.high;

/** Deletes what the previous version did not store. */
async function asBefore(): Promise<void> {
  const { read } = server.service.database;
  const { projectId } = project;
  const reports = read.selectFrom('reports').select('id').where('projectId', '=', projectId);
  await read.updateTable('projects').set({ presentSince: null }).where('id', '=', projectId).execute();
  await read.updateTable('reports').set({ countedAs: null }).where('projectId', '=', projectId).execute();
  await read.updateTable('uploads').set({ findingFacts: null }).where('reportId', 'in', reports).execute();
  await read.updateTable('findingIdentities').set({ present: 0, isOpen: 0 }).execute();
}

test('[D26] the upgrade counts what the newest report has', async () => {
  await synced(finding(1), finding(2));
  const newest = await synced(finding(2), finding(3, { status: 'false_positive' }), finding(4));
  await asBefore();
  await server.runJob('reports to count');
  expect(await openHigh()).toBe(2);
  bodyOf(await owner.api.deleteReport({ params: { id: newest } }));
  expect(await openHigh()).toBe(0);
});

test('[D26] a report that becomes final before the earlier ones are counted is counted after them', async () => {
  await synced(finding(1, { tags: ['tool:semgrep'] }), finding(2));
  await asBefore();
  await synced(finding(3));
  // The agent ran again and no longer has the second finding. The tool of the first finding did not run.
  expect(await openHigh()).toBe(2);
});

test('[D19] a decision in a report from before the upgrade continues the fix history of the finding', async () => {
  const fixHistory = [{ at: '2026-01-01T00:00:00.000Z', action: 'suggested', verified: false }];
  const id = await synced(finding(1, { status: 'fix_suggested', fixHistory }));
  await asBefore();
  const { finding: decided } = bodyOf(
    await owner.api.changeFindingStatus({
      params: { id, findingId: 'F-1' },
      body: { status: 'fix_applied' },
    }),
  );
  expect(decided.fixHistory?.map(({ action }) => action)).toEqual(['suggested', 'applied']);
  await server.runJob('reports to count');
  expect(await openHigh()).toBe(1);
});
