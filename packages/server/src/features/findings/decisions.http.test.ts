/** Triage decisions: reasons, notes, ends, many at a time, in older reports, and undoing them. */
import { createHash } from 'node:crypto';
import type { ChangeFindingBody, SharePolicy } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  findingBody,
  shareOf,
  syncReport,
  wholePolicy,
  type BoundProject,
  type SessionActor,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const clock = createFakeClock();
const server = sharedTeamServer(clock);
let owner: SessionActor;
let member: SessionActor;
let project: BoundProject;

beforeAll(() => {
  ({ owner, member } = server);
});
beforeEach(async () => {
  project = await bindProject(owner, server.team);
});

const finding = (number: number, more: object = {}) => ({
  ...findingBody(number),
  fingerprint: createHash('sha256').update(`finding ${number}`).digest('hex'),
  ...more,
});
async function synced(findings: Record<string, unknown>[], more: object = {}): Promise<string> {
  clock.advance(1000);
  return (await syncReport(server.device, { project, body: { findings, ...more } })).reportId;
}
const scan = {
  startedAt: '2026-03-04T05:06:07.000Z',
  finishedAt: '2026-03-04T05:06:07.000Z',
  effortRequested: 'auto',
  effortResolved: 'high',
  agent: { name: 'agent', version: '1.0.0' },
  host: { osFamily: 'linux', arch: 'x64', cliVersion: '1.0.0' },
};
const iso = (ms: number) => new Date(clock.now() + ms).toISOString();
const decide = (id: string, body: ChangeFindingBody, findingId = 'F-1', by = member) =>
  by.api.changeFindingStatus({ params: { id, findingId }, body });
const decideAll = (id: string, findingIds: string[], body: ChangeFindingBody, by = member) =>
  by.api.changeFindings({ params: { id }, body: { findingIds, ...body } });
const undo = (id: string, undoId: string, by = member) =>
  by.api.undoDecisions({ params: { id }, body: { undoId } });
const read = async (id: string, by = member) => bodyOf(await by.api.getReport({ params: { id } }));
const statusOf = async (id: string, findingId = 'F-1') =>
  (await read(id)).report?.findings?.find((each) => each.id === findingId)?.status;
/** The status of the project's only finding. */
const projectStatus = async () => {
  const query = { projectId: project.projectId };
  const list = bodyOf(await owner.api.listWorkspaceFindings({ params: { id: server.team }, query }));
  return list.findings[0]?.status;
};
/** What the trends count for today. */
const today = async () => {
  const query = { projectId: project.projectId };
  const { days } = bodyOf(await owner.api.getWorkspaceTrends({ params: { id: server.team }, query }));
  return days.at(-1);
};
const tagsOf = async (id: string) => (await read(id)).report?.findings?.[0]?.tags ?? [];
const history = async (id: string, findingId = 'F-1') =>
  bodyOf(await owner.api.listDecisions({ params: { id, findingId } })).decisions;
const openOfProject = async () =>
  bodyOf(await owner.api.listProjects({ query: { workspaceId: server.team } })).projects.find(
    ({ projectId }) => projectId === project.projectId,
  )?.openFindings?.high;
const openOfReport = async (id: string) => {
  const { reports } = bodyOf(await owner.api.listReports({ query: { projectId: project.projectId } }));
  const report = reports.find(({ reportId }) => reportId === id);
  return report && 'openFindings' in report ? report.openFindings?.high : undefined;
};

