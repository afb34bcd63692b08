/** Which actions the audit log records, as the workspace's own list shows them. */
import { limits, type FindingStatus } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createTeam,
  findingBody,
  setRole,
  shareOf,
  startServer,
  syncReport,
} from '@svc/testkit';
import type { DeviceActor, SessionActor, TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyAuditLog } from './verifier.ts';

const OPERATOR = 'operator@example.test';
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let device: DeviceActor;
let operator: SessionActor;

beforeAll(async () => {
  server = await startServer({ clock, generousPlans: true, config: { platformAdminEmail: OPERATOR } });
  owner = await server.signUp({ displayName: 'Olga' });
  device = await server.linkDevice(owner);
  operator = await server.signUp({ email: OPERATOR, displayName: 'Support' });
});
afterAll(() => server.close());

async function entriesOf(workspaceId: string, reader = owner) {
  return bodyOf(await reader.api.listWorkspaceAudit({ params: { id: workspaceId } })).entries;
}

const actionsOf = async (workspaceId: string, reader = owner) =>
  (await entriesOf(workspaceId, reader)).map(({ action }) => action);

/** The entries about a workspace, even a deleted one, among the newest of the service. */
async function entriesAbout(workspaceId: string) {
  const { entries } = bodyOf(await operator.api.listAdminAudit());
  return entries.filter((entry) => entry.workspaceId === workspaceId);
}

async function newTeam(...others: SessionActor[]) {
  const workspaceId = await createTeam(owner, others);
  return { workspaceId, project: await bindProject(owner, workspaceId) };
}

