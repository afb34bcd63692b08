/**
 * The plug is pulled at every step and at any moment, on either side. Afterwards one `svc sync` must be enough: what was
 * finished is in the service, once, for one unit, with every event once and in its order; what was not is given up, and
 * costs nothing.
 *
 * `SVC_KILL_CYCLES` sets how often; the seed of a run is printed by a failure.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort, startServer, startServiceProcess } from '@svc/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Call, CallName } from './gate.ts';
import { installFake } from './fake-scanners.ts';
import { temporaryFolder } from './repository.ts';
import { buildProgram, jsonOf } from './svc.ts';
import { sarifLog, syncingMachine, type Syncing } from './syncing.ts';

const CYCLES = Number(process.env['SVC_KILL_CYCLES'] ?? 30);
const CYCLE_MS = 20_000;
const seed = Number(process.env['SVC_KILL_SEED'] ?? Date.now() % 1_000_000);

beforeAll(buildProgram);

/** Numbers from 0 to below 1, the same for a seed. */
function numbers(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What the store says is what the service has, for every report that was ever begun. */
async function expectAgreement(syncing: Syncing, note: string): Promise<void> {
  const local = await syncing.local();
  const own = await syncing.reports();
  const synced = local.filter(({ report }) => report.state === 'synced');
  const states = local.map(({ report }) => report.state);
  expect({ note, states: states.filter((state) => state !== 'synced' && state !== 'aborted') }).toEqual({
    note,
    states: [],
  });
  const idsHere = synced.map(({ report }) => report.sync.reportId ?? '');
  const idsThere = own.filter(({ state }) => state === 'finalized').map(({ reportId }) => reportId);
  expect({ note, ids: new Set(idsThere), live: own.length - idsThere.length }).toEqual({
    note,
    ids: new Set(idsHere),
    live: 0,
  });
  expect({ note, used: await syncing.used() }).toEqual({ note, used: synced.length });
  const [newest] = synced;
  const streamed = newest ? await syncing.streamed(newest.report.sync.reportId ?? '') : [];
  expect({ note, streamed }).toEqual({ note, streamed: newest?.events.map(({ eventId }) => eventId) ?? [] });
}

const points: readonly (readonly [CallName, 'before' | 'after'])[] = (
  ['quota', 'create', 'progress', 'intent', 'upload', 'finalize'] as const
).flatMap((name) => [[name, 'before'] as const, [name, 'after'] as const]);

/** Kills a process when a call arrives, or when the service has done it and nobody knows. */
async function killedAt(
  syncing: Syncing,
  words: readonly string[],
  [name, moment]: (typeof points)[number],
): Promise<void> {
  const { child, ended } = syncing.start(words);
  let isDone = false;
  const kill = (call: Call) => {
    if (call.name !== name || isDone) return;
    isDone = true;
    child.kill('SIGKILL');
  };
  if (moment === 'before') {
    syncing.gate.decide = (call) => {
      kill(call);
      return isDone && call.name === name ? 'lose_request' : 'pass';
    };
  } else {
    syncing.gate.answered = kill;
  }
  await ended;
  syncing.gate.decide = () => 'pass';
  syncing.gate.answered = () => undefined;
}

describe('[D6] the command line is killed', () => {
  test.each(points)('%s, %s it arrived: one sync ends it', async (...point) => {
    await using server = await startServer({ generousPlans: true });
    await using syncing = await syncingMachine(server);
    await writeFile(path.join(syncing.machine.folder, 'linter.sarif'), sarifLog(3));
    await killedAt(syncing, ['scan', '.', '--sarif', 'linter.sarif'], point);
    expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
    await expectAgreement(syncing, point.join(' '));
  });

  test(
    `at ${CYCLES} random moments, and again while it mends that`,
    async () => {
      await using server = await startServer({ generousPlans: true });
      await using syncing = await syncingMachine(server);
      await writeFile(path.join(syncing.machine.folder, 'linter.sarif'), sarifLog(40));
      const random = numbers(seed);
      for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
        const note = `seed ${seed}, cycle ${cycle}`;
        await killedAfter(syncing, ['scan', '.', '--sarif', 'linter.sarif'], 150 + random() * 700);
        if (random() < 0.4) await killedAfter(syncing, ['sync'], 100 + random() * 400);
        const sync = await syncing.svc(['sync', '--json']);
        expect({ note, code: sync.code, said: sync.code === 0 ? '' : sync.stdout + sync.stderr }).toEqual({
          note,
          code: 0,
          said: '',
        });
        await expectAgreement(syncing, note);
      }
    },
    CYCLES * CYCLE_MS,
  );
});

async function killedAfter(syncing: Syncing, words: readonly string[], ms: number): Promise<void> {
  const { child, ended } = syncing.start(words);
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  await ended;
  clearTimeout(timer);
}