describe('a decision', () => {
  test('[D19] has a reason, a note and an end, which owners and members read', async () => {
    const id = await synced([finding(1), finding(2)]);
    const until = iso(DAY_MS);
    const decidedAt = iso(0);
    const body = { status: 'accepted_risk', reason: 'other', note: 'Behind the proxy.', until } as const;
    expect(bodyOf(await decide(id, body)).finding).toEqual({ id: 'F-1', status: 'accepted_risk' });
    const { userId, displayName } = member.user;
    const told = { status: 'accepted_risk', reason: 'other', until, decidedAt };
    expect((await read(id, owner)).decisions).toEqual([
      { findingId: 'F-1', ...told, hasNote: true, decidedBy: { userId, displayName }, carried: false },
    ]);
    expect(await history(id)).toEqual([
      { ...told, note: 'Behind the proxy.', decidedBy: { userId, displayName }, reportId: id },
    ]);
    expect(await history(id, 'F-2')).toEqual([]);
  });

  test.each<[string, ChangeFindingBody, string]>([
    ['a reason for an open finding', { status: 'open', reason: 'mitigated' }, '/reason'],
    ['"other" without a note', { status: 'false_positive', reason: 'other' }, '/note'],
    ['an end of a false positive', { status: 'false_positive', until: iso(DAY_MS) }, '/until'],
    ['an end within the minute', { status: 'accepted_risk', until: iso(59_000) }, '/until'],
    ['an end after 366 days', { status: 'accepted_risk', until: iso(367 * DAY_MS) }, '/until'],
  ])('[D19] with %s is rejected', async (_, body, path) => {
    const id = await synced([finding(1)]);
    for (const answer of [await decide(id, body), await decideAll(id, ['F-1'], body)])
      expect(answer).toMatchObject({
        ok: false,
        error: { code: 'VALIDATION_FAILED', details: { issues: [{ path }] } },
      });
    expect(await statusOf(id)).toBe('open');
  });

  test('[D19] with a secret in its note is rejected', async () => {
    const id = await synced([finding(1)]);
    const note = `It uses ${['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')}.`;
    expect(codeOf(await decide(id, { status: 'accepted_risk', note }))).toBe('UNSAFE_PAYLOAD_REJECTED');
  });

  test('[D19] replaces all values of the previous one; identical values change nothing', async () => {
    const id = await synced([finding(1), finding(2)]);
    const first = { status: 'accepted_risk', reason: 'mitigated', note: 'The proxy rejects it.' } as const;
    bodyOf(await decideAll(id, ['F-1'], first));
    const again = bodyOf(await decideAll(id, ['F-1', 'F-2'], first));
    expect([again.changed, again.unchanged]).toEqual([['F-2'], ['F-1']]);
    const { changed } = bodyOf(await decideAll(id, ['F-1'], { ...first, note: 'Another note.' }));
    expect(changed).toEqual(['F-1']);
    bodyOf(await decide(id, { status: 'accepted_risk' }));
    expect((await history(id)).map(({ reason, note }) => [reason, note])).toEqual([
      ['mitigated', 'The proxy rejects it.'],
      ['mitigated', 'Another note.'],
      [null, null],
    ]);
    expect(bodyOf(await decideAll(id, ['F-1'], { status: 'accepted_risk' })).changed).toEqual([]);
  });

  test('[D19] about many findings is made for all of them or none', async () => {
    const id = await synced([finding(1), finding(2, { status: 'fix_suggested' }), finding(3)]);
    expect(await decideAll(id, ['F-1', 'F-9'], { status: 'false_positive' })).toMatchObject({
      error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: '/findingIds/1' }] } },
    });
    expect(await decideAll(id, ['F-2', 'F-1', 'F-3'], { status: 'fix_applied' })).toMatchObject({
      error: {
        code: 'CONFLICT',
        details: { issues: [{ path: '/findingIds/1' }, { path: '/findingIds/2' }] },
      },
    });
    expect(codeOf(await decideAll(id, ['F-1', 'F-1'], { status: 'false_positive' }))).toBe(
      'VALIDATION_FAILED',
    );
    expect(await Promise.all(['F-1', 'F-2', 'F-3'].map((each) => statusOf(id, each)))).toEqual([
      'open',
      'fix_suggested',
      'open',
    ]);
    expect(await openOfReport(id)).toBe(3);
  });

  test('[D19] is one entry of the audit log, without text', async () => {
    const id = await synced([finding(1), finding(2)]);
    bodyOf(await decideAll(id, ['F-1', 'F-2'], { status: 'false_positive', note: 'A canary in a note.' }));
    const { entries } = bodyOf(
      await owner.api.listWorkspaceAudit({ params: { id: server.team }, query: {} }),
    );
    expect(entries.filter(({ reportId }) => reportId === id)).toMatchObject([
      { action: 'finding_decided', actorId: member.user.userId, detail: 'false_positive 2', count: 1 },
    ]);
    expect(JSON.stringify(entries)).not.toContain('canary');
  });
});

