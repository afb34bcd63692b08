/** Triage decisions: who may make them, which changes are allowed, and who sees the result. */
import { createHash } from 'node:crypto';
import type { FindingStatus } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  createTeam,
  findingBody,
  syncReport,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

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

describe('a triage decision', () => {
  test('[D16] returns the finding, and the owner and the members read it from then on', async () => {
    const id = await synced(finding(1), finding(2));
    const before = await findingsOf(owner, id);
    const { finding: moved } = bodyOf(await move(member, id, 'F-1', 'accepted_risk'));
    expect(moved).toEqual({ id: 'F-1', status: 'accepted_risk' });
    const after = [{ ...before[0], status: 'accepted_risk' }, before[1]];
    for (const person of [owner, member]) expect(await findingsOf(person, id)).toEqual(after);
  });

  test('[D16] updates the open counts in the list of reports, which a live report does not have', async () => {
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

  test('[D6] is stored with its author, its time and both statuses', async () => {
    const id = await synced(finding(1));
    bodyOf(await move(member, id, 'F-1', 'fix_suggested'));
    bodyOf(await move(owner, id, 'F-1', 'false_positive'));
    const rows = await server.service.database.read
      .selectFrom('statusChanges')
      .selectAll()
      .where('reportId', '=', id)
      .orderBy('number')
      .execute();
    const common = { reportId: id, findingId: 'F-1', changedAt: clock.now(), until: null, isLapse: 0 };
    expect(rows).toEqual([
      {
        ...common,
        number: 1,
        userId: member.user.userId,
        fromStatus: 'open',
        toStatus: 'fix_suggested',
        action: 'suggested',
        decision: 1,
      },
      {
        ...common,
        number: 2,
        userId: owner.user.userId,
        fromStatus: 'fix_suggested',
        toStatus: 'false_positive',
        action: null,
        decision: 2,
      },
    ]);
  });

  test('[D5] in an older report leaves the count of the newest report unchanged', async () => {
    const older = await synced(finding(1));
    clock.advance(1000);
    await synced(finding(2), finding(3));
    bodyOf(await move(owner, older, 'F-1', 'accepted_risk'));
    expect((await openFindings())?.high).toBe(2);
  });

  test('[D12] in a large report is stored and read like any other', async () => {
    const shell = await syncReport(device, { project, sizeBytes: 400_000 });
    const { finding: moved } = bodyOf(await move(owner, shell.reportId, 'F-100', 'fix_suggested'));
    const fixHistory = [{ at: isoNow(), action: 'suggested', verified: false }];
    expect(moved).toEqual({ id: 'F-100', status: 'fix_suggested', fixHistory });
    const read = await findingsOf(owner, shell.reportId);
    expect(read.filter(({ status }) => status !== 'open')).toMatchObject([moved]);
  });

  test('[D12] made by several calls simultaneously is stored once', async () => {
    const id = await synced(finding(1));
    const moves = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        move(index % 2 === 0 ? owner : member, id, 'F-1', 'fix_suggested'),
      ),
    );
    expect(moves.map(codeOf)).toEqual(moves.map(() => 'ok'));
    const [read] = await findingsOf(owner, id);
    expect(read?.fixHistory).toHaveLength(1);
  });

  test('[D12] about different findings made simultaneously are all stored', async () => {
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

describe('a triage decision is rejected', () => {
  test.each([
    [
      'open',
      'fixed_verified',
      'A finding that is open cannot become fixed_verified',
      'fix_suggested, accepted_risk, false_positive',
    ],
    [
      'fixed_verified',
      'open',
      'A finding that is fixed_verified cannot become open',
      'accepted_risk, false_positive',
    ],
  ] as const)(
    '[D12] from %s to %s, and the response names what is allowed',
    async (status, to, why, allowed) => {
      const message = `${why}. From ${status} it can become: ${allowed}.`;
      const id = await synced(finding(1, { status }));
      const answer = await move(owner, id, 'F-1', to);
      expect(answer).toMatchObject({ status: 409, error: { code: 'CONFLICT', message } });
      expect((await findingsOf(owner, id))[0]?.status).toBe(status);
    },
  );

  test('[D17] for an administrator who is a member, as if the report did not exist', async () => {
    const id = await synced(finding(1));
    expect(codeOf(await move(operator, id, 'F-1', 'accepted_risk'))).toBe('NOT_FOUND');
    expect((await findingsOf(owner, id))[0]?.status).toBe('open');
  });

  test('[T2] for a member from the moment they are removed', async () => {
    const leaving = await server.signUp();
    const workspaceId = await createTeam(owner, [leaving]);
    project = await bindProject(owner, workspaceId);
    const id = await synced(finding(1));
    bodyOf(await move(leaving, id, 'F-1', 'fix_suggested'));
    bodyOf(await owner.api.removeMember({ params: { id: workspaceId, userId: leaving.user.userId } }));
    expect(codeOf(await move(leaving, id, 'F-1', 'fix_applied'))).toBe('NOT_FOUND');
  });

  test.each(['F-1x', '__proto__'])('[D1] for the finding %s, which does not exist', async (findingId) => {
    const id = await synced(finding(1));
    expect(codeOf(await move(owner, id, findingId, 'accepted_risk'))).toBe('NOT_FOUND');
  });

  test('[D16] while the scan is running', async () => {
    const { reportId } = await createShell(device, project);
    expect(codeOf(await move(owner, reportId, 'F-1', 'accepted_risk'))).toBe('CONFLICT');
  });

  test('[D6] when the report has expired or was deleted', async () => {
    const now = clock.now();
    const [aged, deleted] = [await synced(finding(1)), await synced(finding(1))];
    bodyOf(await owner.api.deleteReport({ params: { id: deleted } }));
    clock.set(bodyOf(await owner.api.getReport({ params: { id: aged } })).expiresAt);
    for (const id of [aged, deleted])
      expect(codeOf(await move(owner, id, 'F-1', 'accepted_risk'))).toBe('REPORT_EXPIRED');
    clock.set(now);
  });

  test('when the report has as many decisions as are allowed', async () => {
    const id = await synced(finding(1));
    const { read } = server.service.database;
    await read.updateTable('reports').set({ overlayVersion: 100_000 }).where('id', '=', id).execute();
    const answer = await move(owner, id, 'F-1', 'accepted_risk');
    expect(answer).toMatchObject({
      error: { code: 'CONFLICT', message: expect.stringContaining('newer report') },
    });
  });
});

test('[D16] a triage decision ends no stream', async () => {
  const id = await synced(finding(1));
  const response = await member.fetch(`/api/v1/reports/${id}/events`);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = decoder.decode((await reader?.read())?.value);
  expect(text).toContain('event: hello');
  bodyOf(await move(owner, id, 'F-1', 'accepted_risk'));
  // A stream would end within the ticks that this request takes.
  bodyOf(await owner.api.deleteReport({ params: { id: await synced(finding(2)) } }));
  const next = reader?.read();
  // A heartbeat may arrive, but not the end.
  const isOver = next?.then((chunk) => chunk.done);
  expect(await Promise.race([isOver, server.anonymous.api.getHealth().then(() => false)])).toBe(false);
  bodyOf(await owner.api.deleteReport({ params: { id } }));
  for (let chunk = await next; chunk?.done === false; chunk = await reader?.read())
    text += decoder.decode(chunk.value);
  expect(text).not.toContain('event: progress');
});
