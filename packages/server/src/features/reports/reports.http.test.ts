import type { CreateReportBody, Plan } from '@svc/contract';
import { secretPaths } from '@svc/report';
import { secretSamples } from '@svc/report/secret-samples';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  newLocalId,
  shellOf,
  startServer,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
/** A Wednesday, six hours into its quota window. */
const START = Date.parse('2026-01-07T12:00:00.000Z');
const clock = createFakeClock(START);
let server: TestServer;
let owner: SessionActor;
let device: DeviceActor;
let project: BoundProject;

beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.close());
beforeEach(async () => {
  clock.set(START);
  owner = await server.signUp();
  device = await server.linkDevice(owner);
  project = await bindProject(owner);
});

const create = (given: Partial<CreateReportBody> = {}, by = device) =>
  by.api.createReport({ body: shellOf(project, given) });
const used = async () => bodyOf(await owner.api.getSyncQuota()).daily.used;

async function setPlan(workspaceId: string, plan: Plan): Promise<void> {
  await server.service.database.read
    .updateTable('workspaces')
    .set({ plan })
    .where('id', '=', workspaceId)
    .execute();
}

async function teamWith(...members: SessionActor[]): Promise<string> {
  const { workspaceId } = bodyOf(await owner.api.createWorkspace({ body: { name: 'Team' } }));
  for (const member of members) {
    clock.advance(1000);
    const { url } = bodyOf(await owner.api.createInvitation({ params: { id: workspaceId } }));
    bodyOf(await member.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
  }
  return workspaceId;
}

describe('making a shell', () => {
  test('[D6] answers 201 with its address, its end and the quota it took one of', async () => {
    const outcome = await create({ projectName: 'A repository' });
    expect(outcome).toEqual({
      ok: true,
      status: 201,
      body: {
        reportId: expect.stringMatching(/^rep_[0-9a-hjkmnp-tv-z]{26}$/),
        reportUrl: expect.stringMatching(/^http:\/\/svc\.test\/reports\/rep_/),
        state: 'live',
        expiresAt: new Date(START + 21 * DAY_MS).toISOString(),
        quota: expect.objectContaining({ eligible: true, plan: 'free' }),
      },
    });
    expect(bodyOf(outcome).quota.daily.used).toBe(1);
    expect(bodyOf(outcome).reportUrl).toContain(bodyOf(outcome).reportId);
  });

  test('[T9] 50 parallel creations of one local id make one report: one 201, 49 200, one unit', async () => {
    const localReportId = newLocalId();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => create({ localReportId })));
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(new Set(outcomes.map((outcome) => bodyOf(outcome).reportId)).size).toBe(1);
    expect(await used()).toBe(1);
  });

  test('[T9] 50 parallel creations at a limit of 5 make five', async () => {
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => create()));
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(outcomes.filter((outcome) => codeOf(outcome) === 'SYNC_DAILY_LIMIT_REACHED')).toHaveLength(45);
    expect(await used()).toBe(5);
  });

  test('[D5] at the limit it names the window and when to come back, and leaves nothing', async () => {
    for (let count = 0; count < 5; count += 1) bodyOf(await create());
    const refused = await device.fetch('/api/v1/reports', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(shellOf(project)),
    });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe(String(18 * 3600));
    expect(await refused.json()).toMatchObject({
      error: {
        code: 'SYNC_DAILY_LIMIT_REACHED',
        details: { daily: { used: 5, limit: 5, resetsAt: '2026-01-08T06:00:00.000Z' } },
      },
    });
    expect(bodyOf(await owner.api.listReports()).reports).toHaveLength(5);
  });

  test('[D5] an existing local id is answered before the quota is looked at', async () => {
    const localReportId = newLocalId();
    bodyOf(await create({ localReportId }));
    for (let count = 0; count < 4; count += 1) bodyOf(await create());
    const again = await create({ localReportId });
    expect(again).toMatchObject({ status: 200, body: { state: 'live', quota: { eligible: false } } });
  });

  test('[T9] the plan of one workspace gives nothing in another', async () => {
    const team = await teamWith();
    await setPlan(team, 'pro');
    const teamProject = await bindProject(owner, team);
    for (let count = 0; count < 5; count += 1) bodyOf(await create({ ...teamProject }));
    expect(codeOf(await create())).toBe('SYNC_DAILY_LIMIT_REACHED');
    const inTeam = bodyOf(await create({ ...teamProject }));
    expect(inTeam.quota).toMatchObject({ plan: 'pro', daily: { used: 6, limit: 50 } });
    expect(inTeam.expiresAt).toBe(new Date(clock.now() + 90 * DAY_MS).toISOString());
  });

  test('[D6] the same local id with another project is a CONFLICT, with the same it is not', async () => {
    const localReportId = newLocalId();
    bodyOf(await create({ localReportId }));
    const elsewhere = await bindProject(owner);
    expect(codeOf(await create({ ...elsewhere, localReportId }))).toBe('CONFLICT');
    expect(codeOf(await create({ localReportId, effortResolved: 'low' }))).toBe('ok');
    expect(await used()).toBe(1);
  });

  test('[D6] one local id may be used by two users', async () => {
    const localReportId = newLocalId();
    const other = await server.signUp();
    const theirs = await bindProject(other);
    const first = bodyOf(await create({ localReportId }));
    const second = bodyOf(
      await (await server.linkDevice(other)).api.createReport({ body: shellOf(theirs, { localReportId }) }),
    );
    expect(second.reportId).not.toBe(first.reportId);
  });

  test('[D6] a project of another workspace is NOT_FOUND, also of one of the same user', async () => {
    const team = await teamWith();
    expect(codeOf(await create({ workspaceId: team }))).toBe('NOT_FOUND');
    const stranger = await server.signUp();
    const theirs = await bindProject(stranger);
    expect(codeOf(await create({ ...theirs }))).toBe('NOT_FOUND');
    expect(codeOf(await create({ projectId: theirs.projectId }))).toBe('NOT_FOUND');
    expect(await used()).toBe(0);
  });

  test('[D6] versions: of the call, else of the device; refused below the least and when withdrawn', async () => {
    await using strict = await startServer({
      clock,
      config: { clientVersions: { min: '1.2.0', revoked: ['1.3.0'] } },
    });
    const person = await strict.signUp();
    const linked = await strict.linkDevice(person, { clientVersion: '1.2.0' });
    const bound = await bindProject(person);
    const withVersion = async (cliVersion?: string) =>
      codeOf(
        await linked.api.createReport({
          body: shellOf(bound, cliVersion === undefined ? {} : { host: { cliVersion } }),
        }),
      );
    expect(await withVersion('1.1.9')).toBe('CLIENT_VERSION_TOO_OLD');
    expect(await withVersion('1.2.0-beta.1')).toBe('CLIENT_VERSION_TOO_OLD');
    expect(await withVersion('not a version')).toBe('CLIENT_VERSION_TOO_OLD');
    expect(await withVersion('1.3.0')).toBe('CLIENT_VERSION_REVOKED');
    expect(await withVersion('1.2.0')).toBe('ok');
    expect(await withVersion()).toBe('ok');
    expect(bodyOf(await person.api.getSyncQuota()).daily.used).toBe(2);
  });
});