describe('the end of a decision', () => {
  test('[D19] opens the finding for everyone from that time on; only owners and members see why', async () => {
    const id = await synced([finding(1)]);
    const link = await shareOf(owner, id, { defaultPolicy: wholePolicy, mode: 'anyone_with_link' });
    const narrow: SharePolicy = { ...wholePolicy, findings: { mode: 'allow_listed', ids: ['F-1'] } };
    const narrowLink = await shareOf(owner, id, { defaultPolicy: narrow, mode: 'anyone_with_link' });
    bodyOf(await decide(id, { status: 'accepted_risk', until: iso(60_000) }));
    const shared = async (slug: string) => {
      const { report } = bodyOf(await member.api.readShare({ params: { slug } }));
      return report.findings?.[0];
    };
    expect([await statusOf(id), await openOfReport(id), await openOfProject()]).toEqual([
      'accepted_risk',
      0,
      0,
    ]);
    for (const { slug } of [link, narrowLink])
      expect(await shared(slug)).toMatchObject({ status: 'accepted_risk' });
    clock.advance(59_999);
    expect(await statusOf(id)).toBe('accepted_risk');
    clock.advance(1);
    for (const { slug } of [link, narrowLink]) {
      expect(await shared(slug)).toMatchObject({ status: 'open' });
      expect((await shared(slug))?.tags ?? []).not.toContain('decision-lapsed');
    }
    expect([await statusOf(id), await openOfReport(id), await openOfProject()]).toEqual(['open', 1, 1]);
    expect(await tagsOf(id)).toEqual(['decision-lapsed']);
    expect((await read(id)).decisions).toMatchObject([{ status: 'accepted_risk', carried: false }]);
    expect(await statusOf(await synced([finding(1)]))).toBe('open');
  });

  test('[D19] also takes effect in reports to which the decision was carried over', async () => {
    await decide(await synced([finding(1)]), { status: 'accepted_risk', until: iso(60_000) });
    const later = await synced([finding(1)]);
    expect([await statusOf(later), await tagsOf(later)]).toEqual(['accepted_risk', ['carried-status']]);
    expect((await read(later)).decisions).toMatchObject([{ findingId: 'F-1', carried: true }]);
    clock.advance(60_000);
    expect([await openOfReport(later), await openOfProject()]).toEqual([1, 1]);
    expect([await statusOf(later), await tagsOf(later)]).toEqual(['open', ['decision-lapsed']]);
    bodyOf(await decide(later, { status: 'open' }));
    expect(await tagsOf(later)).toEqual([]);
  });

  test('[D19] is recorded by a job when nobody reads the report', async () => {
    const id = await synced([finding(1)]);
    bodyOf(await decide(id, { status: 'accepted_risk', until: iso(60_000) }));
    clock.advance(60_000);
    await server.runJob('lapsed decisions');
    expect([await openOfReport(id), await openOfProject(), await statusOf(id)]).toEqual([1, 1, 'open']);
  });
});

describe('a decision in an older report', () => {
  test('[D19] also applies to the newest report that has the finding, and to no other', async () => {
    const first = await synced([finding(1), finding(2)]);
    const second = await synced([finding(1), finding(2)]);
    const third = await synced([finding(7), finding(1, { id: 'F-8' })]);
    bodyOf(await decide(first, { status: 'false_positive' }));
    expect([await statusOf(first), await statusOf(second), await statusOf(third, 'F-8')]).toEqual([
      'false_positive',
      'open',
      'false_positive',
    ]);
    expect((await read(third)).decisions).toMatchObject([{ findingId: 'F-8', carried: false }]);
    expect(await history(second)).toMatchObject([{ status: 'false_positive', reportId: first }]);
  });

  test('[D19] becomes a step of the fix in the newest report, whatever the status was there', async () => {
    const first = await synced([finding(1, { status: 'fix_suggested' })]);
    const second = await synced([finding(1)]);
    bodyOf(await decide(first, { status: 'fix_applied' }));
    const [there] = (await read(second)).report?.findings ?? [];
    expect(there).toMatchObject({ status: 'fix_applied', fixHistory: [{ action: 'applied' }] });
  });
});

