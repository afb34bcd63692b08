/**
 * Findings that reappear in a later report of their project: when they were first seen, and which decisions apply to
 * them.
 */
import { createHash } from 'node:crypto';
import { CARRIED_TAG, type FindingStatus } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  createFakeClock,
  createShell,
  findingBody,
  reportBytes,
  syncReport,
  upload,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
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

const isoNow = () => new Date(clock.now()).toISOString();
/** The same finding each time, with the same fingerprint. */
const finding = (more: object = {}) => ({
  ...findingBody(1),
  fingerprint: createHash('sha256').update('the finding').digest('hex'),
  ...more,
});
/** Syncs a report a minute after the previous one. */
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
/** The finding identities of the project. */
const identitiesKnown = () =>
  server.service.database.read
    .selectFrom('projectFindings')
    .select('identity')
    .where('projectId', '=', project.projectId)
    .execute();

describe('first seen', () => {
  test('[D12] a new finding is returned as uploaded', async () => {
    const id = await synced(finding());
    expect(await findingsOf(id)).toEqual([finding()]);
  });

  test('[D11] a finding that reappears was first seen when its first report was final', async () => {
    await synced(finding());
    const firstSeenAt = isoNow();
    await synced(finding());
    const id = await synced(finding({ id: 'F-7' }), { ...findingBody(2) });
    expect(await findingsOf(id)).toEqual([finding({ id: 'F-7', firstSeenAt }), findingBody(2)]);
  });

  test('[D11] earlier times from the client are kept, and times in the future are not', async () => {
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

  test('[D12] another project has not seen the finding', async () => {
    await synced(finding());
    project = await bindProject(owner, team);
    expect(await findingsOf(await synced(finding()))).toEqual([finding()]);
  });

  test('[D12] an identity that was not seen for 400 days is deleted', async () => {
    const now = clock.now();
    await synced(finding());
    await synced();
    clock.advance(399 * DAY_MS);
    await server.runJob('findings not seen any more');
    expect(await identitiesKnown()).toHaveLength(1);
    clock.advance(3 * DAY_MS);
    await server.runJob('findings not seen any more');
    expect(await identitiesKnown()).toEqual([]);
    clock.set(now);
  });

  test('[D26] a finding that is present is never forgotten', async () => {
    const now = clock.now();
    await synced(finding());
    clock.advance(402 * DAY_MS);
    await server.runJob('findings not seen any more');
    clock.set(now);
    expect(await identitiesKnown()).toHaveLength(1);
  });
});

describe('a triage decision', () => {
  test.each(['accepted_risk', 'false_positive'] as const)(
    '[D12] %s holds in the next report, marked as carried over, and is not counted as open',
    async (status) => {
      await move(await synced(finding()), status);
      const firstSeenAt = isoNow();
      for (const id of [await synced(finding()), await synced(finding())]) {
        expect(await findingsOf(id)).toEqual([finding({ status, firstSeenAt, tags: [CARRIED_TAG] })]);
      }
      expect((await openFindings())?.high).toBe(0);
    },
  );

  test('[D12] can be reversed in the report to which it was carried, which removes the snapshot', async () => {
    await move(await synced(finding()), 'accepted_risk');
    const firstSeenAt = isoNow();
    const id = await synced(finding());
    const { finding: moved } = await move(id, 'open');
    expect(moved).toEqual({ id: 'F-1', status: 'open' });
    expect(await findingsOf(id)).toEqual([finding({ firstSeenAt })]);
    expect((await openFindings())?.high).toBe(1);
    expect((await findingsOf(await synced(finding())))[0]?.status).toBe('open');
  });

  test('[D12] made in another project holds only there', async () => {
    await move(await synced(finding()), 'accepted_risk');
    project = await bindProject(owner, team);
    expect((await findingsOf(await synced(finding())))[0]?.status).toBe('open');
  });

  test('[D12] holds after the report in which it was made was deleted', async () => {
    const first = await synced(finding());
    await move(first, 'accepted_risk');
    bodyOf(await owner.api.deleteReport({ params: { id: first } }));
    expect((await findingsOf(await synced(finding())))[0]).toMatchObject({ status: 'accepted_risk' });
  });

  test('[D12] made between the upload and the finalization of the next report holds in that report', async () => {
    const first = await synced(finding());
    const shell = await createShell(device, project);
    const bytes = reportBytes({ findings: [finding()], localReportId: shell.localReportId });
    const uploadId = await upload(device, shell.reportId, bytes);
    await move(first, 'accepted_risk');
    bodyOf(await device.api.finalizeReport({ params: { id: shell.reportId }, body: { uploadId } }));
    expect((await findingsOf(shell.reportId))[0]?.status).toBe('accepted_risk');
  });
});

describe('a decision about a finding that reappears', () => {
  test('[D12] after a verified fix: the finding is open again, and its history shows that', async () => {
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

  test('[D12] followed by another decision: both changes are in the history of the finding', async () => {
    await synced(finding({ status: 'fixed_verified' }));
    const id = await synced(finding());
    await move(id, 'fix_suggested');
    const [read] = await findingsOf(id);
    expect(read?.fixHistory?.map(({ action }) => action)).toEqual(['reverted', 'suggested']);
  });
});

test('[D12] reports that become final simultaneously still have an order, from oldest to newest', async () => {
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
  expect(await identitiesKnown()).toHaveLength(60);
});

describe('an export', () => {
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

  test('[D11] shows a decision as a suppression, and the first time seen', async () => {
    await move(await synced(finding()), 'accepted_risk');
    const firstDetectionTimeUtc = isoNow();
    const [result] = await sarifResults(owner, await synced(finding()));
    expect(result?.suppressions).toHaveLength(1);
    expect(result?.provenance).toMatchObject({ firstDetectionTimeUtc });
  });

  test('[D11] shows a decision made since the previous export', async () => {
    const id = await synced(finding());
    expect((await sarifResults(owner, id))[0]?.suppressions ?? []).toEqual([]);
    await move(id, 'false_positive');
    expect((await sarifResults(owner, id))[0]?.suppressions).toHaveLength(1);
    const json = await owner.fetch(`/api/v1/reports/${id}/export/json`);
    expect(await json.json()).toMatchObject({ findings: [{ status: 'false_positive' }] });
  });

  test('[D11] snapshots each result as new or unchanged since the previous report, and none in the first report', async () => {
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

  test('[D17] shows an administrator nothing of another’s report', async () => {
    await synced(finding());
    clock.advance(1000);
    const theirDevice = await server.linkDevice(operator);
    const { reportId } = await syncReport(theirDevice, { project, body: { findings: [finding()] } });
    expect(await statesOf(operator, reportId)).toEqual([undefined]);
    expect(await statesOf(member, reportId)).toEqual(['unchanged']);
  });
});
