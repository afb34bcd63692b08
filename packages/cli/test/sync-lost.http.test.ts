/** Connections that break during a call: nothing is lost, and nothing is charged twice. */
import { startServer } from '@svc/testkit';
import { someOf } from '@svc/testkit/lane';
import { afterAll, expect, test } from 'vitest';
import { expectOneReport, nothingLeft, syncAfterLoss } from './sync-agreement.ts';
import { containing } from './svc.ts';
import { syncingMachine } from './syncing.ts';

const server = await startServer();
afterAll(() => server.close());

test.each(someOf(['create', 'progress', 'intent', 'upload', 'finalize'] as const, 2))(
  '[D6] the call %s is repeated if one response is lost, and by a later sync if all responses are lost',
  { tags: 'repeated' },
  async (name) => {
    expect(await syncAfterLoss(server, name, 'lose_answer', 'once')).toMatchObject(nothingLeft);
    expect(await syncAfterLoss(server, name, 'lose_answer', 'always')).toMatchObject(nothingLeft);
  },
);

test('[D6] a call that does not arrive is repeated, or made by a later sync', async () => {
  expect(await syncAfterLoss(server, 'upload', 'lose_request', 'once')).toMatchObject(nothingLeft);
  expect(await syncAfterLoss(server, 'finalize', 'lose_request', 'always')).toMatchObject(nothingLeft);
});

test('without a network a scan continues to its end, and its events are delivered later', async () => {
  await using syncing = await syncingMachine(server);
  syncing.gate.decide = () => 'lose_request';
  const scan = await syncing.svc(['scan', '.']);
  expect(scan).toMatchObject({ code: 5, stdout: containing('kept on this machine') });
  syncing.gate.decide = () => 'pass';
  expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
  await expectOneReport(syncing);
});

test('two simultaneous syncs of one report send it once', async () => {
  await using syncing = await syncingMachine(server);
  await syncing.svc(['scan', '.', '--no-sync']);
  const [local] = await syncing.local();
  const words = ['sync', '--report', local?.report.localReportId ?? ''];
  const both = await Promise.all([syncing.begin(words).ended, syncing.begin(words).ended]);
  expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
  await expectOneReport(syncing);
  expect(syncing.gate.statusesOf('finalize')).toEqual([200]);
});

test('two simultaneous scans of one repository create two reports', async () => {
  await using syncing = await syncingMachine(server);
  const both = await Promise.all([syncing.begin(['scan', '.']).ended, syncing.begin(['scan', '.']).ended]);
  expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
  expect(await syncing.reports()).toMatchObject([{ state: 'finalized' }, { state: 'finalized' }]);
  expect(await syncing.used()).toBe(2);
});