describe('the decisions about a finding', () => {
  const page = (id: string, query: { limit?: string; cursor?: string } = {}) =>
    owner.api.listDecisions({ params: { id, findingId: 'F-1' }, query });

  test('[D19] are listed in pages, the oldest first', async () => {
    const id = await synced([finding(1)]);
    for (const note of ['a', 'b', 'c']) bodyOf(await decide(id, { status: 'false_positive', note }));
    const first = bodyOf(await page(id, { limit: '2' }));
    expect(first.decisions.map(({ note }) => note)).toEqual(['a', 'b']);
    const second = bodyOf(await page(id, { limit: '2', cursor: first.nextCursor ?? '' }));
    expect(second).toMatchObject({ decisions: [{ note: 'c' }], nextCursor: null });
    expect(bodyOf(await page(id)).decisions).toHaveLength(3);
    for (const query of [{ limit: '0' }, { limit: '201' }, { cursor: 'x' }, { cursor: '0' }])
      expect(codeOf(await page(id, query))).toBe('VALIDATION_FAILED');
  });

  test('[D19] [D31] are the newest thousand', async () => {
    const id = await synced([finding(1)]);
    bodyOf(await decide(id, { status: 'false_positive', note: 'The first.' }));
    const { read: db } = server.service.database;
    const [row] = await db
      .selectFrom('findingDecisions')
      .selectAll()
      .where('projectId', '=', project.projectId)
      .execute();
    if (!row) throw new Error('The decision is not stored.');
    for (let number = 2; number <= 1000; number += 1)
      await db
        .insertInto('findingDecisions')
        .values({ ...row, number, note: null })
        .execute();
    await db
      .updateTable('projects')
      .set({ decisionsMade: 1000 })
      .where('id', '=', project.projectId)
      .execute();
    bodyOf(await decide(id, { status: 'accepted_risk' }));
    const { decisions, nextCursor } = bodyOf(await page(id, { limit: '200' }));
    expect([decisions[0]?.note, decisions.length, nextCursor]).toEqual([null, 200, '201']);
    expect(bodyOf(await page(id, { cursor: '1000' })).decisions).toMatchObject([{ status: 'accepted_risk' }]);
    expect(await notesBytes()).toBe(0);
  });

  const notesBytes = async () => {
    const { read: db } = server.service.database;
    const row = await db
      .selectFrom('projects')
      .select('notesBytes')
      .where('id', '=', project.projectId)
      .executeTakeFirst();
    return row?.notesBytes;
  };

  test('[D19] [D31] take no more notes of a project than 64 MiB, and each is given back when it is deleted', async () => {
    const id = await synced([finding(1)]);
    bodyOf(await decide(id, { status: 'false_positive', note: 'x'.repeat(2000) }));
    expect(await notesBytes()).toBeGreaterThan(2000);
    const { read: db } = server.service.database;
    const full = 64 * 1024 * 1024;
    await db.updateTable('projects').set({ notesBytes: full }).where('id', '=', project.projectId).execute();
    expect(codeOf(await decide(id, { status: 'accepted_risk', note: 'One more.' }))).toBe('CONFLICT');
    bodyOf(await decide(id, { status: 'accepted_risk' }));
    bodyOf(await owner.api.deleteReport({ params: { id } }));
    await server.runJob('notes of findings without a report');
    expect(await notesBytes()).toBeLessThan(full - 2000);
  });
});

