/**
 * Findings whose fingerprint changed in a new report: what their project knows about them moves to the new fingerprint.
 */
import { CARRIED_TAG, type MovedIdentity } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  createFakeClock,
  createShell,
  findingBody,
  reportBytes,
  syncReport,
  upload,
  type BoundProject,
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

async function synced(findings: Record<string, unknown>[], previous?: MovedIdentity[]): Promise<string> {
  clock.advance(60_000);
  const { reportId, localReportId } = await createShell(server.device, project);
  const uploadId = await upload(server.device, reportId, reportBytes({ findings, localReportId }));
  bodyOf(
    await server.device.api.finalizeReport({
      params: { id: reportId },
      body: { uploadId, ...(previous && { previous }) },
    }),
  );
  return reportId;
}

async function setAside(id: string): Promise<void> {
  const params = { id, findingId: 'F-1' };
  bodyOf(await server.owner.api.changeFindingStatus({ params, body: { status: 'accepted_risk' } }));
}

async function knownOf(id: string) {
  const { report } = bodyOf(await server.owner.api.getReport({ params: { id } }));
  return report?.findings?.map(({ fingerprint, status, tags = [], firstSeenAt }) => ({
    fingerprint,
    isSetAside: status === 'accepted_risk',
    isCarried: tags.includes(CARRIED_TAG),
    isDated: firstSeenAt !== undefined,
  }));
}

const carried = (fingerprint: string) => ({ fingerprint, isSetAside: true, isCarried: true, isDated: true });
const fresh = (fingerprint: string) => ({ fingerprint, isSetAside: false, isCarried: false, isDated: false });

describe('[D26] what a project knows about a finding', () => {
  test('moves to the current fingerprint, and from there to the next', async () => {
    await setAside(await synced([finding('F-1', OLD)]));
    expect(await knownOf(await synced([finding('F-1', NEW)], [{ from: OLD, to: NEW }]))).toEqual([
      carried(NEW),
    ]);
    expect(await knownOf(await synced([finding('F-1', NEW)]))).toEqual([carried(NEW)]);
    // What the project knew was moved, not copied.
    expect(await knownOf(await synced([finding('F-1', OLD)]))).toEqual([fresh(OLD)]);
  });

  test('stays with a finding that the report still contains', async () => {
    await setAside(await synced([finding('F-1', OLD)]));
    const both = [finding('F-1', OLD), finding('F-2', NEW)];
    expect(await knownOf(await synced(both, [{ from: OLD, to: NEW }]))).toEqual([carried(OLD), fresh(NEW)]);
  });

  test('moves once, and to no finding that the report does not contain', async () => {
    await setAside(await synced([finding('F-1', OLD)]));
    const both = [finding('F-1', NEW), finding('F-2', OTHER)];
    const previous = [
      { from: OLD, to: 'd'.repeat(64) },
      { from: OLD, to: OTHER },
      { from: OLD, to: NEW },
    ];
    expect(await knownOf(await synced(both, previous))).toEqual([fresh(NEW), carried(OTHER)]);
  });

  test('moves to a finding with two possible predecessors if one of these is known, and not if both are', async () => {
    const previous = [OLD, OTHER].map((from) => ({ from, to: NEW }));
    await setAside(await synced([finding('F-1', OTHER)]));
    expect(await knownOf(await synced([finding('F-1', NEW)], previous))).toEqual([carried(NEW)]);
    project = await bindProject(server.owner, server.team);
    await setAside(await synced([finding('F-1', OLD), finding('F-2', OTHER)]));
    expect(await knownOf(await synced([finding('F-1', NEW)], previous))).toEqual([fresh(NEW)]);
  });

  test('does not move between projects', async () => {
    await setAside(await synced([finding('F-1', OLD)]));
    project = await bindProject(server.owner, server.team);
    expect(await knownOf(await synced([finding('F-1', NEW)], [{ from: OLD, to: NEW }]))).toEqual([
      fresh(NEW),
    ]);
  });

  test('is undone with a decision that was made under the earlier fingerprint', async () => {
    const before = await synced([finding('F-1', OLD)]);
    const params = { id: before };
    const body = { findingIds: ['F-1'], status: 'accepted_risk' as const };
    const { undoId } = bodyOf(await server.owner.api.changeFindings({ params, body }));
    const sync = async (fingerprint: string, previous?: MovedIdentity[]) =>
      syncReport(server.device, { project, body: { findings: [finding('F-1', fingerprint)] }, previous });
    await sync(OLD);
    const { reportId } = await sync(NEW, [{ from: OLD, to: NEW }]);
    bodyOf(await server.owner.api.undoDecisions({ params, body: { undoId } }));
    const query = { projectId: project.projectId };
    const { findings } = bodyOf(
      await server.owner.api.listWorkspaceFindings({ params: { id: server.team }, query }),
    );
    expect(findings).toMatchObject([{ reportId, status: 'open' }]);
    const trends = await server.owner.api.getWorkspaceTrends({
      params: { id: server.team },
      query: { ...query, days: '30' },
    });
    expect(bodyOf(trends).days.at(-1)).toMatchObject({ opened: 2, fixed: 0, setAside: 1 });
  });

  test('does not apply to a later finding with the same weak identity', async () => {
    const weak = { tags: ['weak-identity'] };
    await setAside(await synced([finding('F-1', OLD, weak)]));
    expect(await knownOf(await synced([finding('F-1', OLD, weak)]))).toEqual([fresh(OLD)]);
  });
});

