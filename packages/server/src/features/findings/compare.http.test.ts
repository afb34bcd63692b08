/** The differences between two reports of a project. */
import { createHash } from 'node:crypto';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  findingBody,
  reportBody,
  syncReport,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { beforeAll, beforeEach, expect, test } from 'vitest';

const clock = createFakeClock();
let owner: SessionActor;
let member: SessionActor;
let operator: SessionActor;
let team: string;
let device: DeviceActor;
let project: BoundProject;

const server = sharedTeamServer(clock);

beforeAll(async () => {
  ({ owner, member, operator, team, device } = server);
});
beforeEach(async () => {
  project = await bindProject(owner, team);
});

/** A finding that counts as the same as any other with that name, whatever its id. */
const finding = (id: string, name: string, more: object = {}) => ({
  ...findingBody(1),
  id,
  fingerprint: createHash('sha256').update(name).digest('hex'),
  ...more,
});
const synced = async (...findings: Record<string, unknown>[]) =>
  (await syncReport(device, { project, body: { findings } })).reportId;
const compare = (by: Pick<SessionActor, 'api'>, id: string, base: string) =>
  by.api.compareReports({ params: { id }, query: { with: base } });

test('[D16] each finding is new, gone or in both, by its identity and not its id, in the order of its report', async () => {
  const base = await synced(...['a', 'b', 'c', 'd'].map((name, at) => finding(`F-${at + 1}`, name)));
  const id = await synced(finding('F-9', 'e'), finding('F-4', 'b'), finding('F-2', 'f'), finding('F-1', 'd'));
  const expected = {
    baseReportId: base,
    new: ['F-9', 'F-2'],
    fixed: ['F-1', 'F-3'],
    unchanged: ['F-4', 'F-1'],
  };
  expect(bodyOf(await compare(owner, id, base))).toEqual(expected);
  expect(bodyOf(await compare(member, id, base))).toEqual(expected);
  expect(bodyOf(await compare(member, base, id))).toMatchObject({
    new: ['F-1', 'F-3'],
    fixed: ['F-9', 'F-2'],
    unchanged: ['F-2', 'F-4'],
  });
});

test('[D12] findings without a fingerprint are compared by a computed one', async () => {
  const moved = {
    ...findingBody(1),
    id: 'F-7',
    affected: { ...(findingBody(1)['affected'] as object), lineStart: 900, lineEnd: 901 },
  };
  const base = await synced(findingBody(1), findingBody(2));
  const id = await synced(moved, findingBody(3));
  expect(bodyOf(await compare(owner, id, base))).toMatchObject({
    new: ['F-3'],
    fixed: ['F-2'],
    unchanged: ['F-7'],
  });
});

test('[T3] a report of another project, a foreign report and an unknown one get the same response', async () => {
  const id = await synced(finding('F-1', 'a'));
  const own = project;
  project = await bindProject(owner, team);
  const elsewhere = await synced(finding('F-1', 'a'));
  const gone = await synced(finding('F-1', 'a'));
  bodyOf(await owner.api.deleteReport({ params: { id: gone } }));
  project = own;
  const person = await server.signUp();
  const theirs = (await syncReport(await server.linkDevice(person))).reportId;
  const none = [`rep_${'0'.repeat(26)}`, 'x', '', '\0', `${id} `, '../x', 'a'.repeat(3000)];
  for (const base of [elsewhere, gone, theirs, ...none])
    expect([base, codeOf(await compare(owner, id, base))]).toEqual([base, 'NOT_FOUND']);
  expect(codeOf(await compare(person, theirs, id))).toBe('NOT_FOUND');
});

test('[D17] an administrator cannot compare their own report with a report of others', async () => {
  const others = await synced(finding('F-1', 'a'));
  const theirDevice = await server.linkDevice(operator);
  const { reportId } = await syncReport(theirDevice, { project, body: { findings: [finding('F-1', 'a')] } });
  expect(codeOf(await compare(operator, reportId, reportId))).toBe('ok');
  expect(codeOf(await compare(operator, reportId, others))).toBe('NOT_FOUND');
  expect(codeOf(await compare(operator, others, others))).toBe('NOT_FOUND');
  expect(codeOf(await compare(member, reportId, others))).toBe('ok');
});

test('[D26] the changes of a report are those of its project: what it did not look for is not fixed', async () => {
  const changes = async (id: string) => {
    const { opened, fixed, openInProject } = bodyOf(await member.api.getReportChanges({ params: { id } }));
    return [opened, fixed, openInProject && Object.values(openInProject).reduce((sum, of) => sum + of, 0)];
  };
  const { scan } = reportBody({ localReportId: '' }) as { scan: object };
  const live = await createShell(device, project);
  expect(await changes(live.reportId)).toEqual([null, null, null]);
  const first = await synced(finding('F-1', 'a'), finding('F-2', 'b'));
  const body = {
    scan: { ...scan, agent: { name: 'lint', version: '1' } },
    findings: [finding('F-1', 'c', { tags: ['tool:lint'] })],
  };
  const { reportId: other } = await syncReport(device, { project, body });
  expect(await changes(other)).toEqual([1, 0, 3]);
  const again = await synced(finding('F-1', 'a'), finding('F-3', 'd'));
  expect(await changes(again)).toEqual([1, 1, 3]);
  const back = await synced(finding('F-1', 'a'), finding('F-2', 'b'), finding('F-3', 'd'));
  expect(await changes(back)).toEqual([1, 0, 4]);
  const elsewhere = {
    ...body,
    scan: { ...body.scan, branch: 'topic' },
    project: { name: 'shop', defaultBranch: 'main' },
  };
  const { reportId: branch } = await syncReport(device, { project, body: elsewhere });
  expect(await changes(branch)).toEqual([null, null, 4]);
  expect(await changes(first)).toEqual([2, 0, 4]);
});

test('[D16] a live report cannot be compared, on either side', async () => {
  const id = await synced(finding('F-1', 'a'));
  const { reportId: live } = await createShell(device, project);
  expect(codeOf(await compare(owner, live, id))).toBe('CONFLICT');
  expect(codeOf(await compare(owner, id, live))).toBe('CONFLICT');
});

test('[D6] an expired or deleted report is reported as expired on either side', async () => {
  const aged = await synced(finding('F-1', 'a'));
  const now = clock.now();
  clock.advance(1000);
  const [id, deleted] = [await synced(finding('F-1', 'a')), await synced(finding('F-1', 'a'))];
  bodyOf(await owner.api.deleteReport({ params: { id: deleted } }));
  clock.set(bodyOf(await owner.api.getReport({ params: { id: aged } })).expiresAt);
  for (const gone of [aged, deleted]) {
    expect(codeOf(await compare(owner, gone, id))).toBe('REPORT_EXPIRED');
    expect(codeOf(await compare(owner, id, gone))).toBe('REPORT_EXPIRED');
  }
  clock.set(now);
});

test('[D2] a comparison without the id of the other report is rejected', async () => {
  const id = await synced(finding('F-1', 'a'));
  const without = await owner.fetch(`/api/v1/reports/${id}/compare`);
  expect(await without.json()).toMatchObject({
    error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: '/with' }] } },
  });
});
