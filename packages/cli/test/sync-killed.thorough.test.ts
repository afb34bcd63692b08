/**
 * Kills of the CLI at calls and at random moments, and of the service at calls. Afterwards one `svc sync` must be
 * enough: a finished report is in the service, once, for one unit, with every event once and in order. An unfinished
 * one is aborted, and costs nothing.
 *
 * `SVC_KILL_CYCLES` sets the number of random kills. A failure prints the seed of its run, for `SVC_KILL_SEED`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort, startServer, startServiceProcess } from '@svc/testkit';
import { unlessShort } from '@svc/testkit/lane';
import { describe, expect, test } from 'vitest';
import type { GatedCall } from './gate.ts';
import { expectAgreement, killedAt, type Point } from './sync-agreement.ts';
import { sarifLog, syncingMachine, type Syncing } from './syncing.ts';

const CYCLES = Number(process.env['SVC_KILL_CYCLES'] ?? unlessShort(2, 10));
const CYCLE_MS = 20_000;
const seed = Number(process.env['SVC_KILL_SEED'] ?? Date.now() % 1_000_000);

/** Pseudo-random numbers from 0 to below 1, always the same for one seed. */
function numbers(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const calls = ['quota', 'create', 'progress', 'intent', 'upload', 'finalize'] as const;
/** The short run takes one side of each call in turn. */
const points: readonly Point[] = calls.flatMap((name, index) => {
  const sides = [[name, 'before'] as const, [name, 'after'] as const];
  return unlessShort(sides.slice(index % 2).slice(0, 1), sides);
});

describe('[D6] the CLI is killed', () => {
  test.each(points)('at %s, %s the call arrived: one sync completes the scan', async (...point) => {
    await using server = await startServer({ generousPlans: true });
    await using syncing = await syncingMachine(server);
    await writeFile(path.join(syncing.machine.folder, 'linter.sarif'), sarifLog(3));
    await killedAt(syncing, ['scan', '.', '--sarif', 'linter.sarif'], point);
    expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
    await expectAgreement(syncing, point.join(' '));
  });

  test(
    `at ${CYCLES} random moments, and sometimes during the next sync: one more sync is enough`,
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

describe('[D6] one sync is enough after the service is killed and started again', () => {
  test.each(points.filter(([name]) => name !== 'quota'))('at %s, %s the call', async (name, moment) => {
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
      const atThatCall = (call: GatedCall) => {
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
      // The scan does not wait for the restart, and keeps what it cannot send.
      await restarted;
      expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
      await expectAgreement(syncing, `${name} ${moment}`);
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
