/**
 * What needs attention in a workspace: severe findings that are new, scans that failed or stopped, decisions that lapse
 * soon, and open findings by week.
 */
import { createHash } from 'node:crypto';
import type { ProgressEvent } from '@svc/contract';
import { DAY_MS, HOUR_MS } from '@svc/contract/durations';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  findingBody,
  joinTeam,
  progressEvent,
  progressEvents,
  reportBody,
  sendProgress,
  syncReport,
  type BoundProject,
  type SessionActor,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { beforeEach, describe, expect, test } from 'vitest';

const clock = createFakeClock();
const server = sharedTeamServer(clock);
let owner: SessionActor;
let project: BoundProject;
let workspaceId: string;

beforeEach(async () => {
  owner = { ...server.owner, ...server.withCookie(await server.logIn(server.owner)) };
  ({ workspaceId } = bodyOf(await owner.api.createWorkspace({ body: { name: 'Overview' } })));
  project = await bindProject(owner, workspaceId);
});

const sync = async (...findings: readonly (readonly [title: string, severity: string])[]) =>
  syncReport(server.device, {
    project,
    body: {
      findings: findings.map(([title, severity], at) => ({
        ...findingBody(at + 1),
        title: `Finding ${title}`,
        severity,
        fingerprint: createHash('sha256').update(title).digest('hex'),
      })),
    },
  });
const overview = async () => bodyOf(await owner.api.getWorkspaceOverview({ params: { id: workspaceId } }));
const accept = async (id: string, findingId: string, days: number) =>
  bodyOf(
    await owner.api.changeFindingStatus({
      params: { id, findingId },
      body: { status: 'accepted_risk', until: new Date(clock.now() + days * DAY_MS).toISOString() },
    }),
  );

/** A scan of the agent and of some tools, without findings. */
async function scan(...tools: readonly string[]): Promise<string> {
  clock.advance(1000);
  const body = reportBody({ localReportId: '' }) as { scan: object };
  const ran = { ...body.scan, tools: tools.map((name) => ({ name })) };
  const { reportId } = await syncReport(server.device, { project, body: { scan: ran, findings: [] } });
  return reportId;
}

/** A scan that asked for these tools, of which the second ones failed. */
async function scanWithout(tools: readonly string[], missing: readonly string[]): Promise<string> {
  clock.advance(1000);
  const body = reportBody({ localReportId: '' }) as { scan: object };
  const ran = { ...body.scan, tools: tools.map((name) => ({ name })) };
  const area = (status: string) => (name: string) => ({ id: `tool:${name}`, name, status });
  const coverageAreas = [
    { id: 'static_analysis', name: 'Code', status: 'not_covered' },
    ...tools.map(area('partial')),
    ...missing.map(area('not_covered')),
  ];
  const { reportId } = await syncReport(server.device, {
    project,
    body: { scan: ran, findings: [], coverageAreas },
  });
  return reportId;
}

const missingTools = async () =>
  (await overview()).projects[0]?.missingTools.map(({ tool, reportId }) => [tool, reportId]);

async function live(...types: readonly ProgressEvent['type'][]): Promise<string> {
  clock.advance(1000);
  const { reportId } = await createShell(server.device, project);
  await sendProgress(
    server.device,
    reportId,
    types.map((type) => progressEvent(clock, reportId, { type })),
  );
  return reportId;
}

const stoppedScans = async () =>
  (await overview()).stoppedScans.map(({ reportId, outcome }) => [reportId, outcome]);

const lastScans = async () =>
  (await overview()).projects[0]?.lastScans.map(({ tool, reportId }) => [tool, reportId]);

