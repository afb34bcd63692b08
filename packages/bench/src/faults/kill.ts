/**
 * kill -9 in each phase of a sync. Every cycle interrupts one call at one point, restarts the service, compares its
 * data with what was acknowledged, repeats the interrupted call and completes the report.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceProcess } from '@svc/testkit';
import { percentile } from '../harness/statistics.ts';
import { inWords } from './attempt.ts';
import { auditDatabaseFile, auditPerson } from './books.ts';
import { createChance, type Chance } from './chance.ts';
import { auditContents } from './contents.ts';
import type { Fault, FaultOptions } from './fault.ts';
import { interruptExchange } from './kill-exchange.ts';
import {
  beforeAnswer,
  beforeBlobSync,
  beforeSync,
  beforeWrite,
  moment,
  within,
  type Point,
} from './kill-points.ts';
import { interruptProgress } from './kill-progress.ts';
import { createPerson, newReport, type Person } from './people.ts';
import { mustTake, stepsLeft, syncSteps, take, type Step, type Subject } from './steps.ts';
import { whyNotTraceable } from './strace.ts';
import { endServices, startService } from './service.ts';

const READY_WITHIN_MS = 2000;
const READY_AT_ALL_WITHIN_MS = 6000;
/** On a machine so busy that Node itself starts slowly, the service may take this many times as long as a bare Node. */
const BARE_STARTS = 20;
/** Change the user after this many reports, because a list returns at most 200. */
const REPORTS_PER_PERSON = 40;
const BODY_BYTES = [3000, 60_000, 900_000];

interface Phase {
  readonly step: Step | 'exchange' | 'progress';
  readonly point: Point;
}

const steps: readonly Phase['step'][] = [
  'create',
  'progress',
  'intent',
  'put',
  'finalize',
  'delete',
  'exchange',
];
const phases: readonly Phase[] = [
  ...steps.flatMap((step) => [moment, beforeSync, beforeAnswer].map((point) => ({ step, point }))),
  ...[
    within('at a quarter', 0.25),
    within('half-way', 0.5),
    within('at three quarters', 0.75),
    beforeWrite,
    beforeBlobSync,
  ].map((point) => ({ step: 'put' as const, point })),
];

