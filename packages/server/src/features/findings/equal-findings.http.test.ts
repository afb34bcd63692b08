/** Findings of a report with equal fingerprints, which are one finding of their project. */
import { createHash } from 'node:crypto';
import { severities } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  createFakeClock,
  findingBody,
  reportBody,
  syncReport,
  type BoundProject,
  type SessionActor,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

const clock = createFakeClock();
const server = sharedTeamServer(clock);
let owner: SessionActor;
let project: BoundProject;

beforeAll(() => {
  ({ owner } = server);
});
beforeEach(async () => {
  project = await bindProject(owner, server.team);
});

const fingerprint = createHash('sha256').update('the finding').digest('hex');
/** Equal findings: `F-1`, `F-2` and so on. */
const equals = (...each: Record<string, unknown>[]) =>
  each.map((more, index) => ({ ...findingBody(index + 1), fingerprint, ...more }));
/** Syncs a report by the agent and these tools. */
async function synced(tools: readonly string[], ...each: Record<string, unknown>[]): Promise<string> {
  clock.advance(1000);
  const { scan } = reportBody({ localReportId: '' }) as { scan: object };
  const body = {
    scan: { ...scan, ...(tools.length > 0 && { tools: tools.map((name) => ({ name })) }) },
    coverageAreas: tools.map((name) => ({ id: `tool:${name}`, name, status: 'covered' })),
    findings: equals(...each),
  };
  return (await syncReport(server.device, { project, body })).reportId;
}
const alpha = { tags: ['tool:alpha'], severity: 'low' };
const beta = { tags: ['tool:beta'], severity: 'critical' };
const setAside = async (id: string, ...findingIds: string[]) =>
  bodyOf(await owner.api.changeFindings({ params: { id }, body: { findingIds, status: 'accepted_risk' } }));
const statusesOf = async (id: string) =>
  bodyOf(await owner.api.getReport({ params: { id } })).report?.findings?.map(({ status }) => status);
const listed = async () => {
  const query = { projectId: project.projectId };
  return bodyOf(await owner.api.listWorkspaceFindings({ params: { id: server.team }, query })).findings;
};
const openOfProject = async () => {
  const { projects } = bodyOf(await owner.api.listProjects({ query: { workspaceId: server.team } }));
  const open = projects.find(({ projectId }) => projectId === project.projectId)?.openFindings;
  return severities.flatMap((severity) => Array.from({ length: open?.[severity] ?? 0 }, () => severity));
};
const forget = async (name: string) =>
  bodyOf(await owner.api.deleteProjectTool({ params: { id: project.projectId, name } }));

describe('equal findings', () => {
  test('[D6] [D26] are accepted, and count once, at the worst severity', async () => {
    const id = await synced([], { severity: 'low' }, { severity: 'critical' }, { severity: 'high' });
    expect(await openOfProject()).toEqual(['critical']);
    expect(await listed()).toMatchObject([{ reportId: id, findingId: 'F-2', severity: 'critical' }]);
  });

  test('[D26] of two tools are present until both look again in the same report, in any order', async () => {
    for (const [first, last] of [
      ['alpha', 'beta'],
      ['beta', 'alpha'],
    ] as const) {
      await synced(['alpha', 'beta'], alpha, beta);
      await synced([first]);
      expect(await openOfProject()).toEqual(['critical']);
      await synced([last]);
      expect(await openOfProject()).toEqual(['critical']);
      await synced([last, first]);
      expect(await openOfProject()).toEqual([]);
    }
  });

  test('[D26] of two tools wait only for the one that is still used', async () => {
    for (const [forgotten, used] of [
      ['alpha', 'beta'],
      ['beta', 'alpha'],
    ] as const) {
      await synced(['alpha', 'beta'], alpha, beta);
      await forget(forgotten);
      expect(await openOfProject()).toEqual(['critical']);
      await synced([used]);
      expect(await openOfProject()).toEqual([]);
    }
    await synced(['alpha', 'beta'], alpha, beta);
    await forget('alpha');
    await forget('beta');
    expect(await openOfProject()).toEqual([]);
  });

  test('[D26] wait for the tools of the report that remains after a deletion', async () => {
    await synced(['alpha', 'beta'], alpha, beta);
    const later = await synced(['beta'], beta);
    bodyOf(await owner.api.deleteReport({ params: { id: later } }));
    await synced(['beta']);
    expect(await openOfProject()).toEqual(['critical']);
    await synced(['alpha', 'beta']);
    expect(await openOfProject()).toEqual([]);
  });

  test.each([[['F-1', 'F-2']], [['F-2', 'F-1']]])(
    '[D12] [D19] that are set aside stay so in the next report, decided as %s',
    async (ids) => {
      const id = await synced([], { severity: 'critical' }, { severity: 'low' });
      await setAside(id, ...ids);
      expect(await statusesOf(await synced([], { severity: 'critical' }, { severity: 'low' }))).toEqual([
        'accepted_risk',
        'accepted_risk',
      ]);
      expect(await openOfProject()).toEqual([]);
    },
  );

  test('[D19] [D20] are decided at the worst severity, whichever of them the decision names', async () => {
    const id = await synced([], { severity: 'critical' }, { severity: 'low' });
    await setAside(id, 'F-2');
    expect(await statusesOf(id)).toEqual(['open', 'accepted_risk']);
    expect(await openOfProject()).toEqual([]);
    const query = { params: { id: project.projectId }, body: { fingerprints: [fingerprint] } };
    const { decisions } = bodyOf(await server.device.api.queryDecisions(query));
    expect(decisions).toMatchObject([{ status: 'accepted_risk', severity: 'critical' }]);
  });

  test('[D21] have the status of the worst one, unless only a milder one is open', async () => {
    await synced([], { severity: 'low', status: 'fix_suggested' }, { severity: 'high', status: 'open' });
    expect(await listed()).toMatchObject([{ findingId: 'F-2', status: 'open' }]);
    await synced(
      [],
      { severity: 'low', status: 'fix_applied' },
      { severity: 'high', status: 'false_positive' },
    );
    expect(await listed()).toMatchObject([{ findingId: 'F-2', status: 'fix_applied' }]);
    expect(await openOfProject()).toEqual(['high']);
  });
});
