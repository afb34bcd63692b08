/** Moving findings: who may, which moves there are, and who sees what came of it. */
import { createHash } from 'node:crypto';
import type { FindingStatus } from '@svc/contract';
import {
  finalizeWith,
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  createTeam,
  findingBody,
  reportBytes,
  shareOf,
  startTeamServer,
  syncReport,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
  type TeamServer,
} from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const clock = createFakeClock();
let server: TeamServer;
let owner: SessionActor;
let member: SessionActor;
let operator: SessionActor;
let stranger: SessionActor;
let team: string;
let device: DeviceActor;
let project: BoundProject;

beforeAll(async () => {
  server = await startTeamServer(clock);
  ({ owner, member, operator, team, device } = server);
  stranger = await server.signUp();
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await bindProject(owner, team);
});

const finding = (number: number, more: object = {}) => ({
  ...findingBody(number),
  fingerprint: createHash('sha256').update(`finding ${number}`).digest('hex'),
  ...more,
});
const synced = async (...findings: Record<string, unknown>[]) =>
  (await syncReport(device, { project, body: { findings } })).reportId;
const move = (by: SessionActor, id: string, findingId: string, status: FindingStatus) =>
  by.api.changeFindingStatus({ params: { id, findingId }, body: { status } });
const findingsOf = async (by: SessionActor, id: string) =>
  bodyOf(await by.api.getReport({ params: { id } })).report?.findings ?? [];
const openFindings = async () =>
  bodyOf(await owner.api.listProjects({ query: { workspaceId: team } })).projects.find(
    ({ projectId }) => projectId === project.projectId,
  )?.openFindings;
const isoNow = () => new Date(clock.now()).toISOString();

describe('a move', () => {
  test('[D16] is answered with the finding, and is what the owner and the members read from then on', async () => {
    const id = await synced(finding(1), finding(2));
    const before = await findingsOf(owner, id);
    const { finding: moved } = bodyOf(await move(member, id, 'F-1', 'accepted_risk'));
    expect(moved).toEqual({ ...before[0], status: 'accepted_risk' });
    for (const person of [owner, member]) expect(await findingsOf(person, id)).toEqual([moved, before[1]]);
  });

  test('[D16] changes what the list of reports says is open; of a live report it says nothing', async () => {
    const id = await synced(finding(1), finding(2, { severity: 'low' }));
    const live = (await createShell(device, project)).reportId;
    const open = async () =>
      bodyOf(await member.api.listReports({ query: { projectId: project.projectId } })).reports.map(
        (report) => [report.reportId, 'openFindings' in report ? report.openFindings : undefined],
      );
    const counts = { critical: 0, high: 1, medium: 0, low: 1, info: 0 };
    expect(Object.fromEntries(await open())).toEqual({ [id]: counts, [live]: null });
    bodyOf(await move(owner, id, 'F-1', 'false_positive'));
    expect(Object.fromEntries(await open())).toEqual({ [id]: { ...counts, high: 0 }, [live]: null });
  });

  test('[D12] through a fix leaves its steps in the history, with their times', async () => {
    const fixHistory = [{ at: '2026-01-01T00:00:00.000Z', action: 'suggested', verified: false }];
    const id = await synced(finding(1, { fixHistory }));
    const steps: object[] = [...fixHistory];
    for (const [status, action] of [
      ['fix_suggested', 'suggested'],
      ['fix_applied', 'applied'],
      ['open', 'reverted'],
      ['fix_suggested', 'suggested'],
      ['fix_applied', 'applied'],
      ['fixed_verified', 'verified'],
    ] as const) {
      clock.advance(1000);
      bodyOf(await move(owner, id, 'F-1', status));
      steps.push({ at: isoNow(), action, verified: action === 'verified' });
    }
    const [read] = await findingsOf(member, id);
    expect(read).toMatchObject({ status: 'fixed_verified', fixedAt: isoNow(), fixHistory: steps });
  });

  test('[D6] is kept with who made it, when, and between which states', async () => {
    const id = await synced(finding(1));
    bodyOf(await move(member, id, 'F-1', 'fix_suggested'));
    bodyOf(await move(owner, id, 'F-1', 'false_positive'));
    const rows = await server.service.database.read
      .selectFrom('findingMoves')
      .selectAll()
      .where('reportId', '=', id)
      .orderBy('number')
      .execute();
    const common = { reportId: id, findingId: 'F-1', movedAt: clock.now() };
    expect(rows).toEqual([
      {
        ...common,
        number: 1,
        userId: member.user.userId,
        fromStatus: 'open',
        toStatus: 'fix_suggested',
        action: 'suggested',
      },
      {
        ...common,
        number: 2,
        userId: owner.user.userId,
        fromStatus: 'fix_suggested',
        toStatus: 'false_positive',
        action: null,
      },
    ]);
  });

  test('[D5] keeps the counts of open findings right', async () => {
    const id = await synced(
      finding(1),
      finding(2, { severity: 'low' }),
      finding(3, { status: 'fix_applied' }),
    );
    const none = { critical: 0, medium: 0, info: 0 };
    expect(await openFindings()).toEqual({ ...none, high: 2, low: 1 });
    bodyOf(await move(member, id, 'F-2', 'false_positive'));
    expect(await openFindings()).toEqual({ ...none, high: 2, low: 0 });
    bodyOf(await move(member, id, 'F-2', 'accepted_risk'));
    expect(await openFindings()).toEqual({ ...none, high: 2, low: 0 });
    bodyOf(await move(member, id, 'F-3', 'fixed_verified'));
    expect(await openFindings()).toEqual({ ...none, high: 1, low: 0 });
    bodyOf(await move(member, id, 'F-2', 'fix_suggested'));
    expect(await openFindings()).toEqual({ ...none, high: 1, low: 1 });
  });

  test('[D5] in an older report leaves the count of the newest alone', async () => {
    const older = await synced(finding(1));
    clock.advance(1000);
    await synced(finding(2), finding(3));
    bodyOf(await move(owner, older, 'F-1', 'accepted_risk'));
    expect((await openFindings())?.high).toBe(2);
  });

  test('[D12] of a large report is made and read in the same way', async () => {
    const shell = await syncReport(device, { project, sizeBytes: 400_000 });
    const { finding: moved } = bodyOf(await move(owner, shell.reportId, 'F-100', 'fix_suggested'));
    expect(moved).toMatchObject({ id: 'F-100', status: 'fix_suggested' });
    const read = await findingsOf(owner, shell.reportId);
    expect(read.filter(({ status }) => status !== 'open')).toEqual([moved]);
  });

  test('[D12] that is made by two at once is made once', async () => {
    const id = await synced(finding(1));
    const moves = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        move(index % 2 === 0 ? owner : member, id, 'F-1', 'fix_suggested'),
      ),
    );
    expect(moves.map(codeOf).toSorted()).toEqual([...Array.from({ length: 5 }, () => 'CONFLICT'), 'ok']);
    const [read] = await findingsOf(owner, id);
    expect(read?.fixHistory).toHaveLength(1);
  });

  test('[D12] and another of other findings at once are all made', async () => {
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
    const id = await synced(...numbers.map((number) => finding(number)));
    const moves = numbers.map((number) =>
      move(number % 2 === 0 ? owner : member, id, `F-${number}`, 'accepted_risk'),
    );
    expect((await Promise.all(moves)).map(codeOf)).toEqual(numbers.map(() => 'ok'));
    expect((await findingsOf(owner, id)).map(({ status }) => status)).toEqual(
      numbers.map(() => 'accepted_risk'),
    );
    expect((await openFindings())?.high).toBe(0);
  });
});

