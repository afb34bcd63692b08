/** Prints the results of a run as text and as JSON. */
import { writeFileSync } from 'node:fs';
import type { MachineFacts } from '../harness/machine.ts';
import { passes, type FaultOptions, type FaultResult } from './fault.ts';

const PROBLEMS_SHOWN_MAX = 20;

export function printResult(result: FaultResult): void {
  const head = `${passes(result) ? '✓' : '✗'} ${result.name.padEnd(10)} ${result.seconds.toFixed(0).padStart(4)} s  `;
  if ('skipped' in result) {
    console.log(`${head}left out: ${result.skipped}`);
    return;
  }
  console.log(head + result.checked);
  for (const problem of result.problems.slice(0, PROBLEMS_SHOWN_MAX)) console.log(`    ✗ ${problem}`);
  if (result.problems.length > PROBLEMS_SHOWN_MAX)
    console.log(`    and ${result.problems.length - PROBLEMS_SHOWN_MAX} more`);
}

export function writeJson(
  file: string,
  machine: MachineFacts,
  options: FaultOptions,
  results: readonly FaultResult[],
): void {
  const judged = results.map((result) => ({ ...result, passed: passes(result) }));
  writeFileSync(file, `${JSON.stringify({ machine, ...options, results: judged }, null, 2)}\n`);
}