describe('the overview of a workspace', () => {
  test('names the last scan of each tool and agent, newest first, of reports that can be read', async () => {
    expect(await lastScans()).toEqual([]);
    const first = await scan('Semgrep', 'Trivy');
    const second = await scan('trivy');
    const [agent] =
      (await overview()).projects[0]?.lastScans.filter(({ tool }) => !/trivy|semgrep/i.test(tool)) ?? [];
    expect(agent?.finalizedAt).toBe(new Date(clock.now()).toISOString());
    expect(await lastScans()).toEqual([
      ['trivy', second],
      [agent?.tool, second],
      ['Semgrep', first],
    ]);
    bodyOf(await owner.api.deleteReport({ params: { id: second } }));
    expect(await lastScans()).toEqual([
      ['Semgrep', first],
      ['Trivy', first],
      [agent?.tool, first],
    ]);
  });

  test('says since when the findings of a tool are counted, unless the counts of the project begin with them', async () => {
    const found = async (...tools: readonly string[]) => {
      const body = reportBody({ localReportId: '' }) as { scan: object };
      const findings = tools.map((tool, at) => ({
        ...findingBody(at + 1),
        fingerprint: createHash('sha256').update(tool).digest('hex'),
        tags: [`tool:${tool.toLowerCase()}`],
      }));
      const ran = { ...body.scan, tools: tools.map((name) => ({ name })) };
      await syncReport(server.device, { project, body: { scan: ran, findings } });
    };
    await found('Semgrep');
    clock.advance(3 * DAY_MS);
    await found('Semgrep', 'Trivy');
    await scan('Bandit');
    const { lastScans: scans = [] } = (await overview()).projects[0] ?? {};
    const firstDays = new Map(scans.map(({ tool, firstCountedOn }) => [tool, firstCountedOn]));
    expect([firstDays.get('Semgrep'), firstDays.get('Trivy'), firstDays.get('Bandit')]).toEqual([
      null,
      new Date(clock.now()).toISOString().slice(0, 10),
      null,
    ]);
  });

  test('counts critical and high findings of the last week, and lists five of them', async () => {
    const highs = ['b', 'c', 'd', 'e', 'f'].map((title) => [title, 'high'] as const);
    await sync(['low', 'low'], ['a', 'critical'], ...highs);
    const { newSevere } = await overview();
    expect([newSevere.critical, newSevere.high]).toEqual([1, 5]);
    expect(newSevere.findings).toHaveLength(5);
    expect(newSevere.findings[0]).toMatchObject({
      title: 'Finding a',
      projectId: project.projectId,
      severity: 'critical',
    });
    clock.advance(7 * DAY_MS);
    expect((await overview()).newSevere).toMatchObject({ critical: 1, high: 5 });
    clock.advance(1);
    expect((await overview()).newSevere).toEqual({ critical: 0, high: 0, findings: [] });
  });

  test('leaves out new findings that are set aside', async () => {
    const { reportId: id } = await sync(['a', 'critical']);
    await owner.api.changeFindingStatus({
      params: { id, findingId: 'F-1' },
      body: { status: 'false_positive' },
    });
    expect((await overview()).newSevere.critical).toBe(0);
  });

  test('lists accepted risks that lapse within 14 days, the next to lapse first', async () => {
    const { reportId } = await sync(['late', 'high'], ['soon', 'low'], ['next', 'low']);
    await accept(reportId, 'F-1', 15);
    await accept(reportId, 'F-2', 14);
    await accept(reportId, 'F-3', 2);
    const { lapsing } = await overview();
    expect(lapsing.total).toBe(2);
    expect(lapsing.findings.map(({ title }) => title)).toEqual(['Finding next', 'Finding soon']);
    clock.advance(2 * DAY_MS);
    expect((await overview()).lapsing.findings.map(({ title }) => title)).toEqual([
      'Finding soon',
      'Finding late',
    ]);
  });

  test('has the open findings of each project by week, up to now', async () => {
    const other = await bindProject(owner, workspaceId);
    await sync(['a', 'high'], ['b', 'low']);
    clock.advance(14 * DAY_MS);
    await sync(['a', 'high']);
    const { projects } = await overview();
    const weeksOf = (id: string) => projects.find(({ projectId }) => projectId === id)?.openByWeek;
    expect(weeksOf(project.projectId)).toEqual([...Array.from({ length: 10 }, () => 0), 2, 2, 1]);
    expect(weeksOf(other.projectId)).toEqual(Array.from({ length: 13 }, () => 0));
  });

  test('names nothing of a report that was deleted', async () => {
    const { reportId: id } = await sync(['a', 'critical']);
    expect((await overview()).newSevere.findings).toHaveLength(1);
    await owner.api.deleteReport({ params: { id } });
    expect((await overview()).newSevere).toEqual({ critical: 0, high: 0, findings: [] });
  });

  test('names the tools that failed or did not run, until a newer report has their results', async () => {
    expect(await missingTools()).toEqual([]);
    const first = await scanWithout(['Semgrep'], ['Bandit', 'Trivy']);
    const missing = (await overview()).projects[0]?.missingTools;
    expect(missing).toContainEqual({
      tool: 'Bandit',
      reportId: first,
      finalizedAt: new Date(clock.now()).toISOString(),
    });
    const second = await scanWithout(['trivy'], ['bandit']);
    expect(await missingTools()).toEqual([['bandit', second]]);
    bodyOf(await owner.api.deleteReport({ params: { id: second } }));
    expect(await missingTools()).toEqual([
      ['Bandit', first],
      ['Trivy', first],
    ]);
    await scanWithout(['Semgrep', 'Bandit', 'Trivy'], []);
    expect(await missingTools()).toEqual([]);
  });

  test('names scans that failed or were cancelled until they start again or have a report', async () => {
    const failed = await live('scan_started', 'scan_failed');
    const cancelled = await live('scan_started', 'scan_cancelled', 'heartbeat');
    const restarted = await live('scan_failed', 'scan_started');
    await live('scan_started', 'scan_completed');
    expect(await stoppedScans()).toEqual([
      [cancelled, 'cancelled'],
      [failed, 'failed'],
    ]);
    await sendProgress(server.device, restarted, [progressEvent(clock, restarted, { type: 'scan_failed' })]);
    bodyOf(await owner.api.deleteReport({ params: { id: failed } }));
    expect(await stoppedScans()).toEqual([
      [restarted, 'failed'],
      [cancelled, 'cancelled'],
    ]);
  });

  test('names a scan that has sent nothing for an hour, and no longer once it sends something', async () => {
    const begun = clock.now() + 1000;
    const unheard = await live();
    const busy = await live('scan_started');
    clock.advance(HOUR_MS - 1001);
    await sendProgress(server.device, busy, progressEvents(clock, busy, 60));
    expect(await stoppedScans()).toEqual([]);
    clock.advance(1);
    expect((await overview()).stoppedScans).toEqual([
      {
        reportId: unheard,
        projectId: project.projectId,
        outcome: 'silent',
        lastEventAt: new Date(begun).toISOString(),
      },
    ]);
    await sendProgress(server.device, unheard, progressEvents(clock, unheard, 1));
    expect(await stoppedScans()).toEqual([]);
    clock.advance(HOUR_MS);
    expect(await stoppedScans()).toEqual([
      [busy, 'silent'],
      [unheard, 'silent'],
    ]);
  });

  test('[D17] names no scan of others to a platform administrator who owns the workspace', async () => {
    const { operator } = server;
    const admin = { ...operator, ...server.withCookie(await server.logIn(operator)) };
    await joinTeam(owner, workspaceId, admin, 'owner');
    await live('scan_failed');
    await scanWithout([], ['Bandit']);
    const seen = bodyOf(await admin.api.getWorkspaceOverview({ params: { id: workspaceId } }));
    expect([seen.stoppedScans, seen.projects[0]?.missingTools]).toEqual([[], []]);
    const { stoppedScans: own, projects } = await overview();
    expect([own.length, projects[0]?.missingTools.length]).toEqual([1, 1]);
  });

  test('[D17] does not exist for a platform administrator who is only a member', async () => {
    const { operator, team } = server;
    expect(codeOf(await operator.api.getWorkspaceOverview({ params: { id: team } }))).toBe('NOT_FOUND');
  });
});
