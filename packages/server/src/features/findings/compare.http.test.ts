/** What has changed between two reports of a project. */
import { createHash } from 'node:crypto';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  findingBody,
  startTeamServer,
  syncReport,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
  type TeamServer,
} from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const clock = createFakeClock();
let server: TeamServer;
let owner: SessionActor;
let member: SessionActor;
let operator: SessionActor;
let team: string;
let device: DeviceActor;
let project: BoundProject;

beforeAll(async () => {
  server = await startTeamServer(clock);
  ({ owner, member, operator, team, device } = server);
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await bindProject(owner, team);
});

/** A finding of an id, which is the same as any other of that name. */
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

test('[D16] each finding is new, gone or still there, by what it is and whatever its id, in its report’s order', async () => {
  const base = await synced(
    finding('F-1', 'a'),
    finding('F-2', 'b'),
    finding('F-3', 'c'),
    finding('F-4', 'd'),
  );
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

test('[D16] beside itself a report has nothing new', async () => {
  const id = await synced(finding('F-1', 'a'), finding('F-2', 'b'));
  expect(bodyOf(await compare(owner, id, id))).toEqual({
    baseReportId: id,
    new: [],
    fixed: [],
    unchanged: ['F-1', 'F-2'],
  });
  const empty = await synced();
  expect(bodyOf(await compare(owner, empty, id))).toMatchObject({ new: [], fixed: ['F-1', 'F-2'] });
});

test('[D12] findings without a fingerprint are compared by the one that they would have', async () => {
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

test('[T3] a report of another project, another’s, and one that is not there answer alike', async () => {
  const id = await synced(finding('F-1', 'a'));
  const own = project;
  project = await bindProject(owner, team);
  const elsewhere = await synced(finding('F-1', 'a'));
  const gone = await synced(finding('F-1', 'a'));
  bodyOf(await owner.api.deleteReport({ params: { id: gone } }));
  project = own;
  const person = await server.signUp();
  const theirs = (await syncReport(await server.linkDevice(person))).reportId;
  const names = [
    elsewhere,
    gone,
    theirs,
    `rep_${'0'.repeat(26)}`,
    'x',
    '',
    '\0',
    `${id} `,
    '../x',
    'a'.repeat(3000),
  ];
  for (const base of names)
    expect([base, codeOf(await compare(owner, id, base))]).toEqual([base, 'NOT_FOUND']);
  for (const by of [person, operator]) {
    expect(codeOf(await compare(by, id, id))).toBe('NOT_FOUND');
    expect(codeOf(await compare(by, theirs, id))).toBe('NOT_FOUND');
  }
});

test('[D17] an administrator compares their own report with no report of others', async () => {
  const others = await synced(finding('F-1', 'a'));
  const theirDevice = await server.linkDevice(operator);
  const { reportId } = await syncReport(theirDevice, { project, body: { findings: [finding('F-1', 'a')] } });
  expect(codeOf(await compare(operator, reportId, reportId))).toBe('ok');
  expect(codeOf(await compare(operator, reportId, others))).toBe('NOT_FOUND');
  expect(codeOf(await compare(member, reportId, others))).toBe('ok');
});

test('[D16] a scan that is under way can not be compared, on either side', async () => {
  const id = await synced(finding('F-1', 'a'));
  const { reportId: live } = await createShell(device, project);
  expect(codeOf(await compare(owner, live, id))).toBe('CONFLICT');
  expect(codeOf(await compare(owner, id, live))).toBe('CONFLICT');
});

test('[D6] what has expired, by the clock or by hand, is said to be gone on either side', async () => {
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

test('[T1] it takes a session, and the id of another report', async () => {
  const id = await synced(finding('F-1', 'a'));
  const path = `/api/v1/reports/${id}/compare?with=${id}`;
  for (const caller of [server.anonymous, device]) expect((await caller.fetch(path)).status).toBe(401);
  const without = await owner.fetch(`/api/v1/reports/${id}/compare`);
  expect(await without.json()).toMatchObject({
    error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: '/with' }] } },
  });
});
