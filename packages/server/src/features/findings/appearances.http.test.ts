/** Which reports of a project have a finding. */
import { limits, type MovedIdentity } from '@svc/contract';
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
  type SessionActor,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { beforeEach, describe, expect, test } from 'vitest';

const clock = createFakeClock();
const server = sharedTeamServer(clock);
let project: BoundProject;

beforeEach(async () => {
  project = await bindProject(server.owner, server.team);
});

const [OLD, NEW, OTHER] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
const finding = (id: string, fingerprint: string, more: object = {}) => ({
  ...findingBody(1),
  id,
  fingerprint,
  ...more,
});

async function synced(
  findings: Record<string, unknown>[],
  more: { readonly previous?: MovedIdentity[]; readonly branch?: string } = {},
): Promise<string> {
  clock.advance(60_000);
  const { scan, project: named } = reportBody({ localReportId: '' }) as { scan: object; project: object };
  const body = {
    findings,
    project: { ...named, defaultBranch: 'main' },
    scan: { ...scan, branch: more.branch ?? 'main' },
  };
  return (await syncReport(server.device, { project, body, previous: more.previous })).reportId;
}

const appearances = async (id: string, findingId = 'F-1', of: SessionActor = server.owner) =>
  of.api.listAppearances({ params: { id, findingId } });
async function seenIn(id: string, findingId?: string) {
  const { total, reports } = bodyOf(await appearances(id, findingId));
  expect(total).toBe(reports.length);
  return reports.map((each) => [each.reportId, each.findingId]);
}
const remove = async (id: string) => bodyOf(await server.owner.api.deleteReport({ params: { id } }));

describe('[D26] a finding is seen in', () => {
  test('the reports that have it, newest first, each with the id that it has there', async () => {
    const first = await synced([finding('F-1', OLD)]);
    const firstSeenAt = new Date(clock.now()).toISOString();
    const second = await synced([finding('F-1', OTHER), finding('F-2', OLD)]);
    await synced([finding('F-1', OTHER)]);
    const last = await synced([finding('F-3', OLD)]);
    const reports = [
      [last, 'F-3'],
      [second, 'F-2'],
      [first, 'F-1'],
    ];
    expect(await seenIn(last, 'F-3')).toEqual(reports);
    expect(await seenIn(first)).toEqual(reports);
    const told = bodyOf(await appearances(first));
    expect(told).toMatchObject({ isComplete: true, firstSeenAt });
    expect(told.reports.at(-1)?.finalizedAt).toBe(firstSeenAt);
  });

  test('no report that was deleted or has expired', async () => {
    const [first, second, third] = [
      await synced([finding('F-1', OLD)]),
      await synced([finding('F-1', OLD)]),
      await synced([finding('F-1', OLD)]),
    ];
    await remove(second);
    const { read } = server.service.database;
    await read.updateTable('reports').set({ expiresAt: clock.now() }).where('id', '=', first).execute();
    expect(await seenIn(third)).toEqual([[third, 'F-1']]);
    await server.runJob('expired reports');
    expect(await seenIn(third)).toEqual([[third, 'F-1']]);
  });

  test('no report of another branch or project, but such a report names those of the project', async () => {
    const main = await synced([finding('F-1', OLD)]);
    const topic = await synced([finding('F-1', OLD), finding('F-2', OTHER)], { branch: 'topic' });
    expect(await seenIn(main)).toEqual([[main, 'F-1']]);
    expect(await seenIn(topic)).toEqual([[main, 'F-1']]);
    expect(bodyOf(await appearances(topic, 'F-2'))).toEqual({
      total: 0,
      isComplete: true,
      firstSeenAt: null,
      reports: [],
    });
    project = await bindProject(server.owner, server.team);
    const elsewhere = await synced([finding('F-1', OLD)]);
    expect(await seenIn(elsewhere)).toEqual([[elsewhere, 'F-1']]);
  });

  test('reports from before its fingerprint changed, and not in those with another finding of that fingerprint', async () => {
    const before = await synced([finding('F-1', OLD)]);
    const renamed = await synced([finding('F-1', NEW)], { previous: [{ from: OLD, to: NEW }] });
    const both = await synced([finding('F-1', OLD), finding('F-2', NEW)]);
    const last = await synced([finding('F-1', OTHER)], { previous: [{ from: NEW, to: OTHER }] });
    const reports = [
      [last, 'F-1'],
      [both, 'F-2'],
      [renamed, 'F-1'],
      [before, 'F-1'],
    ];
    expect(await seenIn(last)).toEqual(reports);
    expect(await seenIn(before)).toEqual(reports);
    expect(await seenIn(both, 'F-2')).toEqual(reports);
    expect(await seenIn(both, 'F-1')).toEqual([[both, 'F-1']]);
  });

  test('at most so many listed reports as the limit says, of those that were searched', async () => {
    const { listedMax, searchedMax } = limits.appearances;
    const first = await synced([finding('F-1', OLD)]);
    for (let count = 1; count < listedMax + 2; count += 1) await synced([finding('F-1', OLD)]);
    const told = bodyOf(await appearances(first));
    expect(told).toMatchObject({ total: listedMax + 2, isComplete: true });
    expect(told.reports).toHaveLength(listedMax);
    const { read } = server.service.database;
    const newest = await read
      .selectFrom('reports')
      .selectAll()
      .where('id', '=', await synced([]))
      .executeTakeFirstOrThrow();
    // With them, one report more than the limit.
    const copies = Array.from({ length: searchedMax - listedMax - 2 }, (_, index) => ({
      ...newest,
      id: `${newest.id}-${index}`,
      localReportId: `${newest.localReportId}-${index}`,
    }));
    await read.insertInto('reports').values(copies).execute();
    expect(bodyOf(await appearances(first))).toMatchObject({ total: listedMax + 1, isComplete: false });
  });
});

describe('[D16] the reports with a finding are not listed', () => {
  test('for an id that the report does not have', async () => {
    expect(codeOf(await appearances(await synced([finding('F-1', OLD)]), 'F-2'))).toBe('NOT_FOUND');
  });

  test('of a scan that is running, or of an expired report', async () => {
    const { reportId } = await createShell(server.device, project);
    expect(codeOf(await appearances(reportId))).toBe('CONFLICT');
    const expired = await synced([finding('F-1', OLD)]);
    await remove(expired);
    expect(codeOf(await appearances(expired))).toBe('REPORT_EXPIRED');
  });

  test('[D17] to a platform administrator who is only a member', async () => {
    const id = await synced([finding('F-1', OLD)]);
    expect(codeOf(await appearances(id, 'F-1', server.operator))).toBe('NOT_FOUND');
    expect(codeOf(await appearances(id, 'F-1', server.member))).toBe('ok');
  });
});
