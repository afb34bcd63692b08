/** Decisions that a pipeline asks for: which findings are set aside, who may ask, and how often. */
import { createHash } from 'node:crypto';
import type { FindingStatus, SetAsideDecision } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  findingBody,
  makeOwner,
  startServer,
  syncReport,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const clock = createFakeClock();
const server = sharedTeamServer(clock);
let project: BoundProject;

beforeEach(async () => {
  project = await bindProject(server.owner, server.team);
});

const printOf = (number: number) => createHash('sha256').update(`finding ${number}`).digest('hex');
const finding = (number: number, more: object = {}) => ({
  ...findingBody(number),
  fingerprint: printOf(number),
  ...more,
});
const isoNow = () => new Date(clock.now()).toISOString();

async function synced(...findings: Record<string, unknown>[]): Promise<string> {
  clock.advance(60_000);
  return (await syncReport(server.device, { project, body: { findings } })).reportId;
}

async function decide(id: string, findingId: string, status: FindingStatus): Promise<void> {
  clock.advance(1000);
  bodyOf(await server.owner.api.changeFindingStatus({ params: { id, findingId }, body: { status } }));
}

const query = (by: Pick<DeviceActor, 'api'>, fingerprints: readonly string[], id = project.projectId) =>
  by.api.queryDecisions({ params: { id }, body: { fingerprints: [...fingerprints] } });
const asked = async (
  fingerprints: readonly string[],
  by: Pick<DeviceActor, 'api'> = server.device,
): Promise<SetAsideDecision[]> => bodyOf(await query(by, fingerprints)).decisions;

describe('[D20] the query of decisions', () => {
  test('returns what is set aside with its severity at the decision, the oldest first', async () => {
    const id = await synced(finding(1), finding(2, { severity: 'low' }), finding(3), finding(4));
    await decide(id, 'F-2', 'false_positive');
    const first = isoNow();
    await decide(id, 'F-1', 'accepted_risk');
    const second = isoNow();
    await decide(id, 'F-3', 'fix_suggested');
    const known = { until: null };
    const wanted = [
      { ...known, fingerprint: printOf(2), status: 'false_positive', severity: 'low', decidedAt: first },
      { ...known, fingerprint: printOf(1), status: 'accepted_risk', severity: 'high', decidedAt: second },
    ];
    const prints = [1, 2, 3, 4, 5].map(printOf);
    expect(await asked(prints)).toEqual(wanted);
    expect(await asked([...prints, ...prints])).toEqual(wanted);
    expect(await asked(prints, server.member)).toEqual(wanted);
  });

  test('does not distinguish a known finding that is open from an unknown one', async () => {
    await synced(finding(1));
    const [known, unknown] = [
      await query(server.device, [printOf(1)]),
      await query(server.device, [printOf(9)]),
    ];
    expect(bodyOf(known)).toEqual({ decisions: [] });
    expect(bodyOf(unknown)).toEqual(bodyOf(known));
  });

  test('leaves out a decision that was withdrawn, and one that a higher severity ended', async () => {
    const id = await synced(finding(1), finding(2, { severity: 'low' }));
    for (const findingId of ['F-1', 'F-2']) await decide(id, findingId, 'accepted_risk');
    await decide(id, 'F-1', 'open');
    expect(await asked([printOf(1), printOf(2)])).toMatchObject([
      { fingerprint: printOf(2), severity: 'low' },
    ]);
    await synced(finding(2, { severity: 'medium' }));
    expect(await asked([printOf(1), printOf(2)])).toEqual([]);
  });

  test('returns the end date of a decision, and leaves the decision out from then on', async () => {
    const id = await synced(finding(1));
    const until = new Date(clock.now() + DAY_MS).toISOString();
    const body = { status: 'accepted_risk', until } as const;
    bodyOf(await server.owner.api.changeFindingStatus({ params: { id, findingId: 'F-1' }, body }));
    expect(await asked([printOf(1)])).toMatchObject([{ until }]);
    clock.advance(DAY_MS - 1);
    expect(await asked([printOf(1)])).toHaveLength(1);
    clock.advance(1);
    expect(await asked([printOf(1)])).toEqual([]);
  });

  test('keeps the severity of the decision when a later report has the finding with a lower severity', async () => {
    await decide(await synced(finding(1)), 'F-1', 'accepted_risk');
    await synced(finding(1, { severity: 'low' }));
    expect(await asked([printOf(1)])).toMatchObject([{ severity: 'high' }]);
  });

  test('includes findings that the body of a report sets aside', async () => {
    await synced(finding(1, { status: 'accepted_risk' }));
    expect(await asked([printOf(1)])).toMatchObject([{ status: 'accepted_risk', decidedAt: isoNow() }]);
  });

  test('answers for one project only', async () => {
    await decide(await synced(finding(1)), 'F-1', 'accepted_risk');
    project = await bindProject(server.owner, server.team);
    expect(await asked([printOf(1)])).toEqual([]);
  });

  test('accepts ten thousand fingerprints, and no more', async () => {
    await decide(await synced(finding(1)), 'F-1', 'accepted_risk');
    const most = Array.from({ length: 10_000 }, (_, index) => printOf(10_000 - index));
    expect(await asked(most)).toMatchObject([{ fingerprint: printOf(1) }]);
    expect(codeOf(await query(server.device, [...most, printOf(0)]))).toBe('VALIDATION_FAILED');
  });

  test.each([[[]], [['ab']], [['G'.repeat(64)]], [['a'.repeat(65)]]])('rejects %j', async (fingerprints) => {
    expect(codeOf(await query(server.device, fingerprints))).toBe('VALIDATION_FAILED');
  });
});

