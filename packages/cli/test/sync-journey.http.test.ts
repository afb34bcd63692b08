/** From a new machine to a report in the service, with the real program and the real service. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { APP_ORIGIN, bodyOf, startServer } from '@svc/testkit';
import { afterAll, expect, test } from 'vitest';
import { logIn } from './linking.ts';
import { impatientClock } from './eager-clock.ts';
import { openGate } from './gate.ts';
import { initRepository, writeFiles } from './repository.ts';
import { containing, createMachine, jsonOf } from './svc.ts';
import { begunScan, keptBy, sarifLog, syncingMachine } from './syncing.ts';

const server = await startServer();
afterAll(() => server.close());

/** How long a command that an agent waits for may wait for the service. */
const QUICK_MS = 300;

/** Recognized as a secret, and composed when the tests run. */
const secret = ['AKIA', 'Z7QF3KJ2', 'LMNP4RST'].join('');

test('a person logs in, binds a repository, scans it, and reads the report', async () => {
  await using machine = await createMachine(server.url);
  const owner = await server.signUp();
  writeFiles(machine.folder, { 'src/keys.js': `const key = '${secret}';\n` });
  initRepository(machine.folder);
  expect(await logIn(machine, owner)).toMatchObject({ code: 0 });
  expect(await machine.svc(['init', '--workspace', 'Personal'])).toMatchObject({ code: 0 });
  const scan = await machine.svc(['scan', '.', '--json']);
  expect(scan).toMatchObject({ code: 0 });
  const result = jsonOf(scan.stdout) as { reportId: string; reportUrl: string; localReportId: string };
  expect(result).toMatchObject({
    state: 'synced',
    reportUrl: `${APP_ORIGIN}/reports/${result.reportId}`,
    summary: { findingCount: 1, severityCounts: { high: 1 } },
    tools: [{ name: 'secrets', findings: 1 }],
    failure: null,
  });
  const [report] = bodyOf(await owner.api.listReports({})).reports;
  expect(report).toMatchObject({ reportId: result.reportId, state: 'finalized', access: 'owner' });
  expect(await machine.svc(['open', '--json'])).toMatchObject({ code: 0 });
  expect(await machine.svc(['sync'])).toMatchObject({ code: 0, stdout: containing('Nothing to sync') });
});

test('neither the source nor a secret in it is sent or stored', async () => {
  const source = `export const notForOthers = 'a text of ours';`;
  await using syncing = await syncingMachine(server, {
    files: { 'src/keys.js': `${source}\nconst key = '${secret}';\n` },
  });
  const log = sarifLog(1, { message: { text: `The key ${secret} is in the source.` } });
  await writeFile(path.join(syncing.machine.folder, 'linter.sarif'), log);
  const scan = await syncing.svc(['scan', '.', '--sarif', 'linter.sarif', '--json']);
  expect(scan).toMatchObject({ code: 0 });
  const sent = syncing.gate.calls.map(({ body }) => body).join('\n');
  expect(syncing.gate.calls.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['quota', 'create', 'progress', 'intent', 'upload', 'finalize']),
  );
  for (const place of [sent, scan.stdout, scan.stderr, await keptBy(syncing.machine)]) {
    expect(place).not.toContain(secret);
    expect(place).not.toContain('notForOthers');
    expect(place.replaceAll(syncing.machine.folder, '')).not.toContain(syncing.device.deviceToken);
  }
  expect(sent).not.toContain(syncing.machine.folder);
});

test('the address of the report is printed immediately, and every event arrives once and in order', async () => {
  await using syncing = await syncingMachine(server);
  await writeFile(path.join(syncing.machine.folder, 'linter.sarif'), sarifLog(30));
  const scan = await syncing.svc(['scan', '.', '--sarif', 'linter.sarif']);
  expect(scan).toMatchObject({ code: 0 });
  const [local] = await syncing.local();
  const { reportId = '', reportUrl = '' } = local?.report.sync ?? {};
  expect(scan.stderr.indexOf(reportUrl)).toBeGreaterThan(-1);
  expect(scan.stderr.indexOf(reportUrl)).toBeLessThan(scan.stderr.indexOf('Listing files'));
  expect(scan.stdout).toContain(reportUrl);
  expect(local?.events.length).toBeGreaterThan(10);
  expect(await syncing.streamed(reportId)).toEqual(local?.events.map(({ eventId }) => eventId));
  expect(await syncing.used()).toBe(1);
});

test('a machine that is not linked scans locally, says how to link, and syncs later', async () => {
  await using syncing = await syncingMachine(server);
  const alone = await syncing.svc(['scan', '.'], { SVC_DEVICE_TOKEN: '' });
  expect(alone).toMatchObject({ code: 0, stderr: containing('svc login') });
  expect(syncing.gate.calls).toEqual([]);
  expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
  expect(await syncing.reports()).toMatchObject([{ state: 'finalized' }]);
});

test('a repository that is not bound is scanned locally, and synced after svc init', async () => {
  await using syncing = await syncingMachine(server, { bound: false });
  const alone = await syncing.svc(['scan', '.']);
  expect(alone).toMatchObject({ code: 0, stderr: containing('svc init') });
  expect(await syncing.svc(['sync'])).toMatchObject({ code: 1, stderr: containing('svc init') });
  await syncing.svc(['init', '--workspace', 'Personal']);
  expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
  expect(await syncing.reports()).toMatchObject([{ state: 'finalized' }]);
});

