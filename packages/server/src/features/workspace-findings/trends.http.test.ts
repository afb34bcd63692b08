/** The trends of a workspace: what was open at the end of each day, and what happened on it. */
import { createHash } from 'node:crypto';
import { DAY_MS } from '@svc/contract/durations';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  findingBody,
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
  ({ workspaceId } = bodyOf(await owner.api.createWorkspace({ body: { name: 'Trends' } })));
  project = await bindProject(owner, workspaceId);
});

const open = (counts: object = {}) => ({ critical: 0, high: 0, medium: 0, low: 0, info: 0, ...counts });
const sync = async (...names: readonly string[]) => {
  const findings = names.map((name, at) => ({
    ...findingBody(at + 1),
    fingerprint: createHash('sha256').update(name).digest('hex'),
  }));
  return (await syncReport(server.device, { project, body: { findings } })).reportId;
};
const trends = async (query: { days?: '30' | '90' | '365'; projectId?: string } = {}) =>
  bodyOf(await owner.api.getWorkspaceTrends({ params: { id: workspaceId }, query }));

describe('[D21] the trends of a workspace', () => {
  test('have the state at the end of each day, and what was opened, fixed and set aside', async () => {
    await sync('a', 'b', 'c');
    clock.advance(2 * DAY_MS);
    const id = await sync('a', 'b');
    await owner.api.changeFindingStatus({
      params: { id, findingId: 'F-2' },
      body: { status: 'false_positive' },
    });
    const { days } = await trends({ days: '30' });
    expect(days).toHaveLength(30);
    expect(days.slice(-4).map(({ date: _, ...rest }) => rest)).toEqual([
      { open: open(), opened: 0, fixed: 0, setAside: 0 },
      { open: open({ high: 3 }), opened: 3, fixed: 0, setAside: 0 },
      { open: open({ high: 3 }), opened: 0, fixed: 0, setAside: 0 },
      { open: open({ high: 1 }), opened: 0, fixed: 1, setAside: 1 },
    ]);
    expect(days.at(-1)?.date).toBe(new Date(clock.now()).toISOString().slice(0, 10));
  });

  test('count a lapsed decision on the day on which it lapsed, although nothing was read since', async () => {
    const id = await sync('a');
    const until = new Date(clock.now() + DAY_MS).toISOString();
    const body = { status: 'accepted_risk', until } as const;
    await owner.api.changeFindingStatus({ params: { id, findingId: 'F-1' }, body });
    clock.advance(3 * DAY_MS);
    const { days } = await trends({ days: '30' });
    expect(days.slice(-4).map(({ date: _, fixed: __, ...rest }) => rest)).toEqual([
      { open: open(), opened: 1, setAside: 1 },
      { open: open({ high: 1 }), opened: 1, setAside: 0 },
      { open: open({ high: 1 }), opened: 0, setAside: 0 },
      { open: open({ high: 1 }), opened: 0, setAside: 0 },
    ]);
  });

  test('have 90 days by default, of one project or of all', async () => {
    await sync('a');
    const other = await bindProject(owner, workspaceId);
    expect((await trends()).days).toHaveLength(90);
    expect((await trends({ projectId: project.projectId })).days.at(-1)?.open).toEqual(open({ high: 1 }));
    expect((await trends({ projectId: other.projectId })).days.at(-1)?.open).toEqual(open());
  });

  test('have the time from the first sight of a finding to its fix', async () => {
    await sync('a', 'b');
    clock.advance(3 * DAY_MS);
    await sync('a');
    const { timeToFix } = await trends();
    expect(timeToFix.high).toEqual({ median: (3 * DAY_MS) / 1000, p90: (3 * DAY_MS) / 1000, n: 1 });
    expect(timeToFix.low).toEqual({ median: null, p90: null, n: 0 });
  });

  test('name the oldest open findings, the oldest first', async () => {
    const firstSeenAt = new Date(clock.now()).toISOString();
    await sync('old');
    clock.advance(DAY_MS);
    const reportId = await sync('old', 'new');
    const { oldestOpen } = await trends();
    expect(oldestOpen.map(({ findingId }) => findingId)).toEqual(['F-1', 'F-2']);
    expect(oldestOpen[0]).toMatchObject({
      projectId: project.projectId,
      reportId,
      severity: 'high',
      firstSeenAt,
    });
  });

  test('are not returned for an unsupported period or for a project of another workspace', async () => {
    const params = { id: workspaceId };
    const other = await bindProject(owner);
    const answers = [
      await owner.api.getWorkspaceTrends({ params, query: { days: '7' as '30' } }),
      await owner.api.getWorkspaceTrends({ params, query: { projectId: other.projectId } }),
      await owner.api.getWorkspaceTrends({ params, query: { projectId: 'no id' } }),
    ];
    expect(answers.map(codeOf)).toEqual(['VALIDATION_FAILED', 'NOT_FOUND', 'NOT_FOUND']);
  });
});
