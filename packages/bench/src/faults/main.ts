/**
 * `npm run faults`: the real service as a separate process under faults of its environment.
 *
 * Exits with 0 if nothing was violated. A fault that is not possible on this machine is reported and skipped, except
 * if `CI` is set.
 */
import { MINUTE_MS } from '@svc/contract/durations';
import { randomInt } from 'node:crypto';
import { inspect } from 'node:util';
import { bundleExists } from '@svc/testkit';
import { optionsIn, refuse, wholeNumber } from '../harness/command-line.ts';
import { machineFacts } from '../harness/machine.ts';
import { printMachine } from '../harness/report.ts';
import { databaseGoneFault } from './database-gone.ts';
import { diskFault } from './disk.ts';
import { passes, type Fault, type FaultOptions, type FaultResult } from './fault.ts';
import { hostileFault } from './hostile.ts';
import { killFault } from './kill.ts';
import { powerCutFault } from './power-cut.ts';
import { printResult, writeJson } from './report.ts';
import { replicasFault } from './replicas.ts';
import { stopFault } from './stop.ts';
import { syscallFault } from './syscalls.ts';

const faults: readonly Fault[] = [
  killFault,
  syscallFault,
  powerCutFault,
  diskFault,
  databaseGoneFault,
  stopFault,
  replicasFault,
  hostileFault,
];

/** A run with at least this many cycles is a long one. */
const LONG_FROM_CYCLES = 100;
const FAULT_MAX_MS = 20 * MINUTE_MS;

const usage = `Usage: npm run faults -- [options]

Injects faults of the machine and checks that nothing is lost. Exits with 1 if something was.

  --only <fault>   only this fault; may be repeated
  --cycles <count> how often each fault happens; 200 by default. Fewer than ${LONG_FROM_CYCLES}: a short run
  --seed <number>  the same choices again
  --source         the sources rather than the bundle
  --json <file>    also writes the results
  --help           shows this text

Faults: ${faults.map(({ name }) => name).join(', ')}`;

const values = optionsIn(usage, {
  cycles: { type: 'string', default: '200' },
  seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  source: { type: 'boolean', default: false },
  json: { type: 'string' },
  only: { type: 'string', multiple: true, default: faults.map(({ name }) => name) },
});
const unknown = values.only.filter((wanted) => !faults.some(({ name }) => name === wanted));
if (unknown.length > 0)
  refuse(`No such fault: ${unknown.join(', ')}. Choose from: ${faults.map(({ name }) => name).join(', ')}.`);
const cycles = wholeNumber('cycles', values.cycles);
const options: FaultOptions = {
  program: bundleExists() && !values.source ? 'bundle' : 'source',
  seed: wholeNumber('seed', values.seed),
  cycles,
  short: cycles < LONG_FROM_CYCLES,
};

const facts = machineFacts();
printMachine(facts);
console.log(
  `${options.short ? 'Short' : 'Long'} run, seed ${options.seed}, against the ${options.program}\n`,
);
const results: FaultResult[] = [];
for (const fault of faults.filter(({ name }) => values.only.includes(name))) {
  const result = await runOne(fault);
  printResult(result);
  results.push(result);
}
if (values.json !== undefined) writeJson(values.json, facts, options, results);
const failed = results.filter((result) => !passes(result)).map(({ name }) => name);
console.log(
  failed.length === 0
    ? 'All held.'
    : `Failed: ${failed.join(', ')}. Again with: npm run faults -- --cycles ${cycles} --seed ${options.seed} ${failed.map((name) => `--only ${name}`).join(' ')}`,
);
// Does not wait for handles that a failed fault may have left open.
process.exit(failed.length === 0 ? 0 : 1);

async function runOne(fault: Fault): Promise<FaultResult> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const timeUp = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`It took longer than ${FAULT_MAX_MS} ms.`)), FAULT_MAX_MS).unref();
  });
  try {
    const outcome = await Promise.race([fault.run(options), timeUp]);
    return { name: fault.name, seconds: seconds(), ...outcome };
  } catch (error) {
    const problem = inspect(error);
    return {
      name: fault.name,
      seconds: seconds(),
      checked: 'it stopped with an error',
      problems: [problem],
      details: {},
    };
  }
}