describe('undoing', () => {
  test('[D19] gives the previous status, reason and note back by a decision in the history, and keeps what was decided since', async () => {
    const id = await synced([finding(1), finding(2), finding(3)]);
    const earlier = { status: 'false_positive', reason: 'other', note: 'Only in a test.' } as const;
    bodyOf(await decide(id, earlier));
    const all = ['F-1', 'F-2', 'F-3'];
    const { undoId } = bodyOf(await decideAll(id, all, { status: 'accepted_risk', note: 'For now.' }));
    bodyOf(await decide(id, { status: 'open' }, 'F-3', owner));
    expect(codeOf(await undo(id, undoId, owner))).toBe('NOT_FOUND');
    clock.advance(60_000);
    expect(bodyOf(await undo(id, undoId))).toEqual({ restored: ['F-1', 'F-2'], kept: ['F-3'] });
    const statuses = ['false_positive', 'open', 'open'];
    expect(await Promise.all(all.map((each) => statusOf(id, each)))).toEqual(statuses);
    expect(await history(id)).toMatchObject([earlier, { status: 'accepted_risk' }, earlier]);
    expect(await history(id, 'F-2')).toMatchObject([
      { status: 'accepted_risk' },
      { status: 'open', reason: null, note: null, until: null, decidedAt: iso(0) },
    ]);
    expect([await openOfReport(id), await openOfProject()]).toEqual([2, 2]);
    expect(bodyOf(await undo(id, undoId))).toEqual({ restored: [], kept: all });
  });

  test('[D19] gives the previous end back', async () => {
    const id = await synced([finding(1)]);
    const until = iso(DAY_MS);
    bodyOf(await decide(id, { status: 'accepted_risk', until }));
    const { undoId } = bodyOf(await decideAll(id, ['F-1'], { status: 'accepted_risk' }));
    bodyOf(await undo(id, undoId));
    expect((await read(id)).decisions).toMatchObject([{ status: 'accepted_risk', until }]);
    clock.advance(DAY_MS);
    expect([await statusOf(id), await openOfProject()]).toEqual(['open', 1]);
  });

  test('[D19] [D21] is counted in the trends like any decision', async () => {
    const id = await synced([finding(1)]);
    const { undoId } = bodyOf(await decideAll(id, ['F-1'], { status: 'accepted_risk' }));
    bodyOf(await undo(id, undoId));
    expect(await openOfProject()).toBe(1);
    expect(await today()).toMatchObject({ opened: 2, setAside: 1, fixed: 0 });
  });

  test('[D19] of a step of a fix is recorded as reverted', async () => {
    const id = await synced([finding(1, { status: 'fix_suggested' })]);
    const { undoId } = bodyOf(await decideAll(id, ['F-1'], { status: 'fix_applied' }));
    bodyOf(await undo(id, undoId));
    const [shown] = (await read(id)).report?.findings ?? [];
    expect(shown).toMatchObject({ status: 'fix_suggested' });
    expect(shown?.fixHistory?.map(({ action }) => action)).toEqual(['applied', 'reverted']);
  });

  test('[D19] gives the report and the newest report what each of them had', async () => {
    const first = await synced([finding(1)]);
    const second = await synced([finding(1)]);
    bodyOf(await decide(second, { status: 'accepted_risk' }));
    const { undoId } = bodyOf(await decideAll(first, ['F-1'], { status: 'false_positive' }));
    expect([await statusOf(first), await statusOf(second)]).toEqual(['false_positive', 'false_positive']);
    bodyOf(await undo(first, undoId));
    expect([await statusOf(first), await statusOf(second)]).toEqual(['open', 'accepted_risk']);
    expect([await projectStatus(), await openOfProject()]).toEqual(['accepted_risk', 0]);
    expect((await history(first)).at(-1)).toMatchObject({ status: 'accepted_risk' });
    expect(await statusOf(await synced([finding(1)]))).toBe('accepted_risk');
  });

  test('[D19] [D20] in a report of another branch leaves what the project had accepted at a lower severity', async () => {
    const of = (branch: string) => ({
      project: { name: 'shop', defaultBranch: 'main' },
      scan: { ...scan, branch },
    });
    const low = await synced([finding(1, { severity: 'low' })], of('main'));
    bodyOf(await decide(low, { status: 'accepted_risk' }));
    const high = await synced([finding(1)], of('topic'));
    expect(await statusOf(high)).toBe('open');
    const { undoId } = bodyOf(await decideAll(high, ['F-1'], { status: 'false_positive' }));
    bodyOf(await undo(high, undoId));
    expect([await statusOf(low), await statusOf(high)]).toEqual(['accepted_risk', 'open']);
    const body = { fingerprints: [finding(1).fingerprint] };
    const asked = await server.device.api.queryDecisions({ params: { id: project.projectId }, body });
    expect(bodyOf(asked).decisions).toMatchObject([{ status: 'accepted_risk', severity: 'low' }]);
  });

  test('[D19] [D21] of a decision whose predecessor has ended meanwhile opens the finding, and the day counts it as opened', async () => {
    const id = await synced([finding(1)]);
    bodyOf(await decide(id, { status: 'accepted_risk', until: iso(60_000) }));
    clock.advance(40_000);
    const { undoId } = bodyOf(await decideAll(id, ['F-1'], { status: 'false_positive' }));
    clock.advance(40_000);
    bodyOf(await undo(id, undoId));
    expect([await statusOf(id), await openOfProject()]).toEqual(['open', 1]);
    expect(await today()).toMatchObject({ opened: 2, setAside: 1, fixed: 0 });
  });

  test.each([
    ['open', 'high', 'open'],
    ['fix_suggested', 'high', 'fix_suggested'],
    // It is seen again.
    ['fixed_verified', 'high', 'open'],
    ['accepted_risk', 'high', 'accepted_risk'],
    // It has risen.
    ['accepted_risk', 'critical', 'open'],
  ] as const)(
    '[D19] [D26] of a decision about a finding that was %s, and is %s in a later report, leaves it %s there',
    async (status, severity, there) => {
      const id = await synced([finding(1, { status })]);
      const { undoId } = bodyOf(await decideAll(id, ['F-1'], { status: 'false_positive' }));
      const later = await synced([finding(1, { severity })]);
      bodyOf(await undo(id, undoId));
      expect([await statusOf(id), await statusOf(later), await projectStatus()]).toEqual([
        status,
        there,
        there,
      ]);
    },
  );

  test('[D19] [D26] opens a finding that was absent when it was decided, and that a later report has again', async () => {
    const id = await synced([finding(1)]);
    await synced([]);
    const { undoId } = bodyOf(await decideAll(id, ['F-1'], { status: 'accepted_risk' }));
    await synced([finding(1)]);
    bodyOf(await undo(id, undoId));
    expect([await projectStatus(), await openOfProject()]).toEqual(['open', 1]);
    expect(await today()).toMatchObject({ opened: 2, fixed: 1, setAside: 0 });
  });

  test('[D19] [D21] of a decision about a finding that a later report lacks leaves it closed', async () => {
    const id = await synced([finding(1)]);
    const { undoId } = bodyOf(await decideAll(id, ['F-1'], { status: 'accepted_risk' }));
    await synced([]);
    bodyOf(await undo(id, undoId));
    expect([await statusOf(id), await openOfProject()]).toEqual(['open', 0]);
    expect(await today()).toMatchObject({ opened: 1, setAside: 1, fixed: 0 });
  });

  test('[D19] is rejected after a minute', async () => {
    const id = await synced([finding(1)]);
    const { undoId } = bodyOf(await decideAll(id, ['F-1'], { status: 'accepted_risk' }));
    clock.advance(60_001);
    expect(codeOf(await undo(id, undoId))).toBe('CONFLICT');
    expect(await statusOf(id)).toBe('accepted_risk');
  });

  test('[D19] shows in shares, in the newest report and in the next one', async () => {
    const first = await synced([finding(1)]);
    const second = await synced([finding(1)]);
    const { slug } = await shareOf(owner, second, {
      defaultPolicy: { ...wholePolicy, findings: { mode: 'allow_listed', ids: ['F-1'] } },
      mode: 'anyone_with_link',
    });
    const shared = async () =>
      bodyOf(await member.api.readShare({ params: { slug } })).report.findings?.[0]?.status;
    const { undoId } = bodyOf(await decideAll(first, ['F-1'], { status: 'accepted_risk' }));
    expect(await shared()).toBe('accepted_risk');
    bodyOf(await undo(first, undoId));
    expect([await shared(), await statusOf(second), await statusOf(await synced([finding(1)]))]).toEqual([
      'open',
      'open',
      'open',
    ]);
  });
});

