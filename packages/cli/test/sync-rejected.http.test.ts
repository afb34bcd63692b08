/** Rejections that a sync can get: what is printed, what is kept, and how it continues. */
import { cp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { bodyOf, createFakeClock, startServer } from '@svc/testkit';
import { someOf } from '@svc/testkit/lane';
import { afterAll, describe, expect, test } from 'vitest';
import type { CanonicalReport } from '@svc/report';
import { frozenReport } from '../src/store/freezing.ts';
import { findingsOf } from '../src/store/findings.ts';
import { REMOVED } from '../src/sync/repair.ts';
import { rejectionBody, type GatedCall, type Fate } from './gate.ts';
import { containing, jsonOf } from './svc.ts';
import { sarifLog, syncingMachine, type Syncing } from './syncing.ts';

const DAY_MS = 86_400_000;
const server = await startServer();
afterAll(() => server.close());

/** Gives the first calls of this name the same outcome, and lets the others pass. */
function firstOf(name: GatedCall['name'], fate: Fate, count = 1) {
  return (call: GatedCall): Fate => (call.name === name && call.number <= count ? fate : 'pass');
}

const reject = (status: number, code: string, details?: object): Fate => ({
  status,
  body: rejectionBody(code, details),
});

async function scanned(syncing: Syncing, count = 2) {
  await writeFile(path.join(syncing.machine.folder, 'linter.sarif'), sarifLog(count));
  return syncing.svc(['scan', '.', '--sarif', 'linter.sarif']);
}

describe('what is fixed without a person', () => {
  test.each([
    ['an upload that was replaced or lapsed', 'upload', reject(409, 'CONFLICT')],
    ['an upload that is not known', 'upload', reject(404, 'NOT_FOUND')],
    ['an upload whose bytes changed on the way', 'upload', reject(400, 'BAD_REQUEST')],
    ['an upload that no longer counts at the end', 'finalize', reject(409, 'CONFLICT')],
  ] as const)('%s is declared again', async (_, name, fate) => {
    await using syncing = await syncingMachine(server);
    syncing.gate.decide = firstOf(name, fate);
    expect(await scanned(syncing)).toMatchObject({ code: 0 });
    expect(syncing.gate.statusesOf('intent')).toEqual([201, 201]);
    expect(await syncing.used()).toBe(1);
  });

  const passing = [
    ['create', 429, 'RATE_LIMITED'],
    ['progress', 429, 'RATE_LIMITED'],
    ['upload', 429, 'RATE_LIMITED'],
    ['create', 500, 'INTERNAL'],
    ['intent', 503, 'INTERNAL'],
    ['finalize', 500, 'INTERNAL'],
  ] as const;
  test.each(someOf(passing, 3))(
    '%s, rejected with %i %s once, is called again',
    { tags: 'repeated' },
    async (name, status, code) => {
      await using syncing = await syncingMachine(server);
      syncing.gate.decide = firstOf(name, reject(status, code));
      expect(await scanned(syncing)).toMatchObject({ code: 0 });
      expect(await syncing.reports()).toMatchObject([{ state: 'finalized' }]);
    },
  );

  test('[D6] text that the service recognizes as a secret is redacted where it occurs, also locally, and the report is sent', async () => {
    await using syncing = await syncingMachine(server);
    const issues = ['/findings/1/evidence/0/snippet', '/coverage/0', '/findings/1/category'].map((place) => ({
      path: place,
      message: 'contains a secret',
      rule: 'secret',
    }));
    syncing.gate.decide = firstOf('upload', reject(422, 'UNSAFE_PAYLOAD_REJECTED', { issues }));
    expect(await scanned(syncing)).toMatchObject({ code: 0, stderr: containing('3 places') });
    const [first, second] = syncing.gate.calls
      .filter(({ name }) => name === 'upload')
      .map(({ body }) => jsonOf(body) as CanonicalReport);
    expect(first?.findings[1]?.evidence[0]?.snippet).toContain('eval');
    expect(second?.findings[1]?.evidence[0]?.snippet).toBe(REMOVED);
    expect(second?.coverage[0]).toBe(REMOVED);
    expect(second?.findings[1]?.category).toBe('redacted');
    expect(second?.findings[1]?.fingerprint).toBe(first?.findings[1]?.fingerprint);
    expect(second?.findings[0]).toEqual(first?.findings[0]);
    const [local] = await syncing.local();
    const { localReportId = '' } = local?.report ?? {};
    const kept = await syncing.inStore((store) => findingsOf(store, localReportId).findings);
    expect(kept[1]?.evidence[0]?.snippet).toBe(REMOVED);
    const frozen = await syncing.inStore((store) => frozenReport(store, localReportId));
    expect(Buffer.from(frozen?.bytes ?? []).toString()).toBe(
      syncing.gate.calls.findLast(({ name }) => name === 'upload')?.body,
    );
  });
});

describe('what a person must know', () => {
  const lasting = [
    ['REPORT_SCHEMA_UNSUPPORTED', 'upload', 422, 1, 'Update svc'],
    ['CLIENT_VERSION_TOO_OLD', 'create', 403, 1, 'Update svc'],
    ['CLIENT_VERSION_REVOKED', 'create', 403, 1, 'Update svc'],
    ['DEVICE_REVOKED', 'upload', 401, 4, 'svc login'],
    ['UNAUTHENTICATED', 'finalize', 401, 4, 'svc login'],
    ['NOT_FOUND', 'intent', 404, 1, 'stays on this machine'],
    ['NOT_FOUND', 'create', 404, 1, 'stays on this machine'],
    ['RATE_LIMITED', 'intent', 429, 5, 'svc sync'],
    ['INTERNAL', 'upload', 500, 5, 'svc sync'],
    ['SYNC_DAILY_LIMIT_REACHED', 'create', 429, 6, 'svc sync'],
    ['SYNC_WEEKLY_LIMIT_REACHED', 'finalize', 429, 6, 'svc sync'],
  ] as const;
  test.each(someOf(lasting, 3))(
    '%s at %s: the report is kept, and sent once the service accepts it',
    { tags: 'repeated' },
    async (code, name, status, exit, hint) => {
      await using syncing = await syncingMachine(server);
      syncing.gate.decide = firstOf(name, reject(status, code), 99);
      const scan = await scanned(syncing);
      expect(scan).toMatchObject({ code: exit, stderr: containing(hint) });
      const [local] = await syncing.local();
      expect(local?.report).toMatchObject({ state: 'finished', sync: { lastFailure: { code } } });
      syncing.gate.decide = () => 'pass';
      expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
      expect(await syncing.reports()).toMatchObject([{ state: 'finalized' }]);
      expect(await syncing.used()).toBe(1);
    },
  );

  test('locations that cannot be redacted are named, and nothing is changed', async () => {
    await using syncing = await syncingMachine(server);
    const issues = [{ path: '/findings/0/severity/0', message: 'is odd', rule: 'secret' }];
    syncing.gate.decide = firstOf('upload', reject(422, 'UNSAFE_PAYLOAD_REJECTED', { issues }), 9);
    expect(await scanned(syncing)).toMatchObject({ code: 1, stderr: containing('/findings/0/severity/0') });
    expect(syncing.gate.statusesOf('upload')).toEqual([422]);
  });

  test('a report that breaks another rule is not redacted', async () => {
    await using syncing = await syncingMachine(server);
    const issues = [
      { path: '/findings/0/summary', message: 'contains a secret', rule: 'secret' },
      { path: '/findings/1/fingerprint', message: 'repeats one', rule: 'duplicate' },
    ];
    syncing.gate.decide = firstOf('upload', reject(422, 'UNSAFE_PAYLOAD_REJECTED', { issues }), 9);
    expect(await scanned(syncing)).toMatchObject({ code: 1, stderr: containing('/findings/1/fingerprint') });
    expect(syncing.gate.statusesOf('upload')).toEqual([422]);
  });

  test('locations that the service finds unsafe again after redaction end the sync', async () => {
    await using syncing = await syncingMachine(server);
    const issues = [{ path: '/findings/0/summary', message: 'contains a secret', rule: 'secret' }];
    syncing.gate.decide = firstOf('upload', reject(422, 'UNSAFE_PAYLOAD_REJECTED', { issues }), 9);
    expect(await scanned(syncing)).toMatchObject({ code: 1, stderr: containing('/findings/0/summary') });
    expect(syncing.gate.statusesOf('upload')).toEqual([422, 422]);
  });

  test('a report of which not even one finding fits the size limit is kept, and its largest parts are named', async () => {
    await using small = await startServer({ config: { reportBytesMax: 2000 } });
    await using syncing = await syncingMachine(small);
    const rejected = await scanned(syncing, 10);
    expect(rejected).toMatchObject({ code: 1, stderr: containing('The largest: F-') });
    expect(rejected.stderr).toMatch(/The report is \d+ KiB.*F-\d+ \(1 KiB\)/s);
    expect(await syncing.local()).toMatchObject([{ report: { state: 'finished' } }]);
    const { length } = syncing.gate.calls;
    expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
    expect(syncing.gate.calls).toHaveLength(length);
    const [local] = await syncing.local();
    const named = ['sync', '--report', local?.report.localReportId ?? ''];
    expect(await syncing.svc(named)).toMatchObject({ code: 1, stderr: containing('more than the service') });
  });

  test('a report above the size limit loses the least severe findings, which stay in the store, and is sent', async () => {
    await using small = await startServer({ config: { reportBytesMax: 8000 } });
    await using syncing = await syncingMachine(small);
    await writeFile(
      path.join(syncing.machine.folder, 'linter.sarif'),
      sarifLog(20, { message: { text: 'A long sentence on what may happen. '.repeat(100) } }),
    );
    const scan = await syncing.svc(['scan', '.', '--sarif', 'linter.sarif', '--json']);
    expect(scan).toMatchObject({ code: 0, stderr: containing('The service accepts only smaller reports. ') });
    const [report] = await syncing.reports();
    expect(report).toMatchObject({ state: 'finalized' });
    const { body = '' } = syncing.gate.calls.findLast(({ name }) => name === 'upload') ?? {};
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(8000);
    const sent = jsonOf(body) as CanonicalReport;
    const { length } = sent.findings;
    expect(length).toBeGreaterThan(0);
    expect(sent.summary).toMatchObject({ findingCount: length, severityCounts: { high: length } });
    expect(sent.limitations.at(-1)).toMatch(
      / texts shortened to 1\d\d characters: .* findings left out, all of them high: /,
    );
    expect(sent.findings[0]?.summary).toContain('… [shortened]');
    expect(jsonOf(scan.stdout)).toMatchObject({
      fitted: { sizeBytesMax: 8000, findingsLeftOut: 20 - length, leftOut: { high: 20 - length, low: 0 } },
    });
    const [local] = await syncing.local();
    const { localReportId = '' } = local?.report ?? {};
    const kept = await syncing.inStore((store) => findingsOf(store, localReportId).findings);
    expect(kept).toHaveLength(20);
    expect(kept.every(({ summary }) => summary.length > 3000)).toBe(true);
  });

  test('[D6] in a shortened report, a secret that the service recognizes is redacted in the right finding', async () => {
    await using small = await startServer({ config: { reportBytesMax: 8000 } });
    await using syncing = await syncingMachine(small);
    const { runs } = JSON.parse(sarifLog(20)) as { runs: { results: { level: string }[] }[] };
    for (const result of runs[0]?.results.slice(0, 12) ?? []) result.level = 'note';
    await writeFile(
      path.join(syncing.machine.folder, 'linter.sarif'),
      JSON.stringify({ version: '2.1.0', runs }),
    );
    const issues = [{ path: '/findings/0/evidence/0/snippet', message: 'contains a secret', rule: 'secret' }];
    syncing.gate.decide = firstOf('upload', reject(422, 'UNSAFE_PAYLOAD_REJECTED', { issues }));
    expect(await syncing.svc(['scan', '.', '--sarif', 'linter.sarif'])).toMatchObject({ code: 0 });
    const [first, second] = syncing.gate.calls
      .filter(({ name }) => name === 'upload')
      .map(({ body }) => jsonOf(body) as CanonicalReport);
    expect(first?.findings.length).toBeLessThan(20);
    expect(first?.findings[0]?.severity).toBe('high');
    expect(second?.findings[0]).toMatchObject({
      id: first?.findings[0]?.id,
      evidence: [{ snippet: REMOVED }],
    });
  });

  test('a report that was deleted in the service stays local, and no later sync calls for it again', async () => {
    await using syncing = await syncingMachine(server);
    syncing.gate.decide = firstOf('finalize', 'lose_request', 9);
    expect(await scanned(syncing)).toMatchObject({ code: 5 });
    const [report] = await syncing.reports();
    bodyOf(await syncing.owner.api.deleteReport({ params: { id: report?.reportId ?? '' } }));
    syncing.gate.decide = () => 'pass';
    expect(await syncing.svc(['sync'])).toMatchObject({
      code: 1,
      stderr: containing('stays on this machine'),
    });
    const { length } = syncing.gate.calls;
    expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
    expect(syncing.gate.calls).toHaveLength(length);
    expect(await syncing.svc(['report', 'show'])).toMatchObject({ code: 0 });
  });

  test('a machine whose device was revoked is linked again, and its new device sends the report', async () => {
    await using syncing = await syncingMachine(server);
    syncing.gate.decide = firstOf('upload', 'lose_request', 9);
    expect(await scanned(syncing)).toMatchObject({ code: 5 });
    syncing.gate.decide = () => 'pass';
    bodyOf(await syncing.owner.api.revokeDevice({ params: { id: syncing.device.deviceId } }));
    expect(await syncing.svc(['sync'])).toMatchObject({ code: 4, stderr: containing('svc login') });
    const { deviceToken } = await server.linkDevice(syncing.owner);
    expect(await syncing.svc(['sync'], { SVC_DEVICE_TOKEN: deviceToken })).toMatchObject({ code: 0 });
    expect(await syncing.used()).toBe(1);
  });
});

describe('[D5] the quota', () => {
  async function oneADay(clock = createFakeClock(Date.now())) {
    const limits = { daily: 1, weekly: 9, retentionDays: 21, activeShares: 5 };
    const plansPath = path.join(os.tmpdir(), `plans-${process.pid}-${clock.now()}.json`);
    await writeFile(
      plansPath,
      JSON.stringify({ free: limits, pro: limits, team: limits, enterprise: limits }),
    );
    return startServer({ clock, config: { plansPath } });
  }

  test('used up before a scan: its reset is printed, the report stays local, and no unit is requested', async () => {
    await using limited = await oneADay();
    await using syncing = await syncingMachine(limited);
    expect(await scanned(syncing)).toMatchObject({ code: 0 });
    expect(await scanned(syncing)).toMatchObject({ code: 0, stderr: containing('is used up until') });
    expect(syncing.gate.statusesOf('create')).toEqual([201]);
    expect(await syncing.svc(['sync'])).toMatchObject({ code: 0, stdout: containing('Nothing') });
  });

  test('used up between the check and the shell: the report is kept until the quota resets', async () => {
    const clock = createFakeClock(Date.now());
    await using limited = await oneADay(clock);
    await using syncing = await syncingMachine(limited);
    expect(await scanned(syncing)).toMatchObject({ code: 0 });
    const quota = bodyOf(await syncing.device.api.getSyncQuota({}));
    syncing.gate.decide = firstOf('quota', { status: 200, body: { ...quota, eligible: true } }, 9);
    expect(await scanned(syncing)).toMatchObject({ code: 6, stderr: containing('It resets at') });
    clock.advance(DAY_MS);
    // The service, whose clock is a day ahead of this machine's, rejects the events and accepts the report.
    expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
    expect(await syncing.reports()).toMatchObject([{ state: 'finalized' }, { state: 'finalized' }]);
  });

  test('used up when a lapsed reservation is finalized: the report is kept, with everything uploaded', async () => {
    const clock = createFakeClock(Date.now());
    await using limited = await oneADay(clock);
    await using syncing = await syncingMachine(limited);
    syncing.gate.decide = firstOf('finalize', 'lose_request', 9);
    expect(await scanned(syncing)).toMatchObject({ code: 5 });
    clock.advance(DAY_MS + 60_000);
    syncing.gate.decide = () => 'pass';
    await writeFile(path.join(syncing.machine.folder, 'other.sarif'), sarifLog(1));
    expect(await syncing.svc(['scan', 'start'])).toMatchObject({ code: 0 });
    expect(await syncing.svc(['sync'])).toMatchObject({ code: 6 });
    expect(await syncing.svc(['scan', 'abort'])).toMatchObject({ code: 0 });
    expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
    expect(syncing.gate.statusesOf('upload')).toEqual([200]);
  });
});

test('a clock that is a day behind costs the events, never the report', async () => {
  const clock = createFakeClock(Date.now() + DAY_MS + 3_600_000);
  await using ahead = await startServer({ clock });
  await using syncing = await syncingMachine(ahead);
  expect(await scanned(syncing)).toMatchObject({ code: 0 });
  const [report] = await syncing.reports();
  expect(report).toMatchObject({ state: 'finalized' });
  expect(await syncing.streamed(report?.reportId ?? '')).toEqual([]);
});

test('the same store on two machines: both send, one report is final, one unit is spent', async () => {
  await using syncing = await syncingMachine(server);
  await syncing.svc(['scan', '.', '--no-sync']);
  const [local] = await syncing.local();
  const copy = `${syncing.machine.home}-copy`;
  await cp(syncing.machine.home, copy, { recursive: true });
  const words = ['sync', '--report', local?.report.localReportId ?? ''];
  const both = await Promise.all([syncing.start(words).ended, syncing.svc(words, { SVC_HOME: copy })]);
  await rm(copy, { recursive: true, force: true });
  expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
  expect(await syncing.reports()).toMatchObject([{ state: 'finalized' }]);
  expect(await syncing.used()).toBe(1);
});
