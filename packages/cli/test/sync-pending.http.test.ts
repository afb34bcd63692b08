/** The output of `svc sync` about unsent reports: which, since when, why, and what happens next. */
import { startServer } from '@svc/testkit';
import { afterAll, expect, test } from 'vitest';
import { rejectionBody, type GatedCall, type Fate } from './gate.ts';
import { containing, jsonOf, type CommandResult } from './svc.ts';
import { syncingMachine } from './syncing.ts';

const server = await startServer();
afterAll(() => server.close());

interface SyncJson {
  readonly reports: readonly Record<string, unknown>[];
  readonly kept: readonly Record<string, unknown>[];
}

const json = ({ stdout }: CommandResult) => jsonOf(stdout) as SyncJson;

function always(name: GatedCall['name'], fate: Fate) {
  return (call: GatedCall): Fate => (call.name === name ? fate : 'pass');
}

const SCAN = ['scan', '--only', 'secrets'];
const RESETS_AT = '2030-01-02T00:00:00.000Z';

test('a rejected report is pending with the rejection in words, and a dry run calls no service', async () => {
  await using syncing = await syncingMachine(server);
  const body = rejectionBody('SYNC_DAILY_LIMIT_REACHED', { daily: { limit: 3, resetsAt: RESETS_AT } });
  syncing.gate.decide = always('create', { status: 429, body });
  expect(await syncing.svc(SCAN)).toMatchObject({ code: 6 });
  const calls = syncing.gate.calls.length;

  const listed = await syncing.svc(['sync', '--dry-run', '--json']);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  const [local] = await syncing.local();
  const lastFailure = {
    code: 'SYNC_DAILY_LIMIT_REACHED',
    phase: 'create',
    at: expect.any(String) as string,
    message: containing('The daily quota of cloud reports (3)'),
    hint: containing(RESETS_AT),
  };
  expect(json(listed)).toEqual({
    reports: [
      {
        localReportId: local?.report.localReportId,
        projectName: 'shop',
        state: 'finished',
        done: 'waiting',
        reportId: null,
        reportUrl: null,
        finalizedAt: null,
        fitted: null,
        failure: null,
        pending: {
          task: 'send',
          since: local?.report.scan.finishedAt,
          lastFailure,
          next: 'svc sync sends it.',
        },
      },
    ],
    kept: [],
  });
  const shown = await syncing.svc(['sync', '--dry-run']);
  expect(shown.stdout).toMatch(
    /shop {2}pending: finished .*; last tried .*: The daily quota of cloud reports \(3\)/,
  );
  expect(syncing.gate.calls).toHaveLength(calls);

  const rejected = await syncing.svc(['sync']);
  expect(rejected.stderr).toMatch(
    /1 report is pending:\n.*last tried .*The daily quota of cloud reports \(3\)/,
  );
  expect(rejected).toMatchObject({ code: 6, stderr: containing(RESETS_AT) });
  expect(json(await syncing.svc(['sync', '--json'])).reports).toMatchObject([
    { done: 'failed', pending: { next: containing(RESETS_AT) } },
  ]);

  syncing.gate.decide = () => 'pass';
  expect(json(await syncing.svc(['sync', '--json']))).toMatchObject({
    reports: [{ done: 'synced', pending: null }],
    kept: [],
  });
  expect((await syncing.svc(['sync'])).stdout).toContain('Nothing to sync');
});

test('without a credential the pending reports are listed before the failure', async () => {
  await using syncing = await syncingMachine(server);
  syncing.gate.decide = always('create', 'lose_request');
  expect(await syncing.svc(SCAN)).toMatchObject({ code: 5 });
  const unlinked = { SVC_DEVICE_TOKEN: '' };
  const shown = await syncing.svc(['sync'], unlinked);
  expect(shown).toMatchObject({ code: 4, stdout: containing('pending: finished') });
  expect(shown.stderr).toContain('Link this machine with svc login, then run svc sync');
  const ended = await syncing.svc(['sync', '--json'], unlinked);
  expect(json(ended).reports).toMatchObject([{ done: 'waiting', pending: { task: 'send' } }]);
  expect(jsonOf(ended.stderr)).toMatchObject({ error: { reason: 'unauthenticated' } });
});

test('reports kept local are counted, and a dry run that names one leaves it local', async () => {
  await using syncing = await syncingMachine(server);
  await syncing.svc([...SCAN, '--no-sync']);
  const [local] = await syncing.local();
  const { localReportId = '' } = local?.report ?? {};
  expect((await syncing.svc(['sync'])).stdout).toMatch(
    /Nothing to sync.*\n1 finished report stays on this machine\. To send one: svc sync --report ID/,
  );
  expect(
    json(await syncing.svc(['sync', '--report', localReportId, '--dry-run', '--json'])).reports,
  ).toMatchObject([
    { localReportId, done: 'waiting', pending: { lastFailure: null, next: 'svc sync sends it.' } },
  ]);
  expect(json(await syncing.svc(['sync', '--json']))).toEqual({
    reports: [],
    kept: [{ localReportId, projectName: expect.any(String) as string, lastFailure: null }],
  });
});

test('a unit that could not be returned is pending until it is returned', async () => {
  await using syncing = await syncingMachine(server);
  expect(await syncing.svc(['scan', 'start'])).toMatchObject({ code: 0 });
  syncing.gate.decide = always('delete', 'lose_request');
  expect(await syncing.svc(['scan', 'abort'])).toMatchObject({ code: 0, stderr: containing('svc sync') });
  expect(json(await syncing.svc(['sync', '--dry-run', '--json'])).reports).toMatchObject([
    {
      state: 'aborted',
      pending: { task: 'giveBack', lastFailure: { code: 'unavailable', phase: 'abort' } },
    },
  ]);
  syncing.gate.decide = () => 'pass';
  expect(json(await syncing.svc(['sync', '--json'])).reports).toMatchObject([
    { done: 'given_back', pending: null },
  ]);
  expect(await syncing.used()).toBe(0);
  expect((await syncing.local())[0]?.report.sync).toEqual({ isReceived: false });
});
