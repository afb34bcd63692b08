/** Connections that break at every call, before it arrived and after it was done: nothing is lost, nothing charged twice. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallName, Fate } from './gate.ts';
import { sarifLog, syncingMachine, type Syncing } from './syncing.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const callsOfSync = ['create', 'progress', 'intent', 'upload', 'finalize'] as const;
const fates = ['lose_request', 'lose_answer'] as const;
const points = callsOfSync.flatMap((name) => fates.map((fate): [CallName, Fate & string] => [name, fate]));

/** One report, final, for one unit, with every event once and in its order. */
async function expectOneReport(syncing: Syncing): Promise<void> {
  const [local, ...others] = await syncing.local();
  const { reportId = '' } = local?.report.sync ?? {};
  expect(others).toEqual([]);
  expect(local?.report.state).toBe('synced');
  expect(await syncing.reports()).toMatchObject([{ reportId, state: 'finalized' }]);
  expect(await syncing.used()).toBe(1);
  expect(await syncing.streamed(reportId)).toEqual(local?.events.map(({ eventId }) => eventId));
}

describe('[D6] a call that is lost once is made again', () => {
  test.each(points)('%s, %s', async (name, fate) => {
    await using syncing = await syncingMachine(server);
    await writeFile(path.join(syncing.machine.folder, 'linter.sarif'), sarifLog(3));
    syncing.gate.decide = (call) => (call.name === name && call.number === 1 ? fate : 'pass');
    const scan = await syncing.svc(['scan', '.', '--sarif', 'linter.sarif']);
    expect(scan).toMatchObject({ code: 0 });
    await expectOneReport(syncing);
  });
});

describe('[D6] a call that is lost each time leaves the report here, and a later sync ends it', () => {
  test.each(points)('%s, %s', async (name, fate) => {
    await using syncing = await syncingMachine(server);
    syncing.gate.decide = (call) => (call.name === name ? fate : 'pass');
    const scan = await syncing.svc(['scan', '.', '--only', 'secrets']);
    expect(scan).toMatchObject({ code: 5, stderr: expect.stringContaining('svc sync') as string });
    syncing.gate.decide = () => 'pass';
    expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
    await expectOneReport(syncing);
    expect(await syncing.svc(['sync'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing') as string,
    });
  });
});

test('without a network a scan goes on to its end, and everything that it said is delivered later', async () => {
  await using syncing = await syncingMachine(server);
  syncing.gate.decide = () => 'lose_request';
  const scan = await syncing.svc(['scan', '.']);
  expect(scan).toMatchObject({ code: 5, stdout: expect.stringContaining('kept on this machine') as string });
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
