// Runs the test files that reach a fault.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FaultResult } from './fault-list.ts';
import type { PlantedFault } from './plant.ts';
import type { Reached } from './reached.ts';
import { runTests } from './run-program.ts';
import type { Tree } from './tree.ts';

/**
 * The expected duration of the first group of files. Each further group takes four times as long, because most faults
 * are caught within seconds.
 */
const FIRST_SECONDS = 20;

export async function tryFault(
  tree: Tree,
  fault: PlantedFault,
  { files, secondsOf }: Reached,
  secondsMax: number,
): Promise<FaultResult> {
  const secondsFor = (file: string) => secondsOf.get(file) ?? 1;
  const waiting = [...(files.get(fault.number) ?? [])].toSorted(
    (one, other) => closeness(other, fault) - closeness(one, fault) || secondsFor(one) - secondsFor(other),
  );
  if (waiting.length === 0) return 'unreached';
  writeFileSync(path.join(tree.switchFolder, 'active'), String(fault.number));
  const endsAt = performance.now() + secondsMax * 1000;
  for (let together = FIRST_SECONDS; waiting.length > 0; together *= 4) {
    const some: string[] = [];
    for (let sum = 0; waiting.length > 0 && sum < together;) {
      const next = waiting.shift() ?? '';
      sum += secondsFor(next);
      some.push(next);
    }
    const leftSeconds = (endsAt - performance.now()) / 1000;
    const code = await runTests(tree, ['--bail=1', ...some], Math.max(1, leftSeconds));
    if (code === null) return 'late';
    if (code !== 0) return 'caught';
  }
  return 'missed';
}

/** How many folders a test file shares with the fault: the nearest tests are the likeliest to catch it. */
function closeness(file: string, fault: PlantedFault): number {
  const own = fault.file.split('/');
  return file.split('/').findIndex((part, index) => part !== own[index]);
}