describe('a move is refused', () => {
  test.each([
    [
      'open',
      'open',
      'The finding is open already. From open it can become: fix_suggested, accepted_risk, false_positive.',
    ],
    [
      'open',
      'fixed_verified',
      'What is open can not become fixed_verified. From open it can become: fix_suggested, accepted_risk, false_positive.',
    ],
    [
      'fixed_verified',
      'open',
      'What is fixed_verified can not become open. From fixed_verified it can become: accepted_risk, false_positive.',
    ],
  ] as const)('[D12] from %s to %s, and the answer says what is allowed', async (status, to, message) => {
    const id = await synced(finding(1, { status }));
    const answer = await move(owner, id, 'F-1', to);
    expect(answer).toMatchObject({ status: 409, error: { code: 'CONFLICT', message } });
    expect((await findingsOf(owner, id))[0]?.status).toBe(status);
  });

  test('[T2] to strangers and to an administrator who is a member, as if there were no such report', async () => {
    const id = await synced(finding(1));
    const unknown = `rep_${'0'.repeat(26)}`;
    for (const person of [stranger, operator]) {
      expect(codeOf(await move(person, id, 'F-1', 'accepted_risk'))).toBe('NOT_FOUND');
      expect(codeOf(await move(person, unknown, 'F-1', 'accepted_risk'))).toBe('NOT_FOUND');
    }
    expect((await findingsOf(owner, id))[0]?.status).toBe('open');
  });

  test('[T2] to a member from the moment at which they have left', async () => {
    const leaving = await server.signUp();
    const workspaceId = await createTeam(owner, [leaving]);
    project = await bindProject(owner, workspaceId);
    const id = await synced(finding(1));
    bodyOf(await move(leaving, id, 'F-1', 'fix_suggested'));
    bodyOf(await owner.api.removeMember({ params: { id: workspaceId, userId: leaving.user.userId } }));
    expect(codeOf(await move(leaving, id, 'F-1', 'fix_applied'))).toBe('NOT_FOUND');
  });

  test('[T1] without a session, and to a device', async () => {
    const id = await synced(finding(1));
    const path = `/api/v1/reports/${id}/findings/F-1`;
    const init = {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'accepted_risk' }),
    };
    for (const caller of [server.anonymous, device])
      expect((await caller.fetch(path, init)).status).toBe(401);
  });

  test.each(['F-9', 'f-1', 'F-1x', '__proto__', 'F-1%00', '💥'])(
    '[D1] for the finding %s that is not there',
    async (findingId) => {
      const id = await synced(finding(1));
      expect(codeOf(await move(owner, id, findingId, 'accepted_risk'))).toBe('NOT_FOUND');
    },
  );

  test('[D2] for a status that is none, or with anything else beside it', async () => {
    const id = await synced(finding(1));
    for (const body of [{ status: 'fixed' }, {}, { status: 'open', note: 'x' }, { status: null }]) {
      const refused = await owner.api.changeFindingStatus({
        params: { id, findingId: 'F-1' },
        body: body as never,
      });
      expect(codeOf(refused)).toBe('VALIDATION_FAILED');
    }
  });

  test('[D16] while the scan is under way', async () => {
    const { reportId } = await createShell(device, project);
    expect(codeOf(await move(owner, reportId, 'F-1', 'accepted_risk'))).toBe('CONFLICT');
  });

  test('[D6] once the report has expired, by the clock or by hand', async () => {
    const now = clock.now();
    const [aged, deleted] = [await synced(finding(1)), await synced(finding(1))];
    bodyOf(await owner.api.deleteReport({ params: { id: deleted } }));
    clock.set(bodyOf(await owner.api.getReport({ params: { id: aged } })).expiresAt);
    for (const id of [aged, deleted])
      expect(codeOf(await move(owner, id, 'F-1', 'accepted_risk'))).toBe('REPORT_EXPIRED');
    clock.set(now);
  });

  test('past a number of moves that nobody needs', async () => {
    const id = await synced(finding(1));
    const { read } = server.service.database;
    await read.updateTable('reports').set({ amendments: 100_000 }).where('id', '=', id).execute();
    const answer = await move(owner, id, 'F-1', 'accepted_risk');
    expect(answer).toMatchObject({
      error: { code: 'CONFLICT', message: expect.stringContaining('newer report') },
    });
  });
});

