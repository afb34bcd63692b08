/**
 * `npm run bench`: measures the built service and CLI against its targets, beside a floor in the same run.
 *
 * Ends with code 1 when a target is missed, or something became slower than in a stored run; with `--smoke`, only when
 * something does not work.
 */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { optionsIn, refuse } from './harness/command-line.ts';
import { removeSuiteFolders } from './harness/folders.ts';
import { machineFacts } from './harness/machine.ts';
import { printDetails, printMachine, printSlower, printTable, writeJson } from './harness/report.ts';
import { passes, type Result, type Suite } from './harness/result.ts';
import { capacitySuite } from './suites/capacity.ts';
import { readStoredRun, slowerThan } from './harness/stored-run.ts';
import { commitsSuite } from './suites/commits.ts';
import { decisionsSuite } from './suites/decisions.ts';
import { endingsSuite } from './suites/endings.ts';
import { exportsSuite } from './suites/exports.ts';
import { helpSuite } from './suites/help.ts';
import { neighboursSuite } from './suites/neighbours.ts';
import { progressSuite } from './suites/progress.ts';
import { projectionsSuite } from './suites/projections.ts';
import { readsSuite } from './suites/reads.ts';
import { renderingsSuite } from './suites/renderings.ts';
import { requestsSuite } from './suites/requests.ts';
import { scalePostgresSuite, scaleSuite } from './suites/scale.ts';
import { secrecySuite } from './suites/secrecy.ts';
import { secretSearchSuite } from './suites/secret-search.ts';
import { startSuite } from './suites/start.ts';
import { streamsSuite } from './suites/streams.ts';
import { syncsSuite } from './suites/syncs.ts';
import { uploadHealthSuite } from './suites/upload-health.ts';
import { uploadsSuite } from './suites/uploads.ts';
import { workspaceFindingsSuite } from './suites/workspace-findings.ts';

const suites: readonly Suite[] = [
  startSuite,
  helpSuite,
  requestsSuite,
  commitsSuite,
  readsSuite,
  projectionsSuite,
  exportsSuite,
  renderingsSuite,
  neighboursSuite,
  endingsSuite,
  uploadsSuite,
  uploadHealthSuite,
  syncsSuite,
  progressSuite,
  streamsSuite,
  decisionsSuite,
  workspaceFindingsSuite,
  scaleSuite,
  scalePostgresSuite,
  capacitySuite,
  secrecySuite,
  secretSearchSuite,
];

const usage = `Usage: npm run bench -- [options]

Measures the built service and CLI against their targets. Exits with 1 if a target was missed.

  --only <suite>     only this suite; may be repeated
  --smoke            shows that the suites work, and judges nothing
  --distributed      on PostgreSQL, a bucket and Redis
  --json <file>      also writes each round, and facts about the machine
  --against <file>   also says what became slower than in a run that --json wrote; for secret-search, the folder of
                     another checkout
  --profile <folder> writes CPU profiles of the service there
  --help             shows this text

Suites: ${suites.map(({ name }) => name).join(', ')}`;

const values = optionsIn(usage, {
  smoke: { type: 'boolean', default: false },
  json: { type: 'string' },
  profile: { type: 'string' },
  against: { type: 'string' },
  distributed: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true },
});
const offered = values.distributed ? suites.filter((suite) => suite.supportsDistributed) : suites;
const wanted = values.only ?? offered.map(({ name }) => name);
const unknown = wanted.filter((each) => !offered.some(({ name }) => name === each));
if (unknown.length > 0) {
  refuse(
    `No such suite${values.distributed ? ' in distributed mode' : ''}: ${unknown.join(', ')}. There are: ${offered.map(({ name }) => name).join(', ')}.`,
  );
}

const other = values.against === undefined ? null : statSync(values.against, { throwIfNoEntry: false });
if (other === undefined) refuse(`--against ${values.against}: there is no such file or folder.`);
if (other?.isDirectory() && !wanted.includes(secretSearchSuite.name))
  refuse(`Only the suite ${secretSearchSuite.name} compares with a folder. Name a file that --json wrote.`);
const stored = other?.isFile() && values.against !== undefined ? readStoredRun(values.against) : null;
const against = stored ? undefined : values.against;

const prepare = path.join(import.meta.dirname, '../../../scripts/prepare.mjs');
if (wanted.some((each) => each !== secretSearchSuite.name))
  execFileSync(process.execPath, [prepare, '--build', '--build=cli'], { stdio: 'inherit' });

const facts = machineFacts();
printMachine(facts);
const results: Result[] = [];
const options = {
  smoke: values.smoke,
  profileFolder: values.profile,
  isDistributed: values.distributed,
  against,
};
try {
  for (const suite of offered.filter(({ name }) => wanted.includes(name))) {
    const began = performance.now();
    results.push(
      ...(await suite.run(options)).map((result) => (values.distributed ? onlyLookedAt(result) : result)),
    );
    console.error(`${suite.name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
} finally {
  await removeSuiteFolders();
}
printTable(results);
printDetails(results);
const slower = stored ? slowerThan(stored, results) : [];
if (stored) printSlower(slower);
if (values.json !== undefined) writeJson(values.json, facts, values.smoke, results);
if (values.smoke) console.log('\nIt works. A smoke run has no targets.');
else process.exitCode = slower.length > 0 || results.some((result) => passes(result) === false) ? 1 : 0;

/** A figure of distributed mode: the targets and the floors are those of embedded mode. */
function onlyLookedAt(result: Result): Result {
  return { ...result, name: `${result.name}, distributed`, bound: null };
}
