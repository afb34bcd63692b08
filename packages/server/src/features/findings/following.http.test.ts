/** Findings that come again in a later report of their project: since when they are known, and what was decided of them. */
import { createHash } from 'node:crypto';
import type { FindingStatus, Severity } from '@svc/contract';
import { CARRIED_TAG } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  createFakeClock,
  createShell,
  findingBody,
  reportBytes,
  startTeamServer,
  syncReport,
  upload,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
  type TeamServer,
} from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const clock = createFakeClock();
let server: TeamServer;
let owner: SessionActor;
let member: SessionActor;
let operator: SessionActor;
let team: string;
let device: DeviceActor;
let project: BoundProject;

beforeAll(async () => {
  server = await startTeamServer(clock);
  ({ owner, member, operator, team, device } = server);
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await bindProject(owner, team);
});

const isoNow = () => new Date(clock.now()).toISOString();
/** The same finding each time, by its fingerprint. */
const finding = (more: object = {}) => ({
  ...findingBody(1),
  fingerprint: createHash('sha256').update('the finding').digest('hex'),
  ...more,
});
/** A minute later than what was before. */
async function synced(...findings: Record<string, unknown>[]): Promise<string> {
  clock.advance(60_000);
  return (await syncReport(device, { project, body: { findings } })).reportId;
}
const move = async (id: string, status: FindingStatus) =>
  bodyOf(await member.api.changeFindingStatus({ params: { id, findingId: 'F-1' }, body: { status } }));
const findingsOf = async (id: string) =>
  bodyOf(await owner.api.getReport({ params: { id } })).report?.findings ?? [];
const openFindings = async () =>
  bodyOf(await owner.api.listProjects({ query: { workspaceId: team } })).projects.find(
    ({ projectId }) => projectId === project.projectId,
  )?.openFindings;

describe('first seen', () => {
  test('[D12] a finding that is new is told as it was uploaded', async () => {
    const id = await synced(finding());
    expect(await findingsOf(id)).toEqual([finding()]);
  });

  test('[D11] one that comes again was first seen when its first report was final', async () => {
    await synced(finding());
    const firstSeenAt = isoNow();
    await synced(finding());
    const id = await synced(finding({ id: 'F-7' }), { ...findingBody(2) });
    expect(await findingsOf(id)).toEqual([finding({ id: 'F-7', firstSeenAt }), findingBody(2)]);
  });

  test('[D11] also when it was away in between', async () => {
    await synced(finding());
    const firstSeenAt = isoNow();
    await synced();
    expect(await findingsOf(await synced(finding()))).toEqual([finding({ firstSeenAt })]);
  });

  test('[D11] what the client knows from earlier counts, and what lies in the future does not', async () => {
    const early = new Date(clock.now() - 90 * DAY_MS).toISOString();
    const late = new Date(clock.now() + 90 * DAY_MS).toISOString();
    const first = await synced(finding({ firstSeenAt: late }));
    const firstSeenAt = isoNow();
    expect(await findingsOf(first)).toEqual([finding({ firstSeenAt: late })]);
    expect(await findingsOf(await synced(finding({ firstSeenAt: late })))).toEqual([
      finding({ firstSeenAt }),
    ]);
    expect(await findingsOf(await synced(finding({ firstSeenAt: early })))).toEqual([
      finding({ firstSeenAt: early }),
    ]);
    expect(await findingsOf(await synced(finding()))).toEqual([finding({ firstSeenAt: early })]);
  });

  test('[D12] another project has not seen it', async () => {
    await synced(finding());
    project = await bindProject(owner, team);
    expect(await findingsOf(await synced(finding()))).toEqual([finding()]);
  });

  test('[D12] what nobody has seen for 400 days is forgotten', async () => {
    const now = clock.now();
    await synced(finding());
    const forget = () =>
      server.service.app.jobs.find(({ name }) => name === 'findings not seen any more')?.run();
    const known = async () =>
      (
        await server.service.database.read
          .selectFrom('findingIdentities')
          .select('identity')
          .where('projectId', '=', project.projectId)
          .execute()
      ).length;
    clock.advance(399 * DAY_MS);
    await forget();
    expect(await known()).toBe(1);
    clock.advance(3 * DAY_MS);
    await forget();
    expect(await known()).toBe(0);
    clock.set(now);
  });
});

