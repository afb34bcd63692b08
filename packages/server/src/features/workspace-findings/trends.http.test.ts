/** The trends of a workspace: what was open at the end of each day, and what happened on it. */
import { createHash } from 'node:crypto';
import { DAY_MS } from '@svc/contract/durations';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
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

describe('[D21] [D26] the trends of one tool of a project', () => {
  interface Of {
    readonly tools?: readonly string[];
    readonly findings: readonly (readonly [name: string, tool: string | null, severity?: string])[];
  }

  /** A report of the agent and of some tools. A finding without a tool is the agent's. */
  async function scan({ tools = ['Alpha', 'Beta'], findings }: Of): Promise<string> {
    const body = reportBody({ localReportId: '' }) as { scan: object };
    const { reportId } = await syncReport(server.device, {
      project,
      body: {
        scan: {
          ...body.scan,
          agent: { name: 'agent', version: '1' },
          tools: tools.map((name) => ({ name })),
        },
        findings: findings.map(([name, tool, severity = 'high'], at) => ({
          ...findingBody(at + 1),
          severity,
          fingerprint: createHash('sha256').update(name).digest('hex'),
          ...(tool === null ? {} : { tags: [`tool:${tool}`] }),
        })),
      },
    });
    return reportId;
  }
  const ofTool = async (tool: string) => {
    const { projectId } = project;
    const query = { days: '30', projectId, tool } as const;
    return bodyOf(await owner.api.getWorkspaceTrends({ params: { id: workspaceId }, query }));
  };
  const lastDays = async (tool: string, count: number) =>
    (await ofTool(tool)).days.slice(-count).map(({ date: _, ...rest }) => rest);
  const none = { open: open(), opened: 0, fixed: 0, setAside: 0 };

  test('count its own findings at the end of each day, and what happened to them', async () => {
    await scan({
      findings: [
        ['a', 'alpha'],
        ['b', 'beta', 'low'],
        ['c', null, 'info'],
      ],
    });
    clock.advance(DAY_MS);
    const id = await scan({
      findings: [
        ['b', 'beta', 'low'],
        ['c', null, 'info'],
        ['d', 'beta'],
      ],
    });
    const params = { id, findingId: 'F-3' };
    bodyOf(await owner.api.changeFindingStatus({ params, body: { status: 'false_positive' } }));
    clock.advance(DAY_MS);
    expect(await lastDays('ALPHA', 4)).toEqual([
      none,
      { open: open({ high: 1 }), opened: 1, fixed: 0, setAside: 0 },
      { ...none, fixed: 1 },
      none,
    ]);
    expect(await lastDays('beta', 4)).toEqual([
      none,
      { open: open({ low: 1 }), opened: 1, fixed: 0, setAside: 0 },
      { open: open({ low: 1 }), opened: 1, fixed: 0, setAside: 1 },
      { ...none, open: open({ low: 1 }) },
    ]);
    expect((await lastDays('agent', 1))[0]?.open).toEqual(open({ info: 1 }));
  });

  test('have its times to fix and its oldest findings', async () => {
    const first = await scan({
      findings: [
        ['a', 'alpha'],
        ['b', 'beta'],
        ['c', 'alpha'],
      ],
    });
    clock.advance(DAY_MS);
    await scan({
      findings: [
        ['b', 'beta'],
        ['c', 'alpha'],
      ],
    });
    const [alpha, beta] = [await ofTool('alpha'), await ofTool('beta')];
    expect([alpha.timeToFix.high.n, alpha.timeToFix.high.median]).toEqual([1, DAY_MS / 1000]);
    expect(beta.timeToFix.high.n).toBe(0);
    expect(alpha.oldestOpen.map(({ findingId }) => findingId)).toEqual(['F-2']);
    expect(beta.oldestOpen.map(({ findingId }) => findingId)).toEqual(['F-1']);
    expect(first).not.toBe(alpha.oldestOpen[0]?.reportId);
  });

  test('end when the tool is no longer used', async () => {
    await scan({
      findings: [
        ['a', 'alpha'],
        ['b', 'beta'],
      ],
    });
    bodyOf(await owner.api.deleteProjectTool({ params: { id: project.projectId, name: 'ALPHA' } }));
    clock.advance(DAY_MS);
    expect([await lastDays('alpha', 2), await lastDays('beta', 2)]).toMatchObject([
      [{ open: open() }, { open: open() }],
      [{ open: open({ high: 1 }) }, { open: open({ high: 1 }) }],
    ]);
  });

  test('are zeros for a tool that found nothing, and the sum of the tools is the trend of the project', async () => {
    await scan({
      findings: [
        ['a', 'alpha'],
        ['b', 'beta'],
        ['c', null],
      ],
    });
    expect(await lastDays('unknown', 30)).toEqual(Array.from({ length: 30 }, () => none));
    expect((await ofTool('unknown')).oldestOpen).toEqual([]);
    const { days, ...rest } = await trends({ days: '30', projectId: project.projectId });
    expect(days.at(-1)?.open).toEqual(open({ high: 3 }));
    expect(Object.keys(rest).toSorted()).toEqual(['oldestOpen', 'timeToFix']);
  });

  test('are kept for 400 days, and the last day of a tool with open findings for longer', async () => {
    await scan({
      findings: [
        ['a', 'alpha'],
        ['b', 'beta'],
      ],
    });
    clock.advance(DAY_MS);
    await scan({ findings: [['b', 'beta']] });
    clock.advance(402 * DAY_MS);
    owner = { ...owner, ...server.withCookie(await server.logIn(owner)) };
    await server.runJob('findings not seen any more');
    const { read } = server.service.database;
    const { projectId } = project;
    const rows = await read
      .selectFrom('findingToolDays')
      .select(['day', 'high'])
      .where('projectId', '=', projectId)
      .execute();
    expect(rows.map(({ high }) => high)).toEqual([1]);
    expect((await lastDays('beta', 30)).every((day) => day.open.high === 1)).toBe(true);
  });

  test('need a project, and a name', async () => {
    const params = { id: workspaceId };
    const asked = async (query: object) => codeOf(await owner.api.getWorkspaceTrends({ params, query }));
    expect(await asked({ tool: 'alpha' })).toBe('VALIDATION_FAILED');
    expect(await asked({ projectId: project.projectId, tool: '' })).toBe('VALIDATION_FAILED');
    expect(await asked({ projectId: project.projectId, tool: 'x'.repeat(201) })).toBe('VALIDATION_FAILED');
  });
});
