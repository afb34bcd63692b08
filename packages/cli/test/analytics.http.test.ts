/**
 * The usage events that the real program sends to a real service: which ones, that they disturb no command, and how to
 * turn them off.
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AnalyticsEvent } from '@svc/contract';
import {
  bodyOf,
  createFakeClock,
  freePort,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateKey } from '../src/manifest/keys.ts';
import { version } from '../src/version.ts';
import { eagerClock } from './eager-clock.ts';
import { logIn } from './linking.ts';
import { rejectionBody, type GatedCall } from './gate.ts';
import { installedMachine, NEXT, programOf, releaseOf, signed } from './releases.ts';
import { containing, createMachine, jsonOf, type Machine } from './svc.ts';
import { syncingMachine, type Syncing } from './syncing.ts';

const OPERATOR = 'operator@example.test';
/** The default on a person's machine. */
const counting = { SVC_ANALYTICS: '' };

interface Counted extends AsyncDisposable {
  readonly server: TestServer;
  readonly operator: SessionActor;
  /** The counts by name. */
  counts(): Promise<Record<string, number>>;
}

async function countedServer(config: { updateManifestPath?: string } = {}): Promise<Counted> {
  const clock = createFakeClock(Date.now());
  const server = await startServer({
    clock,
    generousPlans: true,
    config: { platformAdminEmail: OPERATOR, ...config },
  });
  const operator = await server.signUp({ email: OPERATOR });
  return {
    server,
    operator,
    async counts() {
      const { days } = bodyOf(await operator.api.getAnalytics({}));
      return Object.fromEntries(days.map(({ name, count }) => [name, count]));
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

let all: Counted;
beforeAll(async () => {
  all = await countedServer();
});
afterAll(() => all.server.close());

interface Status {
  readonly on: boolean;
  readonly because: string;
  readonly waiting: readonly { readonly service: string; readonly event: AnalyticsEvent }[];
}

async function statusOf({ svc }: Pick<Machine, 'svc'>, environment: Record<string, string> = counting) {
  const { code, stdout } = await svc(['analytics', 'status', '--json'], environment);
  expect(code).toBe(0);
  return jsonOf(stdout) as Status;
}

const waitingNames = async (machine: Pick<Machine, 'svc'>) =>
  (await statusOf(machine)).waiting.map(({ event: { name } }) => name);
const spoolOf = ({ home }: Machine) => readdir(path.join(home, 'data/analytics')).catch(() => null);
const eventCalls = (calls: readonly GatedCall[]) =>
  calls.filter(({ path: at }) => at === '/analytics/events');
const eventsOf = ({ body }: GatedCall) => (JSON.parse(body) as { events: AnalyticsEvent[] }).events;
const scanned = ({ svc }: Pick<Syncing, 'svc'>, ...words: string[]) =>
  svc(['scan', '--only', 'secrets', ...words], counting);

const login = (machine: Machine, by: SessionActor) => logIn(machine, by, ['--no-browser'], counting);

describe('usage events', () => {
  test('[D13] describe what commands have done, with the ids that the service knows', async () => {
    await using own = await countedServer();
    await using syncing = await syncingMachine(own.server);
    expect((await scanned(syncing)).code).toBe(0);
    const [call] = eventCalls(syncing.gate.calls);
    expect(syncing.gate.calls.at(-1)).toBe(call);
    expect(await own.counts()).toEqual({ cli_scan_started: 1, cli_scan_completed: 1, cli_sync_completed: 1 });
    const events = call ? eventsOf(call) : [];
    const [report] = await syncing.reports();
    const ids = events.map(({ reportId }) => reportId);
    expect(ids).toEqual([undefined, report?.reportId, report?.reportId]);
    for (const event of events) expect(event).toMatchObject({ surface: 'cli', clientVersion: version });

    const { svc } = syncing;
    await svc(['watch'], counting);
    await svc(['export', '--format', 'sarif', '--output', '-'], counting);
    await svc(['export', '--format', 'markdown', '--output', 'r.md'], counting);
    expect(await waitingNames(syncing)).toEqual(['report_watched', 'report_exported', 'report_exported']);
    await syncing.svc(['quota'], counting);
    const { days } = bodyOf(await own.operator.api.getAnalytics({}));
    const exported = days.filter(({ name }) => name === 'report_exported');
    expect(exported.map(({ format }) => format)).toEqual(['markdown', 'sarif']);
    expect(JSON.stringify(days)).not.toContain(report?.reportId);
  });

  test('[D13] include a scan step by step, a status change, a new project and a device link', async () => {
    const clock = createFakeClock(Date.now());
    await using server = await startServer({ clock, config: { platformAdminEmail: OPERATOR } });
    const operator = await server.signUp({ email: OPERATOR });
    await using machine = await createMachine(server.url);
    await machine.svc(['scan', 'start', '--no-sync'], counting);
    const linked = await login(machine, operator);
    expect(linked.stderr).toContain('svc analytics off');
    expect((await machine.svc(['init', '--name', 'shop'], counting)).code).toBe(0);
    await machine.svc(['init'], counting);
    await machine.svc(['scan', 'finish'], counting);
    await machine.svc(['whoami'], counting);
    const { days } = bodyOf(await operator.api.getAnalytics({}));
    // Events before the link were never sent, and are not counted.
    expect(Object.fromEntries(days.map(({ name, count }) => [name, count]))).toEqual({
      cli_linked: 1,
      cli_scan_completed: 1,
      project_created: 1,
    });
  });

  test('[D13] of a check for updates wait for a command with a credential', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-release-'));
    const updateManifestPath = path.join(folder, 'manifest.json');
    const key = generateKey();
    await writeFile(
      updateManifestPath,
      signed(releaseOf(programOf(NEXT), 'http://127.0.0.1:1/svc.mjs'), key),
    );
    await using own = await countedServer({ updateManifestPath });
    await using machine = await installedMachine(own.server.url, [key]);
    expect((await machine.svc(['update', 'check'], counting)).code).toBe(0);
    expect(await waitingNames(machine)).toEqual(['cli_update_checked']);
    await rm(folder, { recursive: true });
  });

  test('[D13] are kept while the service is unreachable, and do not make a local command connect', async () => {
    await using syncing = await syncingMachine(all.server);
    const before = await all.counts();
    expect((await scanned(syncing, '--no-sync')).code).toBe(0);
    expect(syncing.gate.calls).toEqual([]);
    expect(await waitingNames(syncing)).toEqual(['cli_scan_started', 'cli_scan_completed']);
    syncing.gate.decide = () => 'lose_request';
    expect((await syncing.svc(['quota'], counting)).code).toBe(5);
    const { waiting } = await statusOf(syncing);
    expect(waiting).toHaveLength(2);
    syncing.gate.decide = () => 'pass';
    expect((await syncing.svc(['quota'], counting)).code).toBe(0);
    const [call] = eventCalls(syncing.gate.calls);
    expect(call ? eventsOf(call) : []).toEqual(waiting.map(({ event }) => event));
    await syncing.svc(['quota'], counting);
    const after = await all.counts();
    expect(after['cli_scan_started']).toBe((before['cli_scan_started'] ?? 0) + 1);
    expect(await spoolOf(syncing.machine)).toEqual([]);
  });

  test('[T20] are counted once, even if a response was lost or parallel processes send them', async () => {
    await using own = await countedServer();
    await using syncing = await syncingMachine(own.server);
    syncing.gate.decide = ({ path: at }) => (at === '/analytics/events' ? 'lose_answer' : 'pass');
    expect((await scanned(syncing)).code).toBe(0);
    expect(await waitingNames(syncing)).toHaveLength(3);
    syncing.gate.decide = () => 'pass';
    const both = [['quota'], ['export', '--output', 'a.html']].map(
      (words) => syncing.start(words, counting).ended,
    );
    expect(await Promise.all(both)).toMatchObject([{ code: 0 }, { code: 0 }]);
    await syncing.svc(['quota'], counting);
    expect(await spoolOf(syncing.machine)).toEqual([]);
    expect(await own.counts()).toEqual({
      cli_scan_started: 1,
      cli_scan_completed: 1,
      cli_sync_completed: 1,
      report_exported: 1,
    });
  });
});

describe('counting that fails', () => {
  test.each([
    ['FORBIDDEN', 403, 0],
    ['VALIDATION_FAILED', 422, 0],
    ['NOT_FOUND', 404, 0],
    ['INTERNAL', 500, 2],
    ['RATE_LIMITED', 429, 2],
  ])('[D13] with %s is silent, and is tried once', async (code, status, left) => {
    await using syncing = await syncingMachine(all.server);
    await scanned(syncing, '--no-sync');
    syncing.gate.decide = ({ path: at }) =>
      at === '/analytics/events' ? { status, body: rejectionBody(code) } : 'pass';
    expect(await syncing.svc(['quota', '--json'], counting)).toMatchObject({ code: 0, stderr: '' });
    expect(eventCalls(syncing.gate.calls)).toHaveLength(1);
    expect((await statusOf(syncing)).waiting).toHaveLength(left);
  });

  test('[D13] because the service does not answer costs a second at most, after the result is printed', async () => {
    await using syncing = await syncingMachine(all.server);
    await scanned(syncing, '--no-sync');
    const release = Promise.withResolvers<'lose_request'>();
    const asked = Promise.withResolvers<void>();
    syncing.gate.decide = ({ path: at }) => {
      if (at !== '/analytics/events') return 'pass';
      asked.resolve();
      return release.promise;
    };
    const patience = new Map<number, AbortController>();
    syncing.machine.clock = {
      ...eagerClock,
      timeout: (ms) => {
        const controller = new AbortController();
        patience.set(ms, controller);
        return controller.signal;
      },
    };
    const quota = syncing.begin(['quota'], counting);
    await asked.promise;
    expect(quota.said()).not.toBe('');
    patience.get(1000)?.abort();
    expect(await quota.ended).toMatchObject({ code: 0, stderr: '' });
    release.resolve('lose_request');
    expect((await statusOf(syncing)).waiting).toHaveLength(2);
  });

  test('[D13] without an account or a writable folder changes nothing about a command', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await using machine = await createMachine(url, { SVC_DEVICE_TOKEN: `svc_dev_${'a'.repeat(40)}` });
    await writeFile(path.join(machine.folder, 'a.txt'), 'nothing');
    const words = ['scan', '--only', 'secrets', '--no-sync', '--json'];
    expect(await machine.svc(words, counting)).toMatchObject({ code: 0, stderr: '' });
    await rm(path.join(machine.home, 'data/analytics'), { recursive: true });
    await writeFile(path.join(machine.home, 'data/analytics'), 'no folder');
    expect(await machine.svc(words, counting)).toMatchObject({ code: 0, stderr: '' });
    await writeFile(path.join(machine.home, 'config/analytics.json'), '{').catch(() => undefined);
    expect(await machine.svc(words, counting)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('when counting is turned off', () => {
  test('[D13] by a command, nothing is kept or sent until counting is turned on again', async () => {
    await using syncing = await syncingMachine(all.server);
    await scanned(syncing, '--no-sync');
    expect(await spoolOf(syncing.machine)).toHaveLength(2);
    const off = await syncing.svc(['analytics', 'off'], counting);
    expect(off).toMatchObject({ code: 0, stdout: containing('not counted') });
    expect(await spoolOf(syncing.machine)).toBeNull();
    expect((await scanned(syncing)).code).toBe(0);
    expect(eventCalls(syncing.gate.calls)).toEqual([]);
    expect(await spoolOf(syncing.machine)).toBeNull();
    expect(await statusOf(syncing)).toEqual({ on: false, because: 'chosen', waiting: [] });
    expect((await syncing.svc(['analytics', 'on'], counting)).code).toBe(0);
    await scanned(syncing);
    expect(eventCalls(syncing.gate.calls)).toHaveLength(1);
    await syncing.svc(['quota'], counting);
    expect(await statusOf(syncing)).toEqual({ on: true, because: 'chosen', waiting: [] });
  });

  test.each([
    ['SVC_ANALYTICS', { SVC_ANALYTICS: 'off' }],
    ['SVC_ANALYTICS', { SVC_ANALYTICS: 'OFF' }],
    ['DO_NOT_TRACK', { ...counting, DO_NOT_TRACK: '1' }],
  ])('[D13] by %s for a command, pending events are deleted', async (because, environment) => {
    await using syncing = await syncingMachine(all.server);
    await scanned(syncing, '--no-sync');
    expect((await syncing.svc(['quota'], environment)).code).toBe(0);
    expect(eventCalls(syncing.gate.calls)).toEqual([]);
    expect(await spoolOf(syncing.machine)).toBeNull();
    expect(await statusOf(syncing, environment)).toEqual({ on: false, because, waiting: [] });
  });

  test('[D13] login does not mention counting, and counts nothing', async () => {
    const clock = createFakeClock(Date.now());
    await using server = await startServer({ clock, config: { platformAdminEmail: OPERATOR } });
    const operator = await server.signUp({ email: OPERATOR });
    await using machine = await createMachine(server.url);
    await machine.svc(['analytics', 'off'], counting);
    expect((await login(machine, operator)).stderr).not.toContain('analytics');
    expect(bodyOf(await operator.api.getAnalytics({})).days).toEqual([]);
  });
});
