/** The findings of a workspace: which are listed, from which report, for whom, and until when. */
import { createHash } from 'node:crypto';
import type { WorkspaceFindingsQuery } from '@svc/contract';
import { DAY_MS, MINUTE_MS } from '@svc/contract/durations';
import {
  bodyOf,
  codeOf,
  createFakeClock,
  findingBody,
  newLocalId,
  syncReport,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

const clock = createFakeClock();
const server = sharedTeamServer(clock);
let owner: SessionActor;
let device: DeviceActor;
let workspaceId: string;
let shop: BoundProject;
let bank: BoundProject;

beforeAll(() => {
  ({ owner, device } = server);
});
beforeEach(async () => {
  ({ workspaceId } = bodyOf(await owner.api.createWorkspace({ body: { name: 'Lists' } })));
  shop = await projectNamed('Shop');
  bank = await projectNamed('Bank');
});

async function projectNamed(name: string): Promise<BoundProject> {
  const body = { workspaceId, name, bindingPublicId: newLocalId() };
  return { workspaceId, projectId: bodyOf(await owner.api.createProject({ body })).projectId };
}
const finding = (name: string, more: object = {}) => ({
  ...findingBody(1),
  title: `Finding ${name}`,
  fingerprint: createHash('sha256').update(name).digest('hex'),
  ...more,
});
const numbered = (findings: readonly object[]) =>
  findings.map((each, at) => ({ ...each, id: `F-${at + 1}` }));
const sync = async (project: BoundProject, findings: readonly object[], more: object = {}) =>
  (await syncReport(device, { project, body: { findings: numbered(findings), ...more } })).reportId;
const list = async (query: WorkspaceFindingsQuery = {}, by = owner) =>
  bodyOf(await by.api.listWorkspaceFindings({ params: { id: workspaceId }, query }));
const titles = async (query: WorkspaceFindingsQuery = {}) =>
  (await list(query)).findings.map(({ title }) => title.replace('Finding ', ''));

describe('[D21] the findings of a workspace', () => {
  test('are those present in each project, each from the newest report that has it', async () => {
    await sync(shop, [finding('stays'), finding('fixed')]);
    const newest = await sync(shop, [finding('new'), finding('stays', { severity: 'low' })]);
    const other = await sync(bank, [finding('of the bank')]);
    const { findings, total, inExpiredReports } = await list({ sort: 'project' });
    expect(total).toBe(3);
    expect(inExpiredReports).toBe(0);
    expect(
      findings.map(({ title, projectName, reportId, findingId }) => [
        title,
        projectName,
        reportId,
        findingId,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['Finding of the bank', 'Bank', other, 'F-1'],
        ['Finding new', 'Shop', newest, 'F-1'],
        ['Finding stays', 'Shop', newest, 'F-2'],
      ]),
    );
    expect(findings[0]?.projectName).toBe('Bank');
    expect(findings.find(({ title }) => title === 'Finding stays')?.severity).toBe('low');
  });

  test('have their location, and none of their prose', async () => {
    await sync(shop, [
      finding('placed', {
        affected: { component: 'orders', file: 'src/orders.ts', lineStart: 7 },
        category: 'sql_injection',
      }),
    ]);
    const [listed] = (await list()).findings;
    expect(listed).toEqual({
      findingKey: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{26}$/),
      projectId: shop.projectId,
      projectName: 'Shop',
      reportId: expect.any(String),
      findingId: 'F-1',
      title: 'Finding placed',
      category: 'sql_injection',
      severity: 'high',
      verification: listed?.verification,
      status: 'open',
      component: 'orders',
      file: 'src/orders.ts',
      lineStart: 7,
      firstSeenAt: new Date(clock.now()).toISOString(),
    });
  });

  test('have the same key in every report of their project, and another one in other projects', async () => {
    await sync(shop, [finding('same')]);
    await sync(bank, [finding('same')]);
    const keys = async () => (await list({ sort: 'project' })).findings.map(({ findingKey }) => findingKey);
    const before = await keys();
    await sync(shop, [finding('other'), finding('same')]);
    const after = await list({ findingKey: before[1] ?? '' });
    expect(new Set(before).size).toBe(2);
    expect(after.findings.map(({ title, findingId }) => [title, findingId])).toEqual([
      ['Finding same', 'F-2'],
    ]);
  });

  test('are filtered, counted and sorted', async () => {
    await sync(shop, [
      finding('sql', { severity: 'critical', category: 'sql_injection' }),
      finding('xss', { severity: 'low', category: 'xss', verification: 'needs_review' }),
    ]);
    await sync(bank, [finding('sql of the bank', { severity: 'low', category: 'sql_injection' })]);
    expect(await titles({ q: 'SQL finding' })).toEqual(['sql', 'sql of the bank']);
    expect(await titles({ severity: 'critical,high' })).toEqual(['sql']);
    expect(await titles({ category: 'xss' })).toEqual(['xss']);
    expect(await titles({ verification: 'needs_review' })).toEqual(['xss']);
    expect(await titles({ projectId: bank.projectId })).toEqual(['sql of the bank']);
    expect(await titles({ projectId: 'prj_of_nobody' })).toEqual([]);
    expect(await titles({ findingId: 'F-2' })).toEqual(['xss']);
    const { total, counts } = await list({ severity: 'critical', status: 'open', q: 'sql' });
    expect(total).toBe(1);
    expect(counts.severity).toEqual({ critical: 1, high: 0, medium: 0, low: 1, info: 0 });
    expect(counts.status).toMatchObject({ open: 1, accepted_risk: 0 });
  });

  test('first seen after a time are listed and counted alone', async () => {
    await sync(shop, [finding('old')]);
    const firstSeenAfter = new Date(clock.now()).toISOString();
    clock.advance(MINUTE_MS);
    await sync(shop, [finding('old'), finding('new', { severity: 'low' })]);
    const { findings, total, counts } = await list({ firstSeenAfter });
    expect(findings.map(({ title }) => title)).toEqual(['Finding new']);
    expect([total, counts.severity.low, counts.severity.high]).toEqual([1, 1, 0]);
  });

  test('come page by page, each once', async () => {
    await sync(
      shop,
      Array.from({ length: 7 }, (_, at) => finding(`number ${at}`)),
    );
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list({ limit: '3', ...(cursor === null ? {} : { cursor }) });
      found.push(...page.findings.map(({ findingKey }) => findingKey));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(found).toEqual(found.toSorted());
    expect(new Set(found).size).toBe(7);
  });

  test('show a decision as soon as it is made, until it lapses', async () => {
    const id = await sync(shop, [finding('decided')]);
    const until = new Date(clock.now() + 5 * MINUTE_MS).toISOString();
    await owner.api.changeFindingStatus({
      params: { id, findingId: 'F-1' },
      body: { status: 'accepted_risk', until },
    });
    expect((await list()).findings[0]).toMatchObject({ status: 'accepted_risk', until });
    clock.advance(5 * MINUTE_MS);
    const [lapsed] = (await list()).findings;
    expect(lapsed?.status).toBe('open');
    expect(lapsed).not.toHaveProperty('until');
  });

  test('of a deleted report are gone with the next list', async () => {
    const id = await sync(shop, [finding('deleted')]);
    expect(await titles()).toEqual(['deleted']);
    await owner.api.deleteReport({ params: { id } });
    const { findings, inExpiredReports } = await list();
    expect([findings, inExpiredReports]).toEqual([[], 0]);
  });
});