test('[D8] a shell told of with a secret of any kind is refused, and the secret not repeated', async () => {
  const wrong: unknown[] = [];
  let tried = 0;
  for (const { name, text } of secretSamples) {
    for (const given of [
      { projectName: text.slice(0, 200) },
      { agent: { name: text.slice(0, 120) } },
      { host: { arch: text.slice(0, 120) } },
    ]) {
      // Cut off where a field ends, some are no secret any more.
      if (secretPaths(given).length === 0) continue;
      tried += 1;
      const outcome = await create(given);
      if (codeOf(outcome) !== 'UNSAFE_PAYLOAD_REJECTED' || JSON.stringify(outcome).includes(text))
        wrong.push([name, given, outcome]);
    }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(2 * secretSamples.length);
  expect(await used()).toBe(0);
});

describe('listing', () => {
  test('[D16] a session gets the metadata of live reports, oldest first', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      clock.advance(1000);
      ids.push(bodyOf(await create({ projectName: 'Named', agent: { name: 'agent' } })).reportId);
    }
    const { reports } = bodyOf(await owner.api.listReports());
    expect(reports.map(({ reportId }) => reportId)).toEqual(ids);
    expect(reports[0]).toEqual({
      reportId: ids[0],
      reportUrl: `http://svc.test/reports/${ids[0]}`,
      state: 'live',
      ...project,
      projectName: 'Named',
      createdAt: new Date(START + 1000).toISOString(),
      finalizedAt: null,
      openFindings: null,
      expiresAt: new Date(START + 1000 + 21 * DAY_MS).toISOString(),
      effortRequested: 'auto',
      effortResolved: 'high',
      agent: { name: 'agent' },
      host: null,
      access: 'owner',
    });
  });

  test('[D16] a device learns of the reports its account made, by local id and times', async () => {
    const member = await server.signUp();
    const team = await teamWith(member);
    const teamProject = await bindProject(owner, team);
    const memberDevice = await server.linkDevice(member);
    bodyOf(await memberDevice.api.createReport({ body: shellOf(teamProject) }));
    const localReportId = newLocalId();
    const { reportId, reportUrl, expiresAt } = bodyOf(await create({ localReportId }));
    expect(bodyOf(await device.api.listReports())).toEqual({
      reports: [
        {
          reportId,
          localReportId,
          reportUrl,
          state: 'live',
          createdAt: new Date(clock.now()).toISOString(),
          finalizedAt: null,
          expiresAt,
        },
      ],
    });
  });

  test('[D16] a member sees the reports of the workspace, a stranger none', async () => {
    const [member, stranger] = [await server.signUp(), await server.signUp()];
    const team = await teamWith(member);
    const teamProject = await bindProject(owner, team);
    const { reportId } = bodyOf(await create({ ...teamProject }));
    bodyOf(await create());
    const seen = bodyOf(await member.api.listReports()).reports;
    expect(seen).toEqual([expect.objectContaining({ reportId, access: 'member' })]);
    expect(bodyOf(await stranger.api.listReports()).reports).toEqual([]);
    expect(codeOf(await stranger.api.listReports({ query: { workspaceId: team } }))).toBe('NOT_FOUND');
    expect(codeOf(await stranger.api.listReports({ query: teamProject }))).toBe('NOT_FOUND');
    expect(codeOf(await member.api.listReports({ query: { projectId: project.projectId } }))).toBe(
      'NOT_FOUND',
    );
  });

  test('[D16] by workspace, by project and before a time or a report', async () => {
    const other = await bindProject(owner);
    const first = bodyOf(await create());
    clock.advance(1000);
    const second = bodyOf(await create({ ...other }));
    const third = bodyOf(await create());
    const ids = async (query: { workspaceId?: string; projectId?: string; before?: string }) =>
      bodyOf(await owner.api.listReports({ query })).reports.map(({ reportId }) => reportId);
    expect(await ids({ projectId: other.projectId })).toEqual([second.reportId]);
    expect(await ids({ workspaceId: project.workspaceId })).toHaveLength(3);
    expect(await ids({ before: new Date(START + 1000).toISOString() })).toEqual([first.reportId]);
    expect(await ids({ before: first.reportId })).toEqual([]);
    const newest = [second.reportId, third.reportId].toSorted();
    expect(await ids({ before: newest[1] ?? '' })).toEqual([first.reportId, newest[0]]);
  });

  test('[D2] what is neither a time nor a report is nothing to list before', async () => {
    for (const before of [
      'yesterday',
      '',
      '1',
      '2026',
      '2026-03-04',
      '2026-03-04T05:06:07+01:00',
      'hello 5',
      '\u0000',
      'rep_x',
    ])
      expect([before, codeOf(await owner.api.listReports({ query: { before } }))]).toEqual([
        before,
        'VALIDATION_FAILED',
      ]);
  });

  test("[T2] another's report is no place in the list, and answers as one that never was", async () => {
    const stranger = await server.signUp();
    const theirs = await createShell(await server.linkDevice(stranger));
    const unknown = `rep_${'0'.repeat(26)}`;
    const answers = await Promise.all(
      [theirs.reportId, unknown].map(async (before) => {
        const response = await owner.fetch(`/api/v1/reports?before=${before}`);
        return { status: response.status, text: (await response.text()).replace(/"requestId":"[^"]*"/, '') };
      }),
    );
    expect(answers[0]).toStrictEqual(answers[1]);
    expect(answers[0]?.status).toBe(422);
  });

  test('[D16] the newest 200, and those before them by the id of the first', async () => {
    await using roomy = await startServer({ clock, generousPlans: true });
    const person = await roomy.signUp();
    const linked = await roomy.linkDevice(person);
    const bound = await bindProject(person);
    for (let count = 0; count < 205; count += 1) {
      if (count % 10 === 0) clock.advance(1);
      bodyOf(await linked.api.createReport({ body: shellOf(bound) }));
    }
    const newest = bodyOf(await person.api.listReports()).reports;
    expect(newest).toHaveLength(200);
    const rest = bodyOf(
      await person.api.listReports({ query: { before: newest[0]?.reportId ?? '' } }),
    ).reports;
    expect(rest).toHaveLength(5);
    expect(new Set([...newest, ...rest].map(({ reportId }) => reportId)).size).toBe(205);
  });

  test('[D17] an administrator lists no report for being a member', async () => {
    const email = 'operator@example.test';
    await using operated = await startServer({ clock, config: { platformAdminEmail: email } });
    const host = await operated.signUp();
    const operator = await operated.signUp({ email });
    const { workspaceId } = bodyOf(await host.api.createWorkspace({ body: { name: 'Team' } }));
    const { url } = bodyOf(await host.api.createInvitation({ params: { id: workspaceId } }));
    bodyOf(await operator.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
    const bound = await bindProject(host, workspaceId);
    bodyOf(await (await operated.linkDevice(host)).api.createReport({ body: shellOf(bound) }));
    expect(bodyOf(await host.api.listReports()).reports).toHaveLength(1);
    expect(bodyOf(await operator.api.listReports()).reports).toEqual([]);
  });
});

test('the JSON Schema of reports is published', async () => {
  expect(bodyOf(await server.anonymous.api.getReportSchema())).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    additionalProperties: false,
  });
});