export const killFault: Fault = {
  name: 'kill',
  async run(options) {
    const untraceable = whyNotTraceable();
    if (untraceable !== null && process.env['CI']) return { skipped: untraceable };
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-faults-kill-'));
    try {
      return await cyclesIn(dataDir, options, untraceable);
    } finally {
      await endServices();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function cyclesIn(dataDir: string, options: FaultOptions, untraceable: string | null) {
  const chance = createChance(options.seed);
  const usable = phases.filter(({ point }) => untraceable === null || !point.needsTracing);
  const hits = new Map(usable.map((phase) => [nameOf(phase), 0]));
  const problems: string[] = [];
  const starts: Start[] = [];
  const people: Person[] = [];
  const processOptions = { dataDir, program: options.program };
  let service = await startService(processOptions);
  let order: Phase[] = [];

  for (let cycle = 0; cycle < options.cycles; cycle += 1) {
    if (order.length === 0) order = chance.shuffled(usable);
    const phase = order.pop();
    if (!phase) break;
    const complain = (found: readonly string[]) =>
      problems.push(...found.map((problem) => `cycle ${cycle}, ${nameOf(phase)}: ${problem}`));
    const current = people.at(-1);
    const person =
      current && current.reports.length < REPORTS_PER_PERSON ? current : await createPerson(service);
    if (person !== current) people.push(person);
    const resume = await interrupt(service, person, phase, chance);
    const isHit = !service.alive() || (await endedSoon(service));
    if (isHit) hits.set(nameOf(phase), (hits.get(nameOf(phase)) ?? 0) + 1);
    else service.signal('SIGKILL');
    await service.ended;

    const began = performance.now();
    service = await startService(processOptions);
    if ((await service.anonymous.api.getReady()).status !== 200)
      complain(['the service is not ready after its start']);
    const readyMs = performance.now() - began;
    const isLate = readyMs > READY_AT_ALL_WITHIN_MS && readyMs > BARE_STARTS * bareStartMs();
    starts.push({ after: nameOf(phase), readyMs, isLate });
    if (readyMs > 1500) complain(await auditPerson(service, person));
    complain(await resume(service));
    complain([...(await auditPerson(service, person)), ...auditDatabaseFile(dataDir)]);
  }

  for (const person of people) problems.push(...(await auditPerson(service, person)));
  await service.stop();
  problems.push(...(await auditContents(dataDir, people)));
  return outcome(options, untraceable, { hits, starts, problems });
}

interface Start {
  readonly after: string;
  readonly readyMs: number;
  readonly isLate: boolean;
}

function bareStartMs(): number {
  const began = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - began;
}

interface Seen {
  readonly hits: ReadonlyMap<string, number>;
  readonly starts: readonly Start[];
  readonly problems: readonly string[];
}

function outcome(
  { cycles, short }: FaultOptions,
  untraceable: string | null,
  { hits, starts, problems }: Seen,
) {
  const slowest = starts.toSorted((a, b) => b.readyMs - a.readyMs)[0];
  const slowestMs = slowest?.readyMs ?? Number.NaN;
  const p95Ms = percentile(
    starts.map(({ readyMs }) => readyMs),
    0.95,
  );
  const missed = [...hits].filter(([name, times]) => times === 0 && !name.endsWith(moment.name));
  // A few starts may be slow because of other load, but none because the service waits for something. A short run does
  // not check the percentile: it is the slowest start, and the machine may be busy.
  const late = [
    ...(!short && p95Ms > READY_WITHIN_MS
      ? [`the service took ${p95Ms.toFixed(0)} ms to be ready at the 95th percentile`]
      : []),
    ...starts
      .filter(({ isLate }) => isLate)
      .map(({ after, readyMs }) => `after ${after}, the service took ${readyMs.toFixed(0)} ms to be ready`),
  ];
  // A run with fewer cycles than phases skips some phases.
  const unreached =
    cycles < hits.size ? [] : missed.map(([name]) => `the service was never killed in the phase ${name}`);
  const without = untraceable === null ? '' : `; phases that need tracing were skipped, since ${untraceable}`;
  return {
    checked: `${cycles} kills over ${hits.size} phases; after each, the service is ready again, acknowledged data exists, units add up and the repeated call has the same result; at the end every blob has a row and is complete; the slowest start took ${slowestMs.toFixed(0)} ms, after ${slowest?.after}${without}`,
    problems: [...problems, ...late, ...unreached],
    details: {
      cycles,
      readyP95Ms: Math.round(p95Ms),
      slowestReadyMs: Math.round(slowestMs),
      ...Object.fromEntries(hits),
    },
  };
}

type Resume = (service: ServiceProcess) => Promise<string[]>;

/** Brings a report to the phase and interrupts it; resolves to a function that completes it after the restart. */
async function interrupt(
  service: ServiceProcess,
  person: Person,
  { step, point }: Phase,
  chance: Chance,
): Promise<Resume> {
  if (step === 'exchange') return interruptExchange(service, person, point, chance.next());
  if (step === 'progress') return interruptProgress(service, person, point, chance.next());
  const report = newReport(person, BODY_BYTES[chance.below(BODY_BYTES.length)] ?? 0);
  const subject: Subject = { actors: service, person, report };
  await mustTake(stepsBefore(step, chance), subject);
  await point.reach(service, {
    call: () => take(step, subject),
    upload: { id: report.uploadId ?? '', deviceToken: person.deviceToken, bytes: report.bytes },
    chance: chance.next(),
  });
  return async (actors) => {
    const again = { actors, person, report };
    if (step === 'delete') return resumeDelete(again);
    const problems: string[] = [];
    for (const next of report.pending === null ? [] : [step]) {
      const came = await take(next, again);
      if (came.kind !== 'done') problems.push(`the repeated ${next} was ${inWords(came)}`);
    }
    await mustTake(stepsLeft(report), again);
    return problems;
  };
}

/** The steps to take before the interrupted one. A delete follows a random step, to delete reports in every state. */
function stepsBefore(step: Step, chance: Chance): Step[] {
  if (step === 'delete') return syncSteps.slice(0, 1 + chance.below(syncSteps.length));
  return syncSteps.slice(0, syncSteps.indexOf(step));
}

async function resumeDelete(subject: Subject): Promise<string[]> {
  const came = await take('delete', subject);
  const isGone = came.kind === 'done' || (came.kind === 'rejected' && came.code === 'REPORT_EXPIRED');
  if (!isGone) return [`the repeated delete was ${inWords(came)}`];
  subject.report.deleted = true;
  subject.report.pending = null;
  return [];
}

async function endedSoon(service: ServiceProcess): Promise<boolean> {
  const waited = new Promise<false>((resolve) => {
    setTimeout(() => resolve(false), 50);
  });
  return Promise.race([service.ended.then(() => true), waited]);
}

function nameOf({ step, point }: Phase): string {
  return `${step} ${point.name}`;
}
