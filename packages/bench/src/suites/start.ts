/** P9: the time from start to listening, and the memory of the idle service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startServiceProcess } from '@svc/testkit';
import { residentBytes } from '../harness/process-usage.ts';
import type { Result, Suite } from '../harness/result.ts';
import { median } from '../harness/statistics.ts';

const START_MAX_MS = 400;
const IDLE_MAX_MB = 90;
const MB = 1_000_000;

export const startSuite: Suite = {
  name: 'start',
  async run({ smoke }) {
    const rounds = smoke ? 2 : 11;
    const idleAfterMs = smoke ? 500 : 4000;
    const keptDir = await mkdtemp(path.join(tmpdir(), 'svc-bench-start-'));
    try {
      // The first start after a build compiles the code and caches the result.
      await startOnce(keptDir);
      const node: number[] = [];
      const fresh: number[] = [];
      const kept: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        node.push(await runNothing());
        fresh.push((await startOnce()).startedInMs);
        kept.push((await startOnce(keptDir)).startedInMs);
      }
      const idle: number[] = [];
      for (let round = 0; round < Math.ceil(rounds / 4); round += 1)
        idle.push((await startOnce(keptDir, idleAfterMs)).idleMB);
      return [
        startResult('start in an existing folder', kept, node),
        startResult('start in a new folder', fresh, node),
        {
          target: 'P9',
          name: 'memory when idle',
          measured: median(idle),
          unit: 'MB',
          bound: { sense: 'at most', value: IDLE_MAX_MB },
          floor: `resident, ${idleAfterMs / 1000} s after the start`,
          rounds: idle,
          details: {},
        },
      ];
    } finally {
      await rm(keptDir, { recursive: true, force: true });
    }
  },
};

function startResult(name: string, startsMs: readonly number[], nodeMs: readonly number[]): Result {
  return {
    target: 'P9',
    name,
    measured: median(startsMs),
    unit: 'ms',
    bound: { sense: 'at most', value: START_MAX_MS },
    floor: `node -e 0: ${median(nodeMs).toFixed(0)} ms`,
    rounds: startsMs,
    details: { timesNode: median(startsMs) / median(nodeMs), bestMs: Math.min(...startsMs) },
  };
}

async function startOnce(dataDir?: string, idleForMs = 0): Promise<{ startedInMs: number; idleMB: number }> {
  const service = await startServiceProcess({
    program: 'bundle',
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  try {
    await pause(idleForMs);
    return { startedInMs: service.startedInMs, idleMB: residentBytes(service.pid) / MB };
  } finally {
    await service.stop();
  }
}

async function runNothing(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - began;
}
