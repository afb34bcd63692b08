/**
 * Twenty hostile bodies of the maximum size in parallel, with 512 MiB for the service: each is rejected with its own
 * error or with 429, other clients do not wait, and the memory is freed.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '@svc/contract';
import type { ServiceProcess } from '@svc/testkit';
import { startFloorProcess } from '../harness/floor-process.ts';
import { peakResidentBytes, residentBytes } from '../harness/process-usage.ts';
import { startProbe } from '../harness/probe.ts';
import { attempt, inWords, type Attempt } from './attempt.ts';
import { auditPerson } from './books.ts';
import { auditContents } from './contents.ts';
import type { Fault, FaultOptions } from './fault.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { confine } from './memory-limit.ts';
import { createPerson, deviceOf, newReport, type Person } from './people.ts';
import { sendSlowly } from './slow-upload.ts';
import { mustTake, stepsLeft } from './steps.ts';
import { until } from './until.ts';
import { endServices, startService } from './service.ts';

const UPLOADS = 20;
const SLOW_EACH = 5;
const MEMORY_MAX_BYTES = 512 * 1024 * 1024;
/**
 * Allowed growth since the first upload: less than the bodies of one volley. A used process keeps some 80 to 150 MiB
 * of heap and code, which neither more volleys nor ordinary reports increase.
 */
const MEMORY_KEPT_MAX_BYTES = 192 * 1024 * 1024;
const RETURNED_WITHIN_MS = 30_000;
/**
 * The service reads a bounded part of what a client still sends after a rejection, and then closes: some clients that
 * do not wait for `100 Continue` lose the response and must retry.
 */
const LOST_PART_MAX = 0.1;
const HEALTH_P99_MAX_MS = 100;
/** If a bare server is as slow as this, the machine is busy. */
const FLOOR_P99_CALM_MS = 50;
/** So few volleys give too few responses to judge a percentile. */
const VOLLEYS_SHORT = 2;
const VOLLEYS_LONG = 8;
/** Twenty checks of 12 MiB take two minutes on a machine that is busy with other things. */
const REJECTED_WITHIN_MS = 180_000;
const MIB = 1024 * 1024;

