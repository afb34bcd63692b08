// `npm run mutants -- packages/report`: plants faults in the product and reports which ones the tests catch.
//
//   --count N     how many, drawn at random (50)        --seed N      which ones (1)
//   --list FILE   those of an earlier run instead       --write FILE  keeps the faults with their results
//   --seconds N   for each fault at most (150)          --resume      continues an interrupted run
//
// Two copies of the repository are built with all faults, each behind a switch that is off. The whole suite runs once,
// half of it in each copy, and records which test files reach which fault. Then the faults are switched on one by one,
// and the test files that reach them run, near and fast ones first, until the first test fails.
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { drawFaults, findAllAgain, type FaultList, type FaultResult } from './fault-list.ts';
import type { PlantedFault } from './plant.ts';
import { recordReached, type Reached } from './reached.ts';
import { printReport } from './report.ts';
import { runProgram } from './run-program.ts';
import { makeTree, treeAt } from './tree.ts';
import { tryFault } from './try-fault.ts';

const COPIES = [0, 1];
const BUILD_SECONDS_MAX = 900;

const root = path.join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '150' },
    list: { type: 'string' },
    write: { type: 'string' },
    resume: { type: 'boolean', default: false },
  },
});
const [folder = 'packages'] = positionals;
const work = path.join(root, '.cache/mutants');
const reachedFile = path.join(work, 'reached.json');
const resultsFile = path.join(work, 'results.ndjson');

const listed =
  values.list === undefined ? null : (JSON.parse(readFileSync(values.list, 'utf8')) as FaultList);
const wanted = listed
  ? findAllAgain(root, listed.faults, folder)
  : drawFaults(root, folder, Number(values.count), Number(values.seed));
const planted = wanted.flatMap((fault, index): PlantedFault[] =>
  fault ? [{ ...fault, number: index + 1 }] : [],
);
console.log(`${planted.length} faults in ${new Set(planted.map(({ file }) => file)).size} files.`);

const copies = COPIES.map((copy) => path.join(work, `copy-${copy}`));
const reached = values.resume ? readReached() : await prepare();
const results = values.resume ? readResults() : new Map<number, FaultResult>();
const queue = planted.filter(({ number }) => !results.has(number));
await Promise.all(copies.map(tryAll));

const faults = wanted.map((fault, index) => {
  const gone = listed?.faults[index];
  if (fault) return { ...fault, result: results.get(index + 1) ?? ('missed' as const) };
  if (!gone) throw new Error(`Fault ${index + 1} is neither in the sources nor in the list.`);
  return { ...gone, result: 'gone' as const };
});
printReport(faults);
if (values.write !== undefined) {
  const list: FaultList = { seed: Number(values.seed), faults };
  writeFileSync(values.write, `${JSON.stringify(list, null, 1)}\n`);
}
rmSync(work, { recursive: true, force: true });

/** Makes and builds the copies, and runs the suite in them without any fault. */
async function prepare(): Promise<Reached> {
  rmSync(work, { recursive: true, force: true });
  for (const copy of copies) {
    const tree = makeTree(root, copy, planted);
    const words = ['scripts/prepare.mjs', '--build', '--build=cli'];
    if ((await runProgram(tree, words, BUILD_SECONDS_MAX)) !== 0)
      throw new Error(`The copy could not be built; its output is in ${tree.outputFile}.`);
  }
  const began = performance.now();
  const found = await recordReached(copies.map(treeAt));
  console.log(`The suite ran in ${secondsSince(began)} s.`);
  if (found.failed.length > 0) console.log(`Left out, since they fail in a copy: ${found.failed.join(', ')}`);
  const kept = { files: [...found.files].map(([number, files]) => [number, [...files]]) };
  writeFileSync(
    reachedFile,
    JSON.stringify({ ...kept, seconds: [...found.secondsOf], failed: found.failed }),
  );
  return found;
}

function readReached(): Reached {
  const kept = JSON.parse(readFileSync(reachedFile, 'utf8')) as {
    files: [number, string[]][];
    seconds: [string, number][];
    failed: string[];
  };
  const files = new Map(kept.files.map(([number, names]) => [number, new Set(names)]));
  return { files, secondsOf: new Map(kept.seconds), failed: kept.failed };
}

function readResults(): Map<number, FaultResult> {
  if (!existsSync(resultsFile)) return new Map();
  const lines = readFileSync(resultsFile, 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => JSON.parse(line) as [number, FaultResult]));
}

async function tryAll(copy: string): Promise<void> {
  const tree = treeAt(copy);
  for (let fault = queue.shift(); fault; fault = queue.shift()) {
    const began = performance.now();
    const result = await tryFault(tree, fault, reached, Number(values.seconds));
    results.set(fault.number, result);
    appendFileSync(resultsFile, `${JSON.stringify([fault.number, result])}\n`);
    const { kind, file, line, lineText } = fault;
    const took = `${secondsSince(began)} s`.padStart(6);
    console.log(`${result.padEnd(9)} ${took}  ${kind.padEnd(9)} ${file}:${line}  ${lineText.slice(0, 80)}`);
  }
}

function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 1000);
}
