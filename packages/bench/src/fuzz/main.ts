/**
 * `npm run fuzz`: the real service, as a process of its own, under malformed requests.
 *
 * Ends with code 0 when every response passes checks.ts, `health` stays fast, and the service is alive
 * at the end and stops cleanly.
 */
import { MINUTE_MS } from '@svc/contract/durations';
import { randomInt } from 'node:crypto';
import { BILLING_SECRET, bundleExists, startServiceProcess } from '@svc/testkit';
import { optionsIn, wholeNumber } from '../harness/command-line.ts';
import { startFloorProcess } from '../harness/floor-process.ts';
import { startProbe, type Probe, type ProbeResult } from '../harness/probe.ts';
import { printFailure, printLatency, printTally } from './report.ts';
import { run } from './run.ts';
import { totalSent } from './tally.ts';
import { ADMINISTRATOR, SETUP_TOKEN } from './world.ts';

const HEALTH_P99_MAX_MS = 100;
/** On a busy machine a bare server is slow too; then the service may take this many times as long. */
const FLOOR_TIMES_MAX = 4;
/**
 * In a shorter run, the 99th percentile is one or two disturbed responses, such as those while the code is still cold.
 */
const JUDGED_FROM_SECONDS = 30;
const RUN_MAX_MS = 20 * MINUTE_MS;

const usage = `Usage: npm run fuzz -- [options]

Sends malformed requests to the service and checks every response. Exits with 1 if a check failed.

  --requests <count> how many requests; 200,000 by default
  --seed <number>    the same requests again
  --source           the sources rather than the bundle
  --help             shows this text`;

const values = optionsIn(usage, {
  requests: { type: 'string', default: '200000' },
  seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  source: { type: 'boolean', default: false },
});
const requests = wholeNumber('requests', values.requests);
const seed = wholeNumber('seed', values.seed);
const program = bundleExists() && !values.source ? 'bundle' : 'source';
console.log(`${requests} requests, seed ${seed}, against the ${program}`);

const floor = await startFloorProcess();
// Streams end after a second, because the fuzzer reads each response to its end.
const environment = {
  SSE_MAX_STREAM_MS: '1000',
  PLATFORM_ADMIN_EMAIL: ADMINISTRATOR,
  SVC_SETUP_TOKEN: SETUP_TOKEN,
  BILLING_WEBHOOK_SECRET: BILLING_SECRET,
};
const service = await startServiceProcess({ program, generousThrottles: true, environment });
let exitCode: number | null = null;
const { tally, seconds, latency, floorLatency, aliveAtEnd } = await attackAndStop();

for (const failure of tally.failures.values()) printFailure(failure, seed);
printTally(tally, seconds);
printLatency('health meanwhile', latency);
printLatency('a bare server meanwhile', floorLatency);
const complaints = complain(latency, Math.max(HEALTH_P99_MAX_MS, FLOOR_TIMES_MAX * floorLatency.p99Ms));
for (const complaint of complaints) console.log(`✗ ${complaint}`);
if (complaints.length > 0 && service.output() !== '')
  console.log(`\nThe end of the service's output:\n${service.output()}`);
console.log(
  complaints.length === 0
    ? '\nAll held.'
    : `\nFailed. Again with: npm run fuzz -- --requests ${requests} --seed ${seed}`,
);
process.exitCode = complaints.length === 0 ? 0 : 1;

async function attackAndStop() {
  try {
    return await attack();
  } finally {
    exitCode = await service.stop();
    await floor.stop();
  }
}

async function attack() {
  let began = 0;
  const probes: Probe[] = [];
  const done = await run({
    port: service.port,
    url: service.url,
    requests,
    seed,
    deadlineMs: performance.now() + RUN_MAX_MS,
    alive: service.alive,
    onReady() {
      began = performance.now();
      probes.push(startProbe(service.port), startProbe(floor.port));
    },
    onProgress: (so) => console.error(`${totalSent(so)} of ${requests}`),
  });
  const spentMs = performance.now() - began;
  const [ofService, ofFloor] = await Promise.all(probes.map((probe) => probe.stop()));
  if (!ofService || !ofFloor) throw new Error('Health was never requested.');
  return {
    tally: done,
    seconds: spentMs / 1000,
    latency: ofService,
    floorLatency: ofFloor,
    aliveAtEnd: service.alive() && (await answersHealth(service.url)),
  };
}

function complain({ p99Ms, failed }: ProbeResult, p99MaxMs: number): string[] {
  // Not `>=`: without any response it is NaN.
  const isSlow = seconds >= JUDGED_FROM_SECONDS && !(p99Ms < p99MaxMs);
  const slowness = `health took ${p99Ms.toFixed(1)} ms at the 99th percentile; the limit is ${p99MaxMs.toFixed(0)} ms`;
  return [
    ...(tally.failed > 0 ? [`${tally.failed} requests were answered incorrectly`] : []),
    ...(totalSent(tally) < requests ? [`only ${totalSent(tally)} of ${requests} requests were sent`] : []),
    ...(failed > 0 ? [`GET /health got no response ${failed} times`] : []),
    ...(isSlow ? [slowness] : []),
    ...(aliveAtEnd ? [] : ['the service was not alive at the end']),
    ...(exitCode === 0 ? [] : [`the service ended with code ${exitCode} on SIGTERM`]),
  ];
}

async function answersHealth(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/v1/health`)).status === 200;
  } catch {
    return false;
  }
}
