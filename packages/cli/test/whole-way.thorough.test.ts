/** The main journey from end to end: the built program, the service as a process, and a person in a browser. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Quota, ReportSummary } from '@svc/contract';
import type { SessionActor } from '@svc/testkit/actors';
import { watchEvents } from '@svc/testkit/event-stream';
import { bodyOf } from '@svc/testkit/outcomes';
import { startServiceProcess, type ServiceProcess } from '@svc/testkit/service-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginLogin } from './linking.ts';
import { openGate, type Gate } from './gate.ts';
import { git, initRepository, writeFiles } from './repository.ts';
import { createMachine, jsonOf, type Machine } from './svc.ts';
import { sarifLog } from './syncing.ts';

const IMPORTED = 12;
/** Found by the built-in search for secrets, and composed when the tests run. */
const secret = ['AKIA', 'Z7QF3KJ2', 'LMNP4RST'].join('');
const SCAN = ['scan', '.', '--only', 'secrets', '--sarif', 'linter.sarif', '--json'];

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess();
});
afterAll(() => service.stop());

interface ScanJson {
  readonly reportId: string;
  readonly summary: ReportSummary;
}

test('from a new machine to reports in the browser, and exports', async () => {
  await using gate = await openGate(service.url);
  await using machine = await createMachine(gate.url);
  const owner = await service.signUp();
  const used = async () => ((await json(machine, 'quota')) as Quota).daily.used;
  await fill(machine);

  await link(machine, owner);
  expect(await json(machine, 'init', '--workspace', 'Personal')).toMatchObject({ created: true });
  expect(await used()).toBe(0);

  const first = await scanWatched(machine, gate, owner);
  expect(first.summary.findingCount).toBe(IMPORTED + 1);
  expect(await read(owner, first.reportId)).toEqual(await shown(machine));

  const second = await scan(machine);
  expect(second.reportId).not.toBe(first.reportId);
  expect(second.summary).toEqual(first.summary);
  expect(await fingerprints(owner, second.reportId)).toEqual(await fingerprints(owner, first.reportId));
  expect(await used()).toBe(2);

  await interruptScan(machine, gate);
  expect(await used()).toBe(2);
  const { reports } = bodyOf(await owner.api.listReports({}));
  expect(reports).toMatchObject([first, second].map(({ reportId }) => ({ reportId, state: 'finalized' })));
  expect(bodyOf(await owner.api.getSyncQuota({}))).toMatchObject({
    eligible: true,
    daily: { used: 2, limit: 5 },
    weekly: { used: 2, limit: 15 },
  });

  await json(machine, 'logout');
  expect(await machine.svc(['whoami'])).toMatchObject({ code: 4 });
  const { devices } = bodyOf(await owner.api.listDevices());
  expect(devices).toMatchObject([{ revokedAt: expect.any(String) as string }]);
  expect(machine.printed()).not.toContain(secret);
});

/** A repository with something to find, and the log of a scanner that ran before. */
async function fill({ folder }: Machine): Promise<void> {
  writeFiles(folder, { 'src/keys.js': `const key = '${secret}';\n` });
  initRepository(folder);
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'shop');
  await writeFile(path.join(folder, 'linter.sarif'), sarifLog(IMPORTED));
}

async function json(machine: Machine, ...words: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await machine.svc([...words, '--json']);
  if (code !== 0) throw new Error(`svc ${words.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return jsonOf(stdout);
}

/** The person compares the codes, and approves. */
async function link(machine: Machine, owner: SessionActor): Promise<void> {
  const login = await beginLogin(machine);
  const { id } = login;
  const { matchCode } = bodyOf(await owner.api.getDeviceLink({ params: { id } }));
  expect(await login.sees(/\b([0-9A-Z]{4}-[0-9A-Z]{4})\b/)).toBe(matchCode);
  bodyOf(await owner.api.approveDeviceLink({ params: { id } }));
  expect(await login.decided()).toMatchObject({ code: 0 });
}

async function scan(machine: Machine): Promise<ScanJson> {
  const { code, stdout, stderr } = await machine.svc(SCAN);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return jsonOf(stdout) as ScanJson;
}

/** The scan does not reach its upload before the person has seen it progress. */
async function scanWatched(machine: Machine, gate: Gate, owner: SessionActor): Promise<ScanJson> {
  const seen = Promise.withResolvers<'pass'>();
  gate.decide = ({ name }) => (name === 'intent' ? seen.promise : 'pass');
  const scanning = machine.begin(SCAN);
  const reportId = await scanning.sees(/(rep_[0-9a-z]{26})/);
  const watch = await watchEvents(service.url, reportId, { cookie: owner.cookie });
  const types = () =>
    watch.events.flatMap(({ event, data }) =>
      event === 'progress' ? [(JSON.parse(data) as { type: string }).type] : [],
    );
  await watch.until(() => types().includes('scan_completed'));
  expect(bodyOf(await owner.api.getReport({ params: { id: reportId } }))).toMatchObject({
    state: 'live',
    report: null,
  });
  expect(types()).toEqual(expect.arrayContaining(['scan_started', 'phase_started', 'phase_completed']));
  watch.abort();
  seen.resolve('pass');
  const { code, stdout } = await scanning.ended;
  expect(code).toBe(0);
  return jsonOf(stdout) as ScanJson;
}

/** Ctrl+C when the service has reserved the unit and the program does not know yet. */
async function interruptScan(machine: Machine, gate: Gate): Promise<void> {
  gate.decide = () => 'pass';
  const statuses: (number | undefined)[] = [];
  gate.answered = ({ name, status }) => {
    if (name !== 'create') return;
    statuses.push(status);
    // A slow program calls again before it releases the unit, and a second Ctrl+C would prevent that.
    if (statuses.length === 1) scanning.child.kill('SIGINT');
  };
  const scanning = machine.start(SCAN);
  expect(await scanning.ended).toMatchObject({ code: 130 });
  expect(statuses[0]).toBe(201);
  expect(gate.statusesOf('delete')).toEqual([200]);
}

const read = async (owner: SessionActor, id: string) => {
  const { report } = bodyOf(await owner.api.getReport({ params: { id } }));
  if (!report) throw new Error('The report is not final.');
  const { id: _id, projectedFor: _viewer, ...content } = report;
  return content;
};

/** The report as the CLI shows it, without its local id and redaction notice. */
async function shown(machine: Machine): Promise<unknown> {
  const {
    localReportId: _id,
    redactionNotice: _notice,
    ...content
  } = (await json(machine, 'report', 'show')) as Record<string, unknown>;
  return content;
}

const fingerprints = async (owner: SessionActor, reportId: string) =>
  (await read(owner, reportId)).findings?.map(({ fingerprint }) => fingerprint);