describe('the audit log', () => {
  test('[D16] records shares created, changed and revoked, each once', async () => {
    const { workspaceId, project } = await newTeam();
    const { reportId } = await syncReport(device, { project });
    const { shareId } = await shareOf(owner, reportId);
    clock.advance(1000);
    const change = { params: { shareId }, body: { reportId, label: 'A name that must stay private' } };
    bodyOf(await owner.api.changeShare(change));
    bodyOf(await owner.api.changeShare({ params: { shareId }, body: { reportId } }));
    bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId } }));
    bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId } }));
    const entries = await entriesOf(workspaceId);
    const actorId = owner.user.userId;
    const about = { actorId, actorName: 'Olga', workspaceId, reportId, subjectId: shareId };
    expect(entries.slice(1)).toMatchObject([
      { action: 'share_created', ...about, detail: null, subjectName: null },
      { action: 'share_changed', ...about, at: new Date(clock.now()).toISOString() },
      { action: 'share_revoked', ...about },
    ]);
    expect(JSON.stringify(entries)).not.toContain('must stay private');
  });

  test('[D16] records exports by members and through shares, and no HEAD request', async () => {
    const { workspaceId, project } = await newTeam();
    const { reportId } = await syncReport(device, { project });
    const { shareId, slug } = await shareOf(owner, reportId);
    const viewer = await server.signUp();
    const own = `/api/v1/reports/${reportId}/export/sarif`;
    const linked = `/api/v1/shares/slug/${slug}/export/html`;
    for (const [actor, path] of [
      [owner, own],
      [viewer, linked],
      [server.anonymous, linked],
    ] as const) {
      expect((await actor.fetch(path, { method: 'HEAD' })).status).toBe(200);
      expect((await actor.fetch(path)).status).toBe(200);
    }
    expect((await viewer.fetch(own)).status).toBe(404);
    expect((await entriesOf(workspaceId)).filter(({ action }) => action === 'report_exported')).toMatchObject(
      [
        { actorId: owner.user.userId, reportId, subjectId: null, detail: 'sarif' },
        { actorId: viewer.user.userId, reportId, subjectId: shareId, detail: 'html' },
        { actorId: null, actorName: null, reportId, subjectId: shareId, detail: 'html' },
      ],
    );
  });

  test('[D16] [T28] counts exports of one actor, report and format within a minute in one entry', async () => {
    const { workspaceId, project } = await newTeam();
    const { reportId } = await syncReport(device, { project });
    const { shareId, slug } = await shareOf(owner, reportId);
    const viewer = await server.signUp();
    const take = async (actor: Pick<SessionActor, 'fetch'>, format: string) =>
      (await actor.fetch(`/api/v1/shares/slug/${slug}/export/${format}`)).arrayBuffer();
    const taken = async () =>
      (await entriesOf(workspaceId))
        .filter(({ action }) => action === 'report_exported')
        .map(({ actorId, subjectId, detail, count }) => [actorId, subjectId, detail, count]);
    const viewerId = viewer.user.userId;
    for (const format of ['json', 'json', 'html', 'json']) await take(server.anonymous, format);
    for (const format of ['json', 'json', 'html']) await take(viewer, format);
    const first = [
      [null, shareId, 'json', 3],
      [null, shareId, 'html', 1],
      [viewerId, shareId, 'json', 2],
      [viewerId, shareId, 'html', 1],
    ];
    expect(await taken()).toEqual(first);
    clock.advance(59_999);
    await take(viewer, 'html');
    first[3] = [viewerId, shareId, 'html', 2];
    expect(await taken()).toEqual(first);
    clock.advance(1);
    for (const actor of [server.anonymous, viewer, viewer]) await take(actor, 'json');
    expect(await taken()).toEqual([...first, [null, shareId, 'json', 1], [viewerId, shareId, 'json', 2]]);
    expect(await verifyAuditLog(server.service.database.read, null)).toMatchObject({ intact: true });
  });

  test('[D24] [T28] counts equal decisions of one person about one report within a minute in one entry', async () => {
    const member = await server.signUp();
    const { workspaceId, project } = await newTeam(member);
    const findings = [findingBody(1), findingBody(2)];
    const { reportId: first } = await syncReport(device, { project, body: { findings } });
    const { reportId: second } = await syncReport(device, { project, body: { findings } });
    const decide = async (person: SessionActor, id: string, status: FindingStatus, findingId = 'F-1') =>
      bodyOf(await person.api.changeFindingStatus({ params: { id, findingId }, body: { status } }));
    const decided = async () =>
      (await entriesOf(workspaceId))
        .filter(({ action }) => action === 'finding_decided')
        .map(({ actorId, reportId, detail, count }) => [actorId, reportId, detail, count]);
    const [ownerId, memberId] = [owner.user.userId, member.user.userId];
    for (let times = 0; times < 3; times += 1)
      for (const status of ['accepted_risk', 'open'] as const) await decide(owner, first, status);
    await decide(owner, first, 'accepted_risk', 'F-2');
    await decide(member, first, 'open', 'F-2');
    await decide(owner, second, 'accepted_risk');
    const entries = [
      [ownerId, first, 'accepted_risk 1', 4],
      [ownerId, first, 'open 1', 3],
      [memberId, first, 'open 1', 1],
      [ownerId, second, 'accepted_risk 1', 1],
    ];
    expect(await decided()).toEqual(entries);
    // What changes nothing, or fails, is not counted.
    await decide(owner, second, 'accepted_risk');
    const forbidden = { params: { id: second, findingId: 'F-9' }, body: { status: 'open' } } as const;
    expect(codeOf(await owner.api.changeFindingStatus(forbidden))).toBe('NOT_FOUND');
    clock.advance(59_999);
    await decide(owner, second, 'open');
    await decide(owner, second, 'accepted_risk');
    entries[3] = [ownerId, second, 'accepted_risk 1', 2];
    entries.push([ownerId, second, 'open 1', 1]);
    expect(await decided()).toEqual(entries);
    clock.advance(60_000);
    await decide(owner, second, 'open');
    expect(await decided()).toEqual([...entries, [ownerId, second, 'open 1', 1]]);
    expect(await verifyAuditLog(server.service.database.read, null)).toMatchObject({ intact: true });
  });

  test('[D24] records each change of rights, however often it is repeated within a minute', async () => {
    const member = await server.signUp();
    const { workspaceId, project } = await newTeam(member);
    const { reportId } = await syncReport(device, { project });
    const { shareId } = await shareOf(owner, reportId);
    const before = (await entriesOf(workspaceId)).length;
    for (let times = 0; times < 3; times += 1) {
      const body = { reportId, mode: 'private' } as const;
      bodyOf(await owner.api.changeShare({ params: { shareId }, body }));
      bodyOf(await setRole(owner, workspaceId, member, 'owner'));
      bodyOf(await setRole(owner, workspaceId, member, 'member'));
    }
    const changes = (await entriesOf(workspaceId)).slice(before);
    const once = ['share_changed', 'member_role_changed', 'member_role_changed'];
    expect(changes.map(({ action }) => action)).toEqual([...once, ...once, ...once]);
    expect(changes.map(({ count }) => count)).toEqual(changes.map(() => 1));
  });

  test('[D24] the count of an entry only rises', async () => {
    const { project } = await newTeam();
    const { reportId } = await syncReport(device, { project });
    await (await owner.fetch(`/api/v1/reports/${reportId}/export/json`)).arrayBuffer();
    const db = server.service.database.read;
    const lower = db.updateTable('auditCounts').set({ count: 0 }).execute();
    await expect(lower).rejects.toThrow('only rise');
    await expect(db.deleteFrom('auditCounts').execute()).rejects.toThrow('only rise');
  });

  test('[D16] records members who are invited, join, get another role, are removed or leave', async () => {
    const [one, other] = [await server.signUp({ displayName: 'Mona' }), await server.signUp()];
    const { workspaceId } = await newTeam(one, other);
    const [oneId, otherId] = [one.user.userId, other.user.userId];
    const params = { id: workspaceId, userId: oneId };
    bodyOf(await setRole(owner, workspaceId, one, 'owner'));
    expect(codeOf(await other.api.removeMember({ params }))).toBe('FORBIDDEN');
    bodyOf(await owner.api.removeMember({ params: { id: workspaceId, userId: otherId } }));
    bodyOf(await one.api.removeMember({ params }));
    const entries = await entriesOf(workspaceId);
    const by = (person: SessionActor) => person.user.userId;
    expect(
      entries.map(({ action, actorId, subjectId, detail }) => [action, actorId, subjectId, detail]),
    ).toEqual([
      ['workspace_created', by(owner), null, null],
      ['member_invited', by(owner), expect.stringMatching(/^inv_/), null],
      ['member_joined', oneId, oneId, null],
      ['member_invited', by(owner), expect.stringMatching(/^inv_/), null],
      ['member_joined', otherId, otherId, null],
      ['member_role_changed', by(owner), oneId, 'owner'],
      ['member_removed', by(owner), otherId, null],
      ['member_left', oneId, oneId, null],
    ]);
    expect(entries[2]).toMatchObject({ actorName: 'Mona', subjectName: 'Mona' });
  });

  test('[D16] records a member’s devices in the team, and keeps the entries after the account is deleted', async () => {
    const member = await server.signUp();
    const { workspaceId } = await newTeam(member);
    const { deviceId } = await server.linkDevice(member);
    bodyOf(await member.api.revokeDevice({ params: { id: deviceId } }));
    bodyOf(await member.api.revokeDevice({ params: { id: deviceId } }));
    const kept = await server.linkDevice(member);
    bodyOf(await member.api.deleteAccount({ body: { password: member.password } }));
    const entries = (await entriesOf(workspaceId)).slice(3);
    expect(entries.map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ['device_linked', deviceId],
      ['device_revoked', deviceId],
      ['device_linked', kept.deviceId],
      ['device_revoked', kept.deviceId],
      ['member_left', member.user.userId],
    ]);
    expect(new Set(entries.map(({ actorName }) => actorName))).toEqual(new Set([null]));
  });

  test('[D17] records deleted reports, and stays when the workspace is deleted', async () => {
    const { workspaceId, project } = await newTeam();
    const reports = [await syncReport(device, { project }), await syncReport(device, { project })];
    const [first, second] = reports.map(({ reportId }) => reportId) as [string, string];
    bodyOf(await owner.api.deleteReport({ params: { id: first } }));
    expect(codeOf(await owner.api.deleteReport({ params: { id: first } }))).toBe('REPORT_EXPIRED');
    bodyOf(await owner.api.deleteWorkspace({ params: { id: workspaceId } }));
    const recorded = (await entriesAbout(workspaceId)).map(({ action, reportId }) => [action, reportId]);
    expect(recorded).toEqual([
      ['workspace_created', null],
      ['report_deleted', first],
      ['report_deleted', second],
      ['workspace_deleted', null],
    ]);
    expect(await verifyAuditLog(server.service.database.read, null)).toMatchObject({ intact: true });
  });

  test('[D17] contains nothing that people wrote: no name, no address, no text', async () => {
    const rows = await server.service.database.read.selectFrom('auditLog').selectAll().execute();
    const words = rows.flatMap(({ hash: _, previousHash: __, ...row }) => Object.values(row));
    const texts = words.filter((value): value is string => typeof value === 'string');
    const plain = /^(?:[a-z]{2,3}_[0-9a-hjkmnp-tv-z]{26}|[a-z]+(?:_[a-z]+)*(?: \d+)?)$/;
    expect(texts.filter((text) => !plain.test(text))).toEqual([]);
    expect(rows.length).toBeGreaterThan(10);
  });
});

