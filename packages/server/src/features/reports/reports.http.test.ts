import type { CreateReportBody } from '@svc/contract';
import { secretPaths } from '@svc/report';
import { secretSamples } from '@svc/report/secret-samples';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  createTeam,
  newLocalId,
  setPlan,
  shellOf,
  startServer,
  wholeAnswer,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeEach, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
/** A Wednesday, six hours into its quota window. */
const START = Date.parse('2026-01-07T12:00:00.000Z');
const clock = createFakeClock(START);
let owner: SessionActor;
let device: DeviceActor;
let project: BoundProject;

const server = sharedServer({ clock });
beforeEach(async () => {
  clock.set(START);
  owner = await server.signUp();
  device = await server.linkDevice(owner);
  project = await bindProject(owner);
});

const create = (given: Partial<CreateReportBody> = {}, by = device) =>
  by.api.createReport({ body: shellOf(project, given) });
const used = async () => bodyOf(await owner.api.getSyncQuota()).daily.used;

describe('creating a shell', () => {
  test('[D6] returns 201 with its address, its expiry and a quota that counts its unit', async () => {
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

  test('[T9] 50 parallel creations of one local id create one report and use one unit: one returns 201, the others 200', async () => {
    const localReportId = newLocalId();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => create({ localReportId })));
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(new Set(outcomes.map((outcome) => bodyOf(outcome).reportId)).size).toBe(1);
    expect(await used()).toBe(1);
  });

  test('[T9] 50 parallel creations at a limit of 5 create five', async () => {
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => create()));
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(outcomes.filter((outcome) => codeOf(outcome) === 'SYNC_DAILY_LIMIT_REACHED')).toHaveLength(45);
    expect(await used()).toBe(5);
  });

  test('[D5] at the limit the error names the window and when to retry, and nothing is created', async () => {
    for (let count = 0; count < 5; count += 1) bodyOf(await create());
    const rejected = await device.fetch('/api/v1/reports', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(shellOf(project)),
    });
    expect(rejected.status).toBe(429);
    expect(rejected.headers.get('retry-after')).toBe(String(18 * 3600));
    expect(await rejected.json()).toMatchObject({
      error: {
        code: 'SYNC_DAILY_LIMIT_REACHED',
        details: { daily: { used: 5, limit: 5, resetsAt: '2026-01-08T06:00:00.000Z' } },
      },
    });
    expect(bodyOf(await owner.api.listReports()).reports).toHaveLength(5);
  });

  test('[D5] the shell of an existing local id is returned before the quota is checked', async () => {
    const localReportId = newLocalId();
    bodyOf(await create({ localReportId }));
    for (let count = 0; count < 4; count += 1) bodyOf(await create());
    const again = await create({ localReportId });
    expect(again).toMatchObject({ status: 200, body: { state: 'live', quota: { eligible: false } } });
  });

  test('[T9] the plan of one workspace does not apply in another', async () => {
    const team = await createTeam(owner);
    await setPlan(server, team, 'pro');
    const teamProject = await bindProject(owner, team);
    for (let count = 0; count < 5; count += 1) bodyOf(await create({ ...teamProject }));
    expect(codeOf(await create())).toBe('SYNC_DAILY_LIMIT_REACHED');
    const inTeam = bodyOf(await create({ ...teamProject }));
    expect(inTeam.quota).toMatchObject({ plan: 'pro', daily: { used: 6, limit: 50 } });
    expect(inTeam.expiresAt).toBe(new Date(clock.now() + 90 * DAY_MS).toISOString());
  });

  test('[D6] the same local id with another project is a CONFLICT, and with the same project is not', async () => {
    const localReportId = newLocalId();
    bodyOf(await create({ localReportId }));
    const elsewhere = await bindProject(owner);
    expect(codeOf(await create({ ...elsewhere, localReportId }))).toBe('CONFLICT');
    expect(codeOf(await create({ localReportId, effortResolved: 'low' }))).toBe('ok');
    expect(await used()).toBe(1);
  });

  test('[D6] two users may use the same local id', async () => {
    const localReportId = newLocalId();
    const other = await server.signUp();
    const theirs = await bindProject(other);
    const first = bodyOf(await create({ localReportId }));
    const second = bodyOf(
      await (await server.linkDevice(other)).api.createReport({ body: shellOf(theirs, { localReportId }) }),
    );
    expect(second.reportId).not.toBe(first.reportId);
  });

  test('[D6] a project of another workspace of the same user is NOT_FOUND', async () => {
    expect(codeOf(await create({ workspaceId: await createTeam(owner) }))).toBe('NOT_FOUND');
    expect(await used()).toBe(0);
  });

  test('[D6] the client version is that of the call, else of the device; old and revoked versions are rejected', async () => {
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

test('[D8] a shell with a secret of any kind in a field is rejected, and the secret is not repeated', async () => {
  const wrong: unknown[] = [];
  let tried = 0;
  for (const { name, text } of secretSamples) {
    for (const given of [
      { projectName: text.slice(0, 200) },
      { agent: { name: text.slice(0, 120) } },
      { host: { arch: text.slice(0, 120) } },
    ]) {
      // Some secrets are no longer recognizable when they are cut at the length limit of the field.
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

  test('[D16] a device gets the reports that its account created, by local id and times', async () => {
    const member = await server.signUp();
    const team = await createTeam(owner, [member]);
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

  test('[D16] a member sees the reports of the workspace, and no others', async () => {
    const member = await server.signUp();
    const team = await createTeam(owner, [member]);
    const teamProject = await bindProject(owner, team);
    const { reportId } = bodyOf(await create({ ...teamProject }));
    bodyOf(await create());
    const seen = bodyOf(await member.api.listReports()).reports;
    expect(seen).toEqual([expect.objectContaining({ reportId, access: 'member' })]);
    const stranger = await server.signUp();
    expect(bodyOf(await stranger.api.listReports()).reports).toEqual([]);
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

  test('[D16] by local id, a device and a session get the one report of their account', async () => {
    const localReportId = newLocalId();
    const { reportId } = bodyOf(await create({ localReportId }));
    bodyOf(await create());
    const query = { localReportId };
    const ofDevice = bodyOf(await device.api.listReports({ query })).reports;
    expect(ofDevice).toEqual([expect.objectContaining({ reportId, localReportId, state: 'live' })]);
    const ofSession = bodyOf(await owner.api.listReports({ query })).reports;
    expect(ofSession).toEqual([expect.objectContaining({ reportId, access: 'owner' })]);
  });

  test('[D16] by local id, the other filters still hold', async () => {
    const localReportId = newLocalId();
    const other = await bindProject(owner);
    const { reportId } = bodyOf(await create({ localReportId }));
    const ids = async (query: { workspaceId?: string; projectId?: string; before?: string }) =>
      bodyOf(await device.api.listReports({ query: { ...query, localReportId } })).reports.map(
        (report) => report.reportId,
      );
    expect(await ids(project)).toEqual([reportId]);
    expect(await ids({ projectId: other.projectId })).toEqual([]);
    expect(await ids({ before: reportId })).toEqual([]);
    const unknown = { localReportId, projectId: `prj_${'0'.repeat(26)}` };
    expect(codeOf(await device.api.listReports({ query: unknown }))).toBe('NOT_FOUND');
  });

  test('[D16] by the local id of no report, or only of a deleted one, the list is empty', async () => {
    const localReportId = newLocalId();
    const list = async () => bodyOf(await device.api.listReports({ query: { localReportId } })).reports;
    expect(await list()).toEqual([]);
    const { reportId } = bodyOf(await create({ localReportId }));
    expect(await list()).toHaveLength(1);
    bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
    expect(await list()).toEqual([]);
  });

  test('[D16] by a local id that expired with its report, the list is empty', async () => {
    const localReportId = newLocalId();
    bodyOf(await create({ localReportId }));
    clock.advance(21 * DAY_MS);
    expect(bodyOf(await device.api.listReports({ query: { localReportId } })).reports).toEqual([]);
  });

  test("[T2] by the local id of another's report, a member and a stranger get an empty list", async () => {
    const member = await server.signUp();
    const stranger = await server.signUp();
    const team = await createTeam(owner, [member]);
    const localReportId = newLocalId();
    const { reportId } = bodyOf(await create({ ...(await bindProject(owner, team)), localReportId }));
    expect(bodyOf(await member.api.listReports()).reports).toEqual([expect.objectContaining({ reportId })]);
    for (const other of [member, stranger])
      for (const by of [other, await server.linkDevice(other)])
        expect(bodyOf(await by.api.listReports({ query: { localReportId } })).reports).toEqual([]);
  });

  test('[D2] a local id that breaks the rules of the field is rejected with 422 and not repeated', async () => {
    for (const localReportId of [
      'short',
      'x'.repeat(129),
      'with space',
      'a/b/c/d/e',
      'naïve-id-1',
      "' OR 1=1 --",
    ]) {
      const answer = await wholeAnswer(
        await owner.fetch(`/api/v1/reports?localReportId=${encodeURIComponent(localReportId)}`),
      );
      expect(answer).toContain('422');
      expect(answer).toContain('/localReportId');
      expect(answer).not.toContain(localReportId);
    }
  });

  test('[D2] a local id that is empty or given twice is rejected with 422', async () => {
    for (const query of ['localReportId=', 'localReportId=aaaaaaaa&localReportId=bbbbbbbb'])
      expect((await owner.fetch(`/api/v1/reports?${query}`)).status).toBe(422);
  });

  test('[T1] by local id, every wrong credential is rejected with 401', async () => {
    const localReportId = newLocalId();
    bodyOf(await create({ localReportId }));
    const ended = await server.linkDevice(owner);
    bodyOf(await owner.api.revokeDevice({ params: { id: ended.deviceId } }));
    const headers: Record<string, string>[] = [
      {},
      { authorization: 'Bearer garbage' },
      { authorization: `Bearer ${ended.deviceToken}` },
      { authorization: `Basic ${device.deviceToken}` },
      { cookie: 'svc_session=garbage' },
      { authorization: 'Bearer garbage', cookie: owner.cookie },
    ];
    for (const each of headers) {
      const answer = await server.anonymous.fetch(`/api/v1/reports?localReportId=${localReportId}`, {
        headers: each,
      });
      expect([each, answer.status]).toEqual([each, 401]);
    }
  });

  test('[D2] rejects a "before" that is neither a time nor the id of a report', async () => {
    const times = ['yesterday', '', '1', '2026', '2026-03-04', '2026-03-04T05:06:07+01:00'];
    for (const before of [...times, 'hello 5', '\u0000', 'rep_x'])
      expect([before, codeOf(await owner.api.listReports({ query: { before } }))]).toEqual([
        before,
        'VALIDATION_FAILED',
      ]);
  });

  test("[T2] another's report cannot start a page, and returns the same as an unknown one", async () => {
    const theirs = await createShell(await server.linkDevice(await server.signUp()));
    const answerTo = async (before: string) =>
      wholeAnswer(await owner.fetch(`/api/v1/reports?before=${before}`));
    const answer = await answerTo(theirs.reportId);
    expect(answer).toContain('422');
    expect(await answerTo(`rep_${'0'.repeat(26)}`)).toBe(answer);
  });

  test('[D16] returns the newest 200, and the ones before them when given the id of the first', async () => {
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
});

test('the JSON Schema of reports is published', async () => {
  expect(bodyOf(await server.anonymous.api.getReportSchema())).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    additionalProperties: false,
  });
});