test('[D16] [D26] the comparison of two reports follows a finding through changes of its fingerprint', async () => {
  const first = await synced([finding('F-1', OLD), finding('F-2', 'd'.repeat(64))]);
  await synced([finding('F-3', NEW)], [{ from: OLD, to: NEW }]);
  const last = await synced([finding('F-4', OTHER), finding('F-5', OLD)], [{ from: NEW, to: OTHER }]);
  const compare = async (id: string, base: string) =>
    bodyOf(await server.owner.api.compareReports({ params: { id }, query: { with: base } }));
  expect(await compare(last, first)).toMatchObject({ new: ['F-5'], fixed: ['F-2'], unchanged: ['F-4'] });
  expect(await compare(first, last)).toMatchObject({ new: ['F-2'], fixed: ['F-5'], unchanged: ['F-1'] });
});

describe('[D26] a finding whose fingerprint has changed, after reports were deleted', () => {
  const renamed = (from: string, to: string) => synced([finding('F-1', to)], [{ from, to }]);

  async function remove(id: string): Promise<void> {
    bodyOf(await server.owner.api.deleteReport({ params: { id } }));
  }

  /**
   * The report and the status of the finding in the list of the workspace, and how many are in expired reports only.
   */
  async function listed() {
    const query = { projectId: project.projectId };
    const list = bodyOf(await server.owner.api.listWorkspaceFindings({ params: { id: server.team }, query }));
    const rows = list.findings.map(({ reportId, status }) => ({ reportId, status }));
    return { rows, inExpired: list.inExpiredReports };
  }
  const inReport = (reportId: string, status = 'open') => ({ rows: [{ reportId, status }], inExpired: 0 });
  const nowhere = { rows: [], inExpired: 0 };

  test('stays present under its earlier fingerprint', async () => {
    const before = await synced([finding('F-1', OLD)]);
    await remove(await renamed(OLD, NEW));
    expect(await listed()).toEqual(inReport(before));
    await remove(before);
    expect(await listed()).toEqual(nowhere);
  });

  test('keeps a decision that was made after the change, whichever fingerprint comes next', async () => {
    for (const [next, previous] of [
      [OLD, undefined],
      [NEW, undefined],
      [NEW, [{ from: OLD, to: NEW }]],
      [OLD, [{ from: NEW, to: OLD }]],
    ] as const) {
      project = await bindProject(server.owner, server.team);
      const before = await synced([finding('F-1', OLD)]);
      const after = await renamed(OLD, NEW);
      await setAside(after);
      await remove(after);
      expect(await listed()).toEqual(inReport(before, 'accepted_risk'));
      const again = await synced([finding('F-1', next)], previous && [...previous]);
      expect(await knownOf(again)).toEqual([carried(next)]);
      expect(await listed()).toEqual(inReport(again, 'accepted_risk'));
    }
  });

  test('keeps the later of two decisions, made under both fingerprints', async () => {
    const before = await synced([finding('F-1', OLD)]);
    const after = await renamed(OLD, NEW);
    await setAside(after);
    clock.advance(60_000);
    const params = { id: before, findingId: 'F-1' };
    bodyOf(await server.owner.api.changeFindingStatus({ params, body: { status: 'false_positive' } }));
    await remove(after);
    expect(await listed()).toEqual(inReport(before, 'false_positive'));
  });

  test('is followed through several changes, in whichever order the reports are deleted', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
      [0, 2],
      [2, 0],
      [1, 2],
      [2, 1],
    ] as const) {
      project = await bindProject(server.owner, server.team);
      const reports = [
        await synced([finding('F-1', OLD)]),
        await renamed(OLD, NEW),
        await renamed(NEW, OTHER),
      ];
      const left = new Set(reports);
      for (const place of order) {
        const id = reports[place] ?? '';
        await remove(id);
        left.delete(id);
        expect(await listed()).toEqual(inReport([...left].at(-1) ?? ''));
      }
      for (const id of left) await remove(id);
      expect(await listed()).toEqual(nowhere);
    }
  });

  test('stays present in an expired report with its earlier fingerprint', async () => {
    const before = await synced([finding('F-1', OLD)]);
    const after = await renamed(OLD, NEW);
    const { read } = server.service.database;
    await read.updateTable('reports').set({ expiresAt: clock.now() }).where('id', '=', before).execute();
    await server.runJob('expired reports');
    await remove(after);
    expect(await listed()).toEqual({ rows: [], inExpired: 1 });
  });

  test('is not taken for another finding that a later report has under the earlier fingerprint', async () => {
    const before = await synced([finding('F-1', OLD)]);
    const after = await renamed(OLD, NEW);
    const both = await synced([finding('F-1', OLD), finding('F-2', NEW)]);
    await remove(both);
    expect(await listed()).toEqual(inReport(after));
    await remove(after);
    expect(await listed()).toEqual(inReport(before));
  });
});