describe('an entry and the action that it records', () => {
  test('[D17] are committed together: a rejected request leaves no entry', async () => {
    const { workspaceId, project } = await newTeam();
    const { reportId } = await syncReport(device, { project });
    const stranger = await server.signUp();
    const body = { defaultPolicy: { version: 1 } } as const;
    expect(codeOf(await stranger.api.createShare({ params: { id: reportId }, body }))).toBe('NOT_FOUND');
    expect(codeOf(await setRole(owner, workspaceId, owner, 'member'))).toBe('CONFLICT');
    expect(await actionsOf(workspaceId)).toEqual(['workspace_created']);
  });

  test('[D17] are committed together: an action that cannot be recorded fails', async () => {
    await using other = await startServer({ generousPlans: true });
    const person = await other.signUp();
    const { reportId } = await syncReport(await other.linkDevice(person));
    const { slug } = await shareOf(person, reportId);
    await other.service.database.read.schema.alterTable('auditLog').renameTo('auditLogGone').execute();
    const body = { defaultPolicy: { version: 1 } } as const;
    expect(codeOf(await person.api.createShare({ params: { id: reportId }, body }))).toBe('INTERNAL');
    expect(codeOf(await person.api.deleteReport({ params: { id: reportId } }))).toBe('INTERNAL');
    expect((await person.fetch(`/api/v1/reports/${reportId}/export/json`)).status).toBe(500);
    // Actions that are not recorded still work.
    expect((await other.anonymous.fetch(`/api/v1/shares/slug/${slug}/report`)).status).toBe(200);
    await other.service.database.read.schema.alterTable('auditLogGone').renameTo('auditLog').execute();
    expect(bodyOf(await person.api.listShares({ params: { id: reportId } })).shares).toHaveLength(1);
    expect(await verifyAuditLog(other.service.database.read, null)).toMatchObject({ intact: true });
  });
});

