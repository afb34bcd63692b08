/** P10: the time of `svc --help`, compared with an empty Node program. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Suite } from '../harness/result.ts';
import { interleave, medianOf, ratios } from '../harness/rounds.ts';
import { median } from '../harness/statistics.ts';

const TIMES_NODE_MAX = 1.25;
const program = path.join(import.meta.dirname, '../../../cli/dist/svc.mjs');

export const helpSuite: Suite = {
  name: 'help',
  async run({ smoke }) {
    // An empty home folder.
    const home = await mkdtemp(path.join(tmpdir(), 'svc-bench-help-'));
    try {
      const compared = await interleave(
        smoke ? 3 : 41,
        () => runMs([program, '--help'], home),
        () => runMs(['-e', '0'], home),
      );
      const rounds = ratios(compared, (tookMs) => tookMs);
      return [
        {
          target: 'P10',
          name: 'svc --help',
          measured: median(rounds),
          unit: '×',
          bound: { sense: 'at most', value: TIMES_NODE_MAX },
          floor: 'node -e 0',
          rounds,
          details: {
            helpMs: medianOf(compared.a, (tookMs) => tookMs),
            nodeMs: medianOf(compared.b, (tookMs) => tookMs),
            timesNodeAtBest: Math.min(...compared.a) / Math.min(...compared.b),
          },
        },
      ];
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};

async function runMs(args: readonly string[], home: string): Promise<number> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home };
  const began = performance.now();
  const child = spawn(process.execPath, args, { stdio: 'ignore', env });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with code ${code}`);
  return performance.now() - began;
}