describe('what was decided', () => {
  test.each(['accepted_risk', 'false_positive'] as const)(
    '[D12] %s holds in the next report, marked as carried, and does not count as open',
    async (status) => {
      await move(await synced(finding()), status);
      const firstSeenAt = isoNow();
      for (const id of [await synced(finding()), await synced(finding())]) {
        expect(await findingsOf(id)).toEqual([finding({ status, firstSeenAt, tags: [CARRIED_TAG] })]);
      }
      expect((await openFindings())?.high).toBe(0);
    },
  );

  test('[D12] in the report itself, by the client, holds in the next one too', async () => {
    await synced(finding({ status: 'false_positive' }));
    expect((await findingsOf(await synced(finding())))[0]).toMatchObject({
      status: 'false_positive',
      tags: [CARRIED_TAG],
    });
    await synced(finding({ status: 'accepted_risk' }));
    expect((await findingsOf(await synced(finding())))[0]?.status).toBe('accepted_risk');
  });

  test('[D12] holds for what is less severe, until it is more severe than it was when it was decided', async () => {
    const at = async (severity: Severity) => (await findingsOf(await synced(finding({ severity }))))[0];
    await move(await synced(finding({ severity: 'medium' })), 'accepted_risk');
    expect(await at('low')).toMatchObject({ status: 'accepted_risk' });
    expect(await at('medium')).toMatchObject({ status: 'accepted_risk' });
    const risen = await at('high');
    expect(risen).toMatchObject({ status: 'open' });
    expect(risen).not.toHaveProperty('tags');
    expect(await openFindings()).toMatchObject({ high: 1 });
    expect(await at('medium')).toMatchObject({ status: 'open' });
  });

  test('[D12] and taken back does not come again', async () => {
    const id = await synced(finding());
    await move(id, 'accepted_risk');
    await move(id, 'open');
    expect((await findingsOf(await synced(finding())))[0]?.status).toBe('open');
  });

  test('[D12] can be taken back where it was carried to, which takes the mark away', async () => {
    await move(await synced(finding()), 'accepted_risk');
    const firstSeenAt = isoNow();
    const id = await synced(finding());
    const { finding: moved } = await move(id, 'open');
    expect(moved).toEqual(finding({ firstSeenAt }));
    expect(await findingsOf(id)).toEqual([moved]);
    expect((await openFindings())?.high).toBe(1);
    expect((await findingsOf(await synced(finding())))[0]?.status).toBe('open');
  });

  test('[D12] in another project holds there alone', async () => {
    await move(await synced(finding()), 'accepted_risk');
    project = await bindProject(owner, team);
    expect((await findingsOf(await synced(finding())))[0]?.status).toBe('open');
  });

  test('[D12] holds when the report in which it was decided is gone', async () => {
    const first = await synced(finding());
    await move(first, 'accepted_risk');
    bodyOf(await owner.api.deleteReport({ params: { id: first } }));
    expect((await findingsOf(await synced(finding())))[0]).toMatchObject({ status: 'accepted_risk' });
  });

  test('[D12] between the upload and the end of the next report holds in it', async () => {
    const first = await synced(finding());
    const shell = await createShell(device, project);
    const bytes = reportBytes({ findings: [finding()], localReportId: shell.localReportId });
    const uploadId = await upload(device, shell.reportId, bytes);
    await move(first, 'accepted_risk');
    bodyOf(await device.api.finalizeReport({ params: { id: shell.reportId }, body: { uploadId } }));
    expect((await findingsOf(shell.reportId))[0]?.status).toBe('accepted_risk');
  });
});

describe('seen again', () => {
  test('[D12] after it was verified as fixed it is open, and its history says so', async () => {
    const first = await synced(finding());
    const firstSeenAt = isoNow();
    for (const status of ['fix_suggested', 'fix_applied', 'fixed_verified'] as const)
      await move(first, status);
    expect((await openFindings())?.high).toBe(0);
    const id = await synced(finding());
    const [again, ...others] = await findingsOf(id);
    expect(others).toEqual([]);
    expect(again).toEqual(
      finding({
        firstSeenAt,
        fixHistory: [
          {
            at: isoNow(),
            action: 'reverted',
            verified: false,
            note: 'Seen again after it was verified as fixed.',
          },
        ],
      }),
    );
    expect((await openFindings())?.high).toBe(1);
    expect((await findingsOf(await synced(finding())))[0]).not.toHaveProperty('fixHistory');
  });

  test('[D12] and moved on again has both in its history', async () => {
    await synced(finding({ status: 'fixed_verified' }));
    const id = await synced(finding());
    await move(id, 'fix_suggested');
    const [read] = await findingsOf(id);
    expect(read?.fixHistory?.map(({ action }) => action)).toEqual(['reverted', 'suggested']);
  });
});