test('with --no-sync the service is not called until svc sync names the report', async () => {
  await using syncing = await syncingMachine(server);
  const scan = await syncing.svc(['scan', '.', '--no-sync', '--json']);
  expect(scan).toMatchObject({ code: 0 });
  expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
  expect(syncing.gate.calls).toEqual([]);
  const { localReportId } = jsonOf(scan.stdout) as { localReportId: string };
  expect(await syncing.svc(['sync', '--report', localReportId])).toMatchObject({ code: 0 });
  expect(await syncing.reports()).toMatchObject([{ localReportId, state: 'finalized' }]);
});

test('an agent scans command by command: its report can be watched from the start, and is synced at the end', async () => {
  await using syncing = await syncingMachine(server);
  const reportId = await begunScan(syncing, '--agent-name', 'agent');
  expect(await syncing.reports()).toMatchObject([{ reportId, state: 'live' }]);
  await syncing.svc(['progress', 'phase_started', '--phase', 'inventory']);
  const [local] = await syncing.local();
  const said = local?.events.map(({ eventId }) => eventId) ?? [];
  expect(said.length).toBeGreaterThan(1);
  expect(await syncing.streamed(reportId)).toEqual(said);
  expect(await syncing.svc(['scan', 'finish'])).toMatchObject({ code: 0 });
  expect(await syncing.reports()).toMatchObject([{ reportId, state: 'finalized' }]);
  expect(await syncing.used()).toBe(1);
});

test('a scan that an agent aborts returns its unit', async () => {
  await using syncing = await syncingMachine(server);
  await begunScan(syncing);
  expect(await syncing.used()).toBe(1);
  expect(await syncing.svc(['scan', 'abort'])).toMatchObject({ code: 0 });
  expect(await syncing.used()).toBe(0);
  expect(await syncing.reports()).toEqual([]);
});

test('while the service does not answer, a command of an agent waits only briefly, and events are delivered later', async () => {
  await using syncing = await syncingMachine(server);
  const reportId = await begunScan(syncing);
  const silent = Promise.withResolvers<'pass'>();
  syncing.gate.decide = ({ name }) => (name === 'progress' ? silent.promise : 'pass');
  syncing.machine.clock = impatientClock(QUICK_MS);
  expect(await syncing.svc(['progress', 'heartbeat'])).toMatchObject({ code: 0 });
  silent.resolve('pass');
  expect(await syncing.svc(['scan', 'finish'])).toMatchObject({ code: 0 });
  const [local] = await syncing.local();
  expect(await syncing.streamed(reportId)).toEqual(local?.events.map(({ eventId }) => eventId));
});

test.each([
  ['quota', 8000],
  ['create', 10_000],
] as const)(
  'a scan begins even if the service does not answer the call %s within %i ms',
  async (silent, patienceMs) => {
    await using syncing = await syncingMachine(server);
    const held = Promise.withResolvers<'lose_request'>();
    syncing.gate.decide = ({ name }) => (name === silent ? held.promise : 'pass');
    syncing.machine.clock = impatientClock(patienceMs);
    const started = await syncing.svc(['scan', 'start']);
    held.resolve('lose_request');
    expect(started).toMatchObject({ code: 0, stderr: containing('not respond in time') });
    syncing.gate.decide = () => 'pass';
    expect(await syncing.svc(['scan', 'finish'])).toMatchObject({ code: 0 });
    expect(await syncing.reports()).toMatchObject([{ state: 'finalized' }]);
  },
);

test('svc watch shows the whole progress of a scan in another process', async () => {
  await using syncing = await syncingMachine(server);
  const held = Promise.withResolvers<'pass'>();
  syncing.gate.decide = ({ name }) => (name === 'finalize' ? held.promise : 'pass');
  const scan = syncing.begin(['scan', '.']);
  await scan.sees(/Syncing/);
  const watch = syncing.begin(['watch', '--json']).ended;
  held.resolve('pass');
  const { code, stdout } = await watch;
  await scan.ended;
  const lines = stdout.trim().split('\n').map(jsonOf) as { eventId?: string; state?: string }[];
  const [local] = await syncing.local();
  expect(code).toBe(0);
  expect(lines.flatMap(({ eventId }) => eventId ?? [])).toEqual(local?.events.map(({ eventId }) => eventId));
  expect(lines.at(-1)).toMatchObject({ state: 'synced', reportUrl: local?.report.sync.reportUrl });
});

test('each report belongs to one service: a report begun with one service is not sent to another', async () => {
  await using syncing = await syncingMachine(server);
  await using other = await openGate(server.url);
  syncing.gate.decide = ({ name }) => (name === 'finalize' ? 'lose_request' : 'pass');
  expect(await syncing.svc(['scan', '.'])).toMatchObject({ code: 5 });
  const elsewhere = await syncing.svc(['sync'], { SVC_API_BASE_URL: other.url });
  expect(elsewhere).toMatchObject({ code: 1, stderr: containing(syncing.gate.url) });
  expect(other.calls).toEqual([]);
});
