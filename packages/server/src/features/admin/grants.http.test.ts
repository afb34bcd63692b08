/** Support grants: who can create one, what it allows, how it ends, and what the owner of the report sees. */
import {
  atOnce,
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  startServer,
  startTeamServer,
  syncReport,
  type SessionActor,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const REASON = 'The owner asked why the report shows no findings.';
const CANARY = 'a title that only its own people read';
const clock = createFakeClock();
const server = sharedTeamServer(clock);

const inFuture = (ms: number) => new Date(clock.now() + ms).toISOString();

/** A report of the owner in the team, with the canary as a limitation. */
async function newReport(): Promise<string> {
  const project = await bindProject(server.owner, server.team);
  const { reportId } = await syncReport(server.device, { project, body: { limitations: [CANARY] } });
  return reportId;
}

function ask(reportId: string, given: Readonly<Record<string, unknown>> = {}, by = server.operator) {
  const body = { reportId, reason: REASON, expiresAt: inFuture(HOUR_MS), password: by.password, ...given };
  return by.api.createSupportGrant({ body });
}

const grantFor = async (reportId: string, given: Readonly<Record<string, unknown>> = {}) =>
  bodyOf(await ask(reportId, given)).grant;

const read = (reportId: string, by: SessionActor = server.operator) =>
  by.api.readForSupport({ params: { id: reportId } });

const ownersView = async (reportId: string) =>
  bodyOf(await server.owner.api.getReport({ params: { id: reportId } }));

describe('creating a grant', () => {
  test('[D17] returns the grant, and lists it without a use', async () => {
    const reportId = await newReport();
    const grant = await grantFor(reportId);
    expect(grant).toEqual({
      grantId: expect.stringMatching(/^grt_/),
      reportId,
      administratorId: server.operator.user.userId,
      reason: REASON,
      active: true,
      createdAt: inFuture(0),
      expiresAt: inFuture(HOUR_MS),
      revokedAt: null,
      uses: 0,
      lastUsedAt: null,
    });
    const { grants } = bodyOf(await server.operator.api.listSupportGrants());
    expect(grants.at(-1)).toEqual(grant);
    expect((await ownersView(reportId)).supportAccesses).toEqual([]);
  });

  test.each([
    ['expiresAt', () => inFuture(0)],
    ['expiresAt', () => inFuture(-1)],
    ['expiresAt', () => inFuture(4 * HOUR_MS + 1)],
    ['reason', () => '  nineteen characters  '],
  ])('[D17] rejects an invalid %s, %#', async (field, value) => {
    const rejected = await ask(await newReport(), { [field]: value() });
    expect(rejected).toMatchObject({ status: 422, error: { details: { issues: [{ path: `/${field}` }] } } });
  });

  test('[D17] accepts values just within the limits', async () => {
    const reportId = await newReport();
    const longest = { expiresAt: inFuture(4 * HOUR_MS), reason: 'x'.repeat(2000) };
    expect(await grantFor(reportId, longest)).toMatchObject(longest);
    expect(await grantFor(reportId, { reason: ` ${'x'.repeat(20)}\n` })).toMatchObject({
      reason: 'x'.repeat(20),
    });
  });

  test('[D16] asks for the password, under the rate limit of confirmations and not of login', async () => {
    await using throttled = await startServer({
      throttled: true,
      config: { platformAdminEmail: 'operator@example.test' },
    });
    const operator = await throttled.signUp({ email: 'operator@example.test' });
    const { reportId } = await syncReport(await throttled.linkDevice(await throttled.signUp()));
    const body = { reportId, reason: REASON, expiresAt: new Date(Date.now() + HOUR_MS).toISOString() };
    const withPassword = (password: string) =>
      operator.api.createSupportGrant({ body: { ...body, password } });
    expect(codeOf(await withPassword(operator.password))).toBe('ok');
    for (let tries = 0; tries < 10; tries += 1)
      expect(codeOf(await withPassword('not my password'))).toBe('FORBIDDEN');
    expect(codeOf(await withPassword(operator.password))).toBe('RATE_LIMITED');
    const { email, password } = operator;
    expect(codeOf(await throttled.anonymous.api.logIn({ body: { email, password } }))).toBe('ok');
    expect(bodyOf(await operator.api.listSupportGrants()).grants).toHaveLength(1);
  });

  test('[D17] is rejected for a report that has ended', async () => {
    const reportId = await newReport();
    bodyOf(await server.owner.api.deleteReport({ params: { id: reportId } }));
    expect(codeOf(await ask(reportId))).toBe('REPORT_EXPIRED');
  });
});

describe('reading a report for support', () => {
  test('[D17] needs a grant, and does not reveal whether the report exists', async () => {
    const reportId = await newReport();
    for (const id of [reportId, reportId.replace(/.$/, 'z')])
      expect(codeOf(await read(id))).toBe('SUPPORT_GRANT_REQUIRED');
    await grantFor(await newReport());
    expect(codeOf(await read(reportId))).toBe('SUPPORT_GRANT_REQUIRED');
  });

  test('[D17] returns the whole report, counts the use, and shows the owner when and why', async () => {
    const reportId = await newReport();
    const { grantId } = await grantFor(reportId);
    const given = bodyOf(await read(reportId));
    const whole = await ownersView(reportId);
    expect(given.report).toEqual(whole.report);
    expect(JSON.stringify(given.report)).toContain(CANARY);
    expect(given).toMatchObject({
      reportId,
      state: 'finalized',
      grant: { grantId, uses: 1, lastUsedAt: inFuture(0) },
    });
    const first = inFuture(0);
    clock.advance(60_000);
    bodyOf(await read(reportId));
    expect((await ownersView(reportId)).supportAccesses).toEqual([
      { at: first, reason: REASON },
      { at: inFuture(0), reason: REASON },
    ]);
    const { grants } = bodyOf(await server.operator.api.listSupportGrants());
    expect(grants.find((grant) => grant.grantId === grantId)).toMatchObject({ uses: 2 });
  });

  test('[D17] is shown to the owner of the report and not to other members', async () => {
    const reportId = await newReport();
    await grantFor(reportId);
    bodyOf(await read(reportId));
    const members = bodyOf(await server.member.api.getReport({ params: { id: reportId } }));
    expect([members.access, members.supportAccesses]).toEqual(['member', []]);
  });

  test('[D17] is in the workspace’s audit log with the grant, without the name of an administrator', async () => {
    const reportId = await newReport();
    const { grantId } = await grantFor(reportId);
    bodyOf(await read(reportId));
    bodyOf(await server.operator.api.revokeSupportGrant({ params: { id: grantId } }));
    bodyOf(await server.operator.api.revokeSupportGrant({ params: { id: grantId } }));
    const { entries } = bodyOf(await server.owner.api.listWorkspaceAudit({ params: { id: server.team } }));
    const about = { reportId, subjectId: grantId, actorName: null, workspaceId: server.team };
    expect(entries.slice(-3)).toMatchObject([
      { action: 'support_granted', ...about },
      { action: 'support_used', ...about },
      { action: 'support_revoked', ...about },
    ]);
    expect(JSON.stringify(entries)).not.toContain(REASON);
  });

  test('[D17] of a live report returns what is known about it, and counts as a use', async () => {
    const { reportId } = await createShell(server.device, await bindProject(server.owner, server.team));
    await grantFor(reportId);
    expect(bodyOf(await read(reportId))).toMatchObject({ state: 'live', report: null, grant: { uses: 1 } });
    expect((await ownersView(reportId)).supportAccesses).toHaveLength(1);
  });

  test('[D17] counts each of many simultaneous uses, and a HEAD request too', async () => {
    const reportId = await newReport();
    await grantFor(reportId);
    for (const outcome of await atOnce(20, () => read(reportId))) bodyOf(outcome);
    await server.operator.fetch(`/api/v1/admin/reports/${reportId}`, { method: 'HEAD' });
    expect((await ownersView(reportId)).supportAccesses).toHaveLength(21);
    const { entries } = bodyOf(await server.operator.api.listAdminAudit());
    const uses = entries.filter((entry) => entry.action === 'support_used' && entry.reportId === reportId);
    expect(uses).toHaveLength(21);
  });

  test('[D17] returns the reason as it was written, with U+FFFD for a NUL, and no page contains it as HTML', async () => {
    const reportId = await newReport();
    const reason = '<img src=x onerror=alert(1)> "quotes" \\ \u202e & {{x}} \u0000 ```\n# not a heading';
    await grantFor(reportId, { reason });
    bodyOf(await read(reportId));
    const [access] = (await ownersView(reportId)).supportAccesses;
    expect(access?.reason).toBe(reason.replace('\u0000', '\ufffd'));
    const page = await server.owner.fetch(`/reports/${reportId}`, {
      headers: { accept: 'text/html', 'sec-fetch-dest': 'document' },
    });
    expect(await page.text()).not.toContain('<img src=x');
  });
});

describe('a grant ends', () => {
  test('[D17] at its expiry, to the millisecond', async () => {
    const reportId = await newReport();
    const { grantId } = await grantFor(reportId, { expiresAt: inFuture(1000) });
    clock.advance(999);
    expect(codeOf(await read(reportId))).toBe('ok');
    clock.advance(1);
    expect(codeOf(await read(reportId))).toBe('SUPPORT_GRANT_REQUIRED');
    const { grants } = bodyOf(await server.operator.api.listSupportGrants());
    expect(grants.find((grant) => grant.grantId === grantId)).toMatchObject({ active: false, uses: 1 });
  });

  test('[D17] when it is revoked', async () => {
    const reportId = await newReport();
    const { grantId } = await grantFor(reportId);
    const revoke = (id: string) => server.operator.api.revokeSupportGrant({ params: { id } });
    expect(bodyOf(await revoke(grantId))).toEqual({ grantId, revoked: true });
    expect(bodyOf(await revoke(grantId))).toEqual({ grantId, revoked: true });
    expect(codeOf(await read(reportId))).toBe('SUPPORT_GRANT_REQUIRED');
  });

  test('[D17] when its report is deleted, which also deletes its reason', async () => {
    await using short = await startTeamServer(clock);
    const project = await bindProject(short.owner, short.team);
    const { reportId } = await syncReport(short.device, { project });
    bodyOf(await ask(reportId, {}, short.operator));
    bodyOf(await read(reportId, short.operator));
    bodyOf(await short.owner.api.deleteReport({ params: { id: reportId } }));
    expect(codeOf(await read(reportId, short.operator))).toBe('SUPPORT_GRANT_REQUIRED');
    expect(bodyOf(await short.operator.api.listSupportGrants()).grants).toMatchObject([
      { reportId, reason: null, active: false, uses: 1 },
    ]);
    const rows = await short.service.database.read.selectFrom('supportGrants').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(REASON);
  });

  test('[D17] when its report expires, before the sweeper runs', async () => {
    const late = createFakeClock();
    await using short = await startTeamServer(late);
    const { reportId } = await syncReport(short.device, {
      project: await bindProject(short.owner, short.team),
    });
    const { expiresAt } = bodyOf(await short.owner.api.getReport({ params: { id: reportId } }));
    late.set(Date.parse(expiresAt) - 1000);
    // Sessions end after a month.
    const operator = { ...short.operator, ...short.withCookie(await short.logIn(short.operator)) };
    const given = { expiresAt: new Date(late.now() + HOUR_MS).toISOString() };
    bodyOf(await ask(reportId, given, operator));
    expect(codeOf(await read(reportId, operator))).toBe('ok');
    late.advance(1000);
    expect(codeOf(await read(reportId, operator))).toBe('SUPPORT_GRANT_REQUIRED');
    expect(codeOf(await ask(reportId, given, operator))).toBe('REPORT_EXPIRED');
    expect(bodyOf(await operator.api.listSupportGrants()).grants).toMatchObject([
      { active: false, reason: null },
    ]);
  });

  test('[D17] when its creator is no longer the administrator', async () => {
    const reportId = await newReport();
    await grantFor(reportId);
    const { userId } = server.operator.user;
    const db = server.service.database.read;
    await db.updateTable('users').set({ adminFlag: 0 }).where('id', '=', userId).execute();
    try {
      expect(codeOf(await read(reportId))).toBe('NOT_FOUND');
    } finally {
      await db.updateTable('users').set({ adminFlag: 1 }).where('id', '=', userId).execute();
    }
  });

  test('[D17] when another administrator replaces its creator', async () => {
    const reportId = await newReport();
    await grantFor(reportId);
    const db = server.service.database.read;
    await db
      .updateTable('supportGrants')
      .set({ administratorId: server.member.user.userId })
      .where('reportId', '=', reportId)
      .execute();
    expect(codeOf(await read(reportId))).toBe('SUPPORT_GRANT_REQUIRED');
  });
});