export const hostileFault: Fault = {
  name: 'hostile',
  async run(options) {
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-faults-hostile-'));
    try {
      return await volleysAt(dataDir, options);
    } finally {
      await endServices();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

interface Seen {
  readonly codes: Map<string, number>;
  readonly problems: string[];
}

async function volleysAt(dataDir: string, { program, short }: FaultOptions) {
  const service = await startService({
    dataDir,
    program,
  });
  const floor = await startFloorProcess();
  const confinement = confine(service.pid, MEMORY_MAX_BYTES);
  const seen: Seen = { codes: new Map(), problems: [] };
  const { problems } = seen;
  const people = [await createPerson(service), await createPerson(service), await createPerson(service)];
  const probes = [startProbe(service.port), startProbe(floor.port)];
  const beforeBytes = residentBytes(service.pid);
  const volleys = short ? VOLLEYS_SHORT : VOLLEYS_LONG;
  for (let number = 0; number < volleys; number += 1) {
    // Twenty from one user, then from several.
    const some = number % 2 === 0 ? people.slice(0, 1) : people;
    await volley(service, some, seen);
  }
  const [health, bare] = await Promise.all(probes.map((probe) => probe.stop()));
  await floor.stop();

  if (!service.alive()) problems.push(`the service ended: ${service.output()}`);
  const rateLimited = seen.codes.get('429 RATE_LIMITED') ?? 0;
  const lost = seen.codes.get('lost') ?? 0;
  if (lost > volleys * UPLOADS * LOST_PART_MAX) problems.push(`${lost} uploads got no response`);
  if (rateLimited === 0) problems.push('no upload was rejected with 429');
  if (health && health.failed > 0) problems.push(`GET /health got no response ${health.failed} times`);
  const p99MaxMs = Math.max(
    HEALTH_P99_MAX_MS,
    (bare?.p99Ms ?? 0) > FLOOR_P99_CALM_MS ? 2 * (bare?.p99Ms ?? 0) : 0,
  );
  if (!short && !((health?.p99Ms ?? Number.NaN) <= p99MaxMs))
    problems.push(`health took ${health?.p99Ms.toFixed(0)} ms at the 99th percentile`);
  const peakBytes = service.alive() ? peakResidentBytes(service.pid) : Number.NaN;
  if (peakBytes > MEMORY_MAX_BYTES) problems.push(`it took ${(peakBytes / MIB).toFixed(0)} MiB`);
  const afterBytes = () => residentBytes(service.pid);
  const keptBytes = () => afterBytes() - beforeBytes;
  const returnedMs = await until(RETURNED_WITHIN_MS, async () => keptBytes() <= MEMORY_KEPT_MAX_BYTES);
  if (returnedMs === null)
    problems.push(
      `the service keeps ${(keptBytes() / MIB).toFixed(0)} MiB more than before the first upload`,
    );

  for (const person of people) {
    const report = newReport(person, 50_000);
    await mustTake(stepsLeft(report), { actors: service, person, report });
    problems.push(...(await auditPerson(service, person)));
  }
  const remembered = Math.round(afterBytes() / MIB);
  await service.stop();
  confinement.lift();
  problems.push(...(await auditContents(dataDir, people)));
  return {
    checked: `${volleys} times ${UPLOADS} parallel hostile uploads of 12 MiB in 512 MiB${confinement.isEnforced ? '' : ' (watched, not enforced)'}: each rejected with its own error or with 429, health p99 ${health?.p99Ms.toFixed(0)} ms (a bare server ${bare?.p99Ms.toFixed(0)} ms), the memory is freed, nothing is charged or left behind`,
    problems,
    details: {
      ...Object.fromEntries(seen.codes),
      healthP99Ms: Math.round(health?.p99Ms ?? Number.NaN),
      bareP99Ms: Math.round(bare?.p99Ms ?? Number.NaN),
      peakMiB: Math.round(peakBytes / MIB),
      afterMiB: remembered,
    },
  };
}

async function volley(service: ServiceProcess, people: readonly Person[], seen: Seen): Promise<void> {
  // All bodies are made first: a request that waits for them in this process would look like a slow client.
  const made = Array.from({ length: UPLOADS }, (_, index) => {
    const person = people[index % people.length];
    if (!person) throw new Error('there is no sender');
    return hostileReport(person, index);
  });
  const sent = await Promise.all(made.map((each) => declared(service, each)));
  await Promise.all(
    sent.map(async ({ person, uploadId, bytes, name }, index) => {
      if (index % SLOW_EACH === 0) {
        count(seen, `slow ${await sendSlowly(service.port, uploadId, person.deviceToken, bytes)}`);
        return;
      }
      const came = await attempt(
        (signal) => deviceOf(service, person).api.uploadReport({ params: { uploadId }, bytes, signal }),
        REJECTED_WITHIN_MS,
      );
      count(seen, came.kind === 'lost' ? 'lost' : inWords(came));
      const problem = problemOf(came);
      if (problem !== null) seen.problems.push(`${name} ${problem}`);
    }),
  );
}

function hostileReport(person: Person, index: number) {
  const report = newReport(person, 1000);
  const { name, bytes } = hostileBodies(report.localReportId, index, limits.reportBytesMaxDefault);
  return { person, report, name, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function declared(service: ServiceProcess, made: ReturnType<typeof hostileReport>) {
  const { person, report, bytes, sha256 } = made;
  await mustTake(['create'], { actors: service, person, report });
  const came = await attempt((signal) =>
    deviceOf(service, person).api.createUploadIntent({
      params: { id: report.reportId ?? '' },
      body: { sha256, byteLength: bytes.length },
      signal,
    }),
  );
  if (came.kind !== 'done')
    throw new Error(`declaring the upload should succeed, but the outcome was ${inWords(came)}`);
  return { ...made, uploadId: came.body.uploadId };
}

function problemOf(came: Attempt): string | null {
  if (came.kind === 'done') return 'was taken';
  if (came.kind === 'lost') return null;
  if (came.status === 429) return came.retryAfterMs === null ? '429 without Retry-After' : null;
  return came.status === 400 || came.status === 422 ? null : `was ${inWords(came)}`;
}

function count({ codes }: Seen, name: string): void {
  codes.set(name, (codes.get(name) ?? 0) + 1);
}
