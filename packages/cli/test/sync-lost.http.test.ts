/** Connections that break at every call: nothing is lost, nothing charged twice. */
import { startServer } from '@svc/testkit';
import { someOf } from '@svc/testkit/lane';
import { afterAll, expect, test } from 'vitest';
import { expectOneReport, nothingLeft, syncAfterLoss } from './sync-agreement.ts';
import { containing } from './svc.ts';
import { syncingMachine } from './syncing.ts';

const server = await startServer();
afterAll(() => server.close());

test.each(someOf(['create', 'progress', 'intent', 'upload', 'finalize'] as const, 2))(
  '[D6] an answer to %s that is lost once is asked for again, and one that is lost each time is asked for by a later sync',
  async (name) => {
    expect(await syncAfterLoss(server, name, 'lose_answer', 'once')).toMatchObject(nothingLeft);
    expect(await syncAfterLoss(server, name, 'lose_answer', 'always')).toMatchObject(nothingLeft);
  },
);

test('[D6] a call that does not arrive is made again, or by a later sync', async () => {
  expect(await syncAfterLoss(server, 'upload', 'lose_request', 'once')).toMatchObject(nothingLeft);
  expect(await syncAfterLoss(server, 'finalize', 'lose_request', 'always')).toMatchObject(nothingLeft);
});

test('without a network a scan goes on to its end, and everything that it said is delivered later', async () => {
  await using syncing = await syncingMachine(server);
  syncing.gate.decide = () => 'lose_request';
  const scan = await syncing.svc(['scan', '.']);
  expect(scan).toMatchObject({ code: 5, stdout: containing('kept on this machine') });
  syncing.gate.decide = () => 'pass';
  expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
  await expectOneReport(syncing);
});

test('two that sync one report at once send it once', async () => {
  await using syncing = await syncingMachine(server);
  await syncing.svc(['scan', '.', '--no-sync']);
  const [local] = await syncing.local();
  const words = ['sync', '--report', local?.report.localReportId ?? ''];
  const both = await Promise.all([syncing.begin(words).ended, syncing.begin(words).ended]);
  expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
  await expectOneReport(syncing);
  expect(syncing.gate.statusesOf('finalize')).toEqual([200]);
});

test('two scans of one repository at once make two reports', async () => {
  await using syncing = await syncingMachine(server);
  const both = await Promise.all([syncing.begin(['scan', '.']).ended, syncing.begin(['scan', '.']).ended]);
  expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
  expect(await syncing.reports()).toMatchObject([{ state: 'finalized' }, { state: 'finalized' }]);
  expect(await syncing.used()).toBe(2);
});