describe('[D21] the list returns an error', () => {
  test('to a member from the moment they leave', async () => {
    const { url } = bodyOf(await owner.api.createInvitation({ params: { id: workspaceId } }));
    const member = await server.signUp();
    await member.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } });
    const id = await sync(shop, [finding('seen')]);
    expect((await list({}, member)).total).toBe(1);
    const membersDevice = await server.linkDevice(member);
    const params = { id: shop.projectId };
    const body = { fingerprints: ['a'.repeat(64)] };
    bodyOf(await membersDevice.api.queryDecisions({ params, body }));
    const { userId } = bodyOf(await member.api.getSession()).user;
    await member.api.removeMember({ params: { id: workspaceId, userId } });
    const answers = [
      await member.api.listWorkspaceFindings({ params: { id: workspaceId } }),
      await member.api.getWorkspaceTrends({ params: { id: workspaceId } }),
      await member.api.getWorkspaceOverview({ params: { id: workspaceId } }),
      await member.api.listDecisions({ params: { id, findingId: 'F-1' } }),
      await member.api.queryDecisions({ params, body }),
      await membersDevice.api.queryDecisions({ params, body }),
    ];
    expect(answers.map(codeOf)).toEqual(answers.map(() => 'NOT_FOUND'));
  });

  test('to a platform administrator who is only a member', async () => {
    const { operator, team } = server;
    expect(codeOf(await operator.api.listWorkspaceFindings({ params: { id: team } }))).toBe('NOT_FOUND');
    expect(codeOf(await operator.api.getWorkspaceTrends({ params: { id: team } }))).toBe('NOT_FOUND');
  });

  test.each([
    { severity: 'urgent' },
    { severity: 'high,' },
    { status: 'closed' },
    { verification: '' },
    { category: 'No Category' },
    { projectId: 'a b' },
    { sort: 'random' },
    { firstSeenAfter: 'yesterday' },
    { findingId: 'no id' },
    { limit: '0' },
    { limit: '201' },
    { limit: '1e2' },
    { cursor: 'not a cursor' },
    { cursor: Buffer.from('["newest",1,"k"]').toString('base64url') },
    { q: 'x'.repeat(501) },
  ])('for the query %j', async (query) => {
    const answer = await owner.api.listWorkspaceFindings({
      params: { id: workspaceId },
      query: query as WorkspaceFindingsQuery,
    });
    expect(codeOf(answer)).toBe('VALIDATION_FAILED');
  });
});

describe('[D21] the findings', () => {
  test('of an expired report are counted and not listed, before and after the sweeper runs', async () => {
    await sync(shop, [finding('expired')]);
    expect(await titles()).toEqual(['expired']);
    clock.advance(400 * DAY_MS);
    // The session has expired, too.
    owner = { ...owner, ...server.withCookie(await server.logIn(owner)) };
    const listed = async () => {
      const { findings, total, inExpiredReports } = await list();
      return [findings, total, inExpiredReports];
    };
    expect(await listed()).toEqual([[], 0, 1]);
    await server.runJob('expired reports');
    expect(await listed()).toEqual([[], 0, 1]);
    expect((await list({ q: 'expired' })).total).toBe(0);
  });
});