describe('[D20] a project', () => {
  test('is NOT_FOUND for strangers, and for an administrator unless they own its workspace', async () => {
    const [stranger, unknown] = [await server.signUp(), 'prj_00000000000000000000000000'];
    const device = await server.linkDevice(server.operator);
    expect(codeOf(await query(stranger, [printOf(1)]))).toBe('NOT_FOUND');
    expect(codeOf(await query(server.device, [printOf(1)], unknown))).toBe('NOT_FOUND');
    for (const by of [server.operator, device])
      expect(codeOf(await query(by, [printOf(1)]))).toBe('NOT_FOUND');
    await makeOwner(server.owner, server.team, server.operator);
    for (const by of [server.operator, device])
      expect(bodyOf(await query(by, [printOf(1)])).decisions).toEqual([]);
  });
});

describe('[D20] the audit log', () => {
  const entries = async () =>
    bodyOf(await server.owner.api.listWorkspaceAudit({ params: { id: server.team } }))
      .entries.filter(({ action }) => action === 'decisions_queried')
      .map(({ actorId, subjectId, count }) => ({ actorId, subjectId, count }));

  test('has one entry for each device and day, with the number of queries', async () => {
    clock.set('2026-11-20T10:00:00Z');
    const [one, other] = [await server.linkDevice(server.owner), await server.linkDevice(server.owner)];
    const before = (await entries()).length;
    for (const hour of [0, 1, 13]) {
      clock.set(Date.parse('2026-11-20T10:00:00Z') + hour * 3_600_000);
      await asked([printOf(1)], one);
    }
    await asked([printOf(1)], other);
    const { userId: actorId } = server.owner.user;
    const ofDevice = ({ deviceId: subjectId }: DeviceActor, count: number) => ({ actorId, subjectId, count });
    expect((await entries()).slice(before)).toEqual([ofDevice(one, 3), ofDevice(other, 1)]);
    clock.advance(DAY_MS / 2);
    await asked([printOf(1)], one);
    expect((await entries()).slice(before)).toEqual([ofDevice(one, 3), ofDevice(other, 1), ofDevice(one, 1)]);
  });
});

describe('[D20] the rate limit', () => {
  let limited: Awaited<ReturnType<typeof startServer>>;
  let person: SessionActor;
  let device: DeviceActor;
  beforeAll(async () => {
    limited = await startServer({ clock, throttled: true });
    person = await limited.signUp();
    device = await limited.linkDevice(person);
  });
  beforeEach(async () => {
    project = await bindProject(person);
  });
  afterAll(() => limited.close());
  const rejected = { ok: false, status: 429, error: { code: 'RATE_LIMITED' } };

  test('is six a minute for an account and a project, over all of its credentials', async () => {
    for (let count = 0; count < 3; count += 1)
      for (const by of [person, device]) bodyOf(await query(by, [printOf(1)]));
    for (const by of [person, device])
      expect(await query(by, [printOf(1)])).toMatchObject({ ...rejected, retryAfterMs: 60_000 });
    bodyOf(await query(device, [printOf(1)], (await bindProject(person)).projectId));
    clock.advance(60_000);
    bodyOf(await query(device, [printOf(1)]));
  });

  test('is 60,000 fingerprints an hour, and a rejected query costs none', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => printOf(index));
    for (let count = 0; count < 5; count += 1) bodyOf(await query(device, many));
    bodyOf(await query(device, many.slice(0, 9000)));
    clock.advance(60_000);
    for (let count = 0; count < 8; count += 1) expect(await query(device, many)).toMatchObject(rejected);
    bodyOf(await query(device, many.slice(0, 1000)));
    expect(await query(device, [printOf(1)])).toMatchObject(rejected);
    clock.advance(60 * 60_000);
    bodyOf(await query(device, many));
  });
});