describe('reading the audit log', () => {
  test('[D16] returns the page before an entry or a time', async () => {
    const { workspaceId, project } = await newTeam();
    const { reportId } = await syncReport(device, { project });
    const { shareId } = await shareOf(owner, reportId);
    const began = clock.now();
    for (let label = 0; label <= limits.auditEntriesListedMax; label += 1) {
      clock.advance(1000);
      const body = { reportId, label: `Name ${label}` };
      bodyOf(await owner.api.changeShare({ params: { shareId }, body }));
    }
    const page = async (before?: string) => {
      const query = before === undefined ? {} : { before };
      return bodyOf(await owner.api.listWorkspaceAudit({ params: { id: workspaceId }, query })).entries;
    };
    const newest = await page();
    expect(newest).toHaveLength(limits.auditEntriesListedMax);
    expect(newest.map(({ at }) => at)).toEqual(newest.map(({ at }) => at).toSorted());
    for (const before of [newest[0]?.entryId, new Date(began + 2000).toISOString()]) {
      const actions = (await page(before)).map(({ action }) => action);
      expect(actions).toEqual(['workspace_created', 'share_created', 'share_changed']);
    }
    expect(await page('2001-01-01T00:00:00Z')).toEqual([]);
    expect(await page('2100-01-01T00:00:00Z')).toHaveLength(limits.auditEntriesListedMax);
  });

  test('[D16] is for owners, and accepts as a position only an entry of the workspace or a time', async () => {
    const member = await server.signUp();
    const { workspaceId } = await newTeam(member);
    const params = { id: workspaceId };
    expect(codeOf(await member.api.listWorkspaceAudit({ params }))).toBe('FORBIDDEN');
    const { entries } = bodyOf(await operator.api.listAdminAudit());
    const elsewhere = entries.find((entry) => entry.workspaceId !== workspaceId)?.entryId ?? '';
    for (const before of [elsewhere, 'yesterday'])
      expect(codeOf(await owner.api.listWorkspaceAudit({ params, query: { before } }))).toBe(
        'VALIDATION_FAILED',
      );
  });
});