describe('what a link shows', () => {
  const shown = async (slug: string) =>
    bodyOf(await server.anonymous.api.readShare({ params: { slug } })).report.findings?.map(
      ({ status }) => status,
    );

  test('[D16] follows a move at once', async () => {
    const id = await synced(finding(1), finding(2));
    const { slug } = await shareOf(owner, id);
    expect(await shown(slug)).toEqual(['open', 'open']);
    bodyOf(await move(member, id, 'F-2', 'false_positive'));
    expect(await shown(slug)).toEqual(['open', 'false_positive']);
    bodyOf(await move(member, id, 'F-2', 'open'));
    expect(await shown(slug)).toEqual(['open', 'open']);
  });

  test('[D10] of a scan that is under way becomes the report when that is final', async () => {
    const shell = await createShell(device, project);
    const { slug } = await shareOf(owner, shell.reportId);
    expect(await shown(slug)).toBeUndefined();
    const bytes = reportBytes({ localReportId: shell.localReportId, findings: [finding(1)] });
    await finalizeWith(device, shell.reportId, bytes);
    expect(await shown(slug)).toEqual(['open']);
  });
});

test('[D16] a move ends nobody’s stream', async () => {
  const id = await synced(finding(1));
  const response = await member.fetch(`/api/v1/reports/${id}/events`);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = decoder.decode((await reader?.read())?.value);
  expect(text).toContain('event: hello');
  bodyOf(await move(owner, id, 'F-1', 'accepted_risk'));
  // What ends a stream ends it within the turns that this takes.
  bodyOf(await owner.api.deleteReport({ params: { id: await synced(finding(2)) } }));
  const next = reader?.read();
  // A heartbeat may come; the end may not.
  const isOver = next?.then((chunk) => chunk.done);
  expect(await Promise.race([isOver, server.anonymous.api.getHealth().then(() => false)])).toBe(false);
  bodyOf(await owner.api.deleteReport({ params: { id } }));
  for (let chunk = await next; chunk?.done === false; chunk = await reader?.read())
    text += decoder.decode(chunk.value);
  expect(text).not.toContain('event: progress');
});