test('[D12] of several findings of a report that are one, the most severe speaks for it', async () => {
  const twice = [finding({ id: 'F-1', severity: 'low', status: 'accepted_risk' }), finding({ id: 'F-2' })];
  await synced(...twice);
  expect((await findingsOf(await synced(finding())))[0]?.status).toBe('open');
  await synced(finding({ status: 'accepted_risk' }), finding({ id: 'F-2', severity: 'low' }));
  const both = await findingsOf(await synced(finding({ severity: 'low' }), finding({ id: 'F-2' })));
  expect(both.map(({ status }) => status)).toEqual(['accepted_risk', 'accepted_risk']);
});

test('[D12] of two reports that become final at once, one is the later', async () => {
  const ready = async (count: number) => {
    const shell = await createShell(device, project);
    const findings = Array.from({ length: count }, (_, index) => findingBody(index + 1));
    const bytes = reportBytes({ findings, localReportId: shell.localReportId });
    return { id: shell.reportId, uploadId: await upload(device, shell.reportId, bytes) };
  };
  const reports = await Promise.all([ready(60), ready(60), ready(60), ready(20)]);
  const finalized = await Promise.all(
    reports.map(({ id, uploadId }) => device.api.finalizeReport({ params: { id }, body: { uploadId } })),
  );
  finalized.forEach(bodyOf);
  const dated = await Promise.all(
    reports.map(async ({ id }) => (await findingsOf(id)).filter(({ firstSeenAt }) => firstSeenAt).length),
  );
  const smallIsFirst = dated[3] === 0;
  expect(dated.slice(0, 3).toSorted((one, other) => one - other)).toEqual([smallIsFirst ? 20 : 0, 60, 60]);
  const rows = await server.service.database.read
    .selectFrom('findingIdentities')
    .select('identity')
    .where('projectId', '=', project.projectId)
    .execute();
  expect(rows).toHaveLength(60);
});

describe('in exports', () => {
  interface Result {
    readonly ruleId: string;
    readonly baselineState?: string;
    readonly suppressions?: readonly object[];
    readonly provenance?: { readonly firstDetectionTimeUtc?: string };
  }
  async function sarifResults(by: SessionActor, id: string): Promise<readonly Result[]> {
    const response = await by.fetch(`/api/v1/reports/${id}/export/sarif`);
    const sarif = (await response.json()) as { runs: [{ results: Result[] }] };
    return sarif.runs[0].results;
  }
  const statesOf = async (by: SessionActor, id: string) =>
    (await sarifResults(by, id)).map(({ baselineState }) => baselineState);

  test('[D11] a decision is a suppression, and the first time is told', async () => {
    await move(await synced(finding()), 'accepted_risk');
    const firstDetectionTimeUtc = isoNow();
    const [result] = await sarifResults(owner, await synced(finding()));
    expect(result?.suppressions).toHaveLength(1);
    expect(result?.provenance).toMatchObject({ firstDetectionTimeUtc });
  });

  test('[D11] a move is in the next export', async () => {
    const id = await synced(finding());
    expect((await sarifResults(owner, id))[0]?.suppressions ?? []).toEqual([]);
    await move(id, 'false_positive');
    expect((await sarifResults(owner, id))[0]?.suppressions).toHaveLength(1);
    const json = await owner.fetch(`/api/v1/reports/${id}/export/json`);
    expect(await json.json()).toMatchObject({ findings: [{ status: 'false_positive' }] });
  });

  test('[D11] each result is new or unchanged since the report before, and none is anything in the first', async () => {
    const first = await synced(finding());
    const second = await synced(finding(), findingBody(2));
    const third = await synced(findingBody(2));
    expect(await statesOf(owner, first)).toEqual([undefined]);
    expect(await statesOf(member, second)).toEqual(['unchanged', 'new']);
    expect(await statesOf(owner, third)).toEqual(['unchanged']);
    bodyOf(await owner.api.deleteReport({ params: { id: second } }));
    expect(await statesOf(owner, third)).toEqual(['new']);
    bodyOf(await owner.api.deleteReport({ params: { id: first } }));
    expect(await statesOf(owner, third)).toEqual([undefined]);
  });

  test('[D17] an administrator is told nothing of the report of another', async () => {
    await synced(finding());
    clock.advance(1000);
    const theirDevice = await server.linkDevice(operator);
    const { reportId } = await syncReport(theirDevice, { project, body: { findings: [finding()] } });
    expect(await statesOf(operator, reportId)).toEqual([undefined]);
    expect(await statesOf(member, reportId)).toEqual(['unchanged']);
  });
});