describe('a scan is interrupted while scanners run', () => {
  /** A scanner that never ends. */
  function hanging(): Record<string, string> {
    const tools = temporaryFolder();
    installFake(tools, 'semgrep', { does: 'hang' });
    return { PATH: [tools, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter) };
  }

  test('[D5] Ctrl+C gives the unit back, and ends with 130', async () => {
    await using server = await startServer();
    await using syncing = await syncingMachine(server);
    const scan = syncing.start(['scan', '.'], hanging());
    await scan.sees(/semgrep/);
    expect(await syncing.used()).toBe(1);
    scan.child.kill('SIGINT');
    expect(await scan.ended).toMatchObject({ code: 130 });
    expect(await syncing.used()).toBe(0);
    expect(await syncing.reports()).toEqual([]);
    expect(await syncing.local()).toMatchObject([{ report: { state: 'aborted' } }]);
  });

  test('[D5] Ctrl+C without a network: the unit comes back with svc sync', async () => {
    await using server = await startServer();
    await using syncing = await syncingMachine(server);
    const scan = syncing.start(['scan', '.'], hanging());
    await scan.sees(/semgrep/);
    syncing.gate.decide = () => 'lose_request';
    scan.child.kill('SIGINT');
    expect(await scan.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('svc sync') as string,
    });
    expect(await syncing.used()).toBe(1);
    syncing.gate.decide = () => 'pass';
    expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
    expect(await syncing.used()).toBe(0);
  });

  test('[D5] a scan whose process died is given up by the next scan, which costs one unit', async () => {
    await using server = await startServer();
    await using syncing = await syncingMachine(server);
    const scan = syncing.start(['scan', '.'], hanging());
    await scan.sees(/semgrep/);
    const watch = syncing.start(['watch', '--json']).ended;
    scan.child.kill('SIGKILL');
    await scan.ended;
    const last = (await watch).stdout.trim().split('\n').at(-1) ?? '';
    expect(jsonOf(last)).toMatchObject({ state: 'scanning', isCutOff: true });
    expect(await syncing.svc(['scan', '.'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('cut off') as string,
    });
    await expectAgreement(syncing, 'after the next scan');
    expect(await syncing.used()).toBe(1);
  });

  test('Ctrl+C while the finished report is sent keeps it for svc sync', async () => {
    await using server = await startServer();
    await using syncing = await syncingMachine(server);
    const scan = syncing.start(['scan', '.']);
    const waits = Promise.withResolvers<'lose_request'>();
    syncing.gate.decide = ({ name }) => {
      if (name !== 'upload') return 'pass';
      scan.child.kill('SIGINT');
      return waits.promise;
    };
    const ended = await scan.ended;
    waits.resolve('lose_request');
    expect(ended).toMatchObject({
      code: 130,
      stdout: expect.stringContaining('kept on this machine') as string,
    });
    syncing.gate.decide = () => 'pass';
    expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
    await expectAgreement(syncing, 'after svc sync');
    expect(await syncing.used()).toBe(1);
  });

  test('a scan that is running is none that was cut off', async () => {
    await using server = await startServer();
    await using syncing = await syncingMachine(server);
    const scan = syncing.start(['scan', '.'], hanging());
    await scan.sees(/semgrep/);
    expect(await syncing.svc(['sync'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing') as string,
    });
    expect(await syncing.reports()).toMatchObject([{ state: 'live' }]);
    scan.child.kill('SIGINT');
    await scan.ended;
  });
});

describe('[D6] the service is killed and started again', () => {
  test.each(points.filter(([name]) => name !== 'quota'))('%s, %s it arrived', async (name, moment) => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'svc-killed-'));
    const environment = { PORT: String(await freePort()) };
    const options = { dataDir, environment, generousThrottles: true };
    let service = await startServiceProcess(options);
    try {
      await using syncing = await syncingMachine(service);
      await writeFile(path.join(syncing.machine.folder, 'linter.sarif'), sarifLog(3));
      let restarted: Promise<void> | undefined;
      const restart = async () => {
        service.signal('SIGKILL');
        await service.ended;
        service = await startServiceProcess(options);
      };
      const atThatCall = (call: Call) => {
        if (call.name === name) return (restarted ??= restart());
        return undefined;
      };
      if (moment === 'before') {
        syncing.gate.decide = async (call) => {
          const isFirst = call.name === name && restarted === undefined;
          await atThatCall(call);
          return isFirst ? 'lose_request' : 'pass';
        };
      } else {
        syncing.gate.answered = atThatCall;
      }
      await syncing.start(['scan', '.', '--sarif', 'linter.sarif']).ended;
      expect(restarted).toBeDefined();
      // The scan does not wait for it: what it can not send by then it keeps.
      await restarted;
      expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
      await expectAgreement(syncing, `${name} ${moment}`);
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