test('[D26] after a report was deleted, a finding waits for the tool of the remaining report', async () => {
  const by = (tool: string) => ({
    scan: { ...scan, tools: [{ name: tool }] },
    coverageAreas: [{ id: `tool:${tool}`, name: tool, status: 'covered' }],
  });
  const found = (tool: string) => [finding(1, { tags: [`tool:${tool}`] })];
  await synced(found('alpha'), by('alpha'));
  const later = await synced(found('beta'), by('beta'));
  bodyOf(await owner.api.deleteReport({ params: { id: later } }));
  await synced([], by('beta'));
  expect(await openOfProject()).toBe(1);
  await synced([], by('alpha'));
  expect(await openOfProject()).toBe(0);
});

test('[D19] a note is sealed, and deleted soon after the last report with its finding has ended', async () => {
  const note = 'A canary that only the people of the report read.';
  const first = await synced([finding(1)]);
  bodyOf(await decide(first, { status: 'false_positive', note }));
  const second = await synced([finding(1), finding(2)]);
  const noteBytes = async () => {
    const rows = await server.service.database.read
      .selectFrom('findingDecisions')
      .select('note')
      .where('projectId', '=', project.projectId)
      .execute();
    return rows.map((row) => row.note && Buffer.from(row.note).includes('canary'));
  };
  expect(await noteBytes()).toEqual([false]);
  bodyOf(await owner.api.deleteReport({ params: { id: first } }));
  await server.runJob('notes of findings without a report');
  expect((await history(second)).map((decision) => decision.note)).toEqual([note]);
  bodyOf(await owner.api.deleteReport({ params: { id: second } }));
  await server.runJob('notes of findings without a report');
  expect(await noteBytes()).toEqual([null]);
});
