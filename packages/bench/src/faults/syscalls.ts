/**
 * The k-th system call of a kind fails. One case for every file call of a sync (counted first): the sync runs while
 * that call fails, the failed request is repeated as a client would, and after a kill -9 everything acknowledged
 * exists.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceProcess } from '@svc/testkit';
import { inWords } from './attempt.ts';
import { auditDatabaseFile, auditPerson } from './books.ts';
import { createChance } from './chance.ts';
import { auditContents } from './contents.ts';
import type { Fault, FaultOptions } from './fault.ts';
import { createPerson, newReport, type Person } from './people.ts';
import { mustTake, syncSteps, take, type Subject } from './steps.ts';
import { trace, whyNotTraceable, type Threads } from './strace.ts';
import { endServices, startService } from './service.ts';

const SHORT_CASES = 14;
const BODY_BYTES = 30_000;
/** How often a case is tried until the failing call is one on a file. */
const TRIES_MAX = 3;
const ENDS_WITHIN_MS = 2000;

interface Kind {
  readonly calls: readonly string[];
  readonly threads: Exclude<Threads, 'all'>;
  readonly errors: readonly string[];
}

const kinds: readonly Kind[] = [
  { calls: ['fsync', 'fdatasync'], threads: 'main', errors: ['EIO', 'ENOSPC'] },
  { calls: ['pwrite64'], threads: 'main', errors: ['EIO', 'ENOSPC'] },
  { calls: ['openat'], threads: 'main', errors: ['EMFILE', 'EIO'] },
  { calls: ['fsync', 'fdatasync'], threads: 'files', errors: ['EIO', 'ENOSPC'] },
  { calls: ['write', 'writev'], threads: 'files', errors: ['EIO', 'ENOSPC'] },
  { calls: ['openat'], threads: 'files', errors: ['EMFILE', 'ENOSPC', 'EIO'] },
];

interface Case {
  readonly call: string;
  readonly threads: Kind['threads'];
  readonly error: string;
  /** The number of the call in its thread, from 1. */
  readonly when: number;
}

export const syscallFault: Fault = {
  name: 'syscalls',
  async run(options) {
    const untraceable = whyNotTraceable();
    if (untraceable !== null) return { skipped: untraceable };
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-faults-calls-'));
    try {
      return await casesIn(dataDir, options);
    } finally {
      await endServices();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function casesIn(dataDir: string, options: FaultOptions) {
  const start = () =>
    startService({
      dataDir,
      program: options.program,
      // One file I/O thread, so that its calls have a fixed order.
      environment: { UV_THREADPOOL_SIZE: '1' },
    });
  const all = await countedCases(start);
  const shuffled = createChance(options.seed).shuffled(all);
  const chosen = options.short ? sampled(shuffled) : all;
  const run: Run = { problems: [], people: [], rejections: 0, ends: 0, missed: 0 };
  let service = await start();
  for (const one of chosen) service = await tryCase(service, start, one, run);
  await service.stop();
  run.problems.push(...(await auditContents(dataDir, run.people)));
  const { problems, rejections, ends, missed } = run;
  if (missed > chosen.length / 5) problems.push(`${missed} of ${chosen.length} cases hit no file`);
  return {
    checked: `${chosen.length} of the ${all.length} cases in which one file call of a sync fails: never a false success, nothing charged that failed, the repeated call succeeds, everything exists after kill -9`,
    problems,
    details: { cases: chosen.length, casesInAll: all.length, rejections, ends, missed },
  };
}

/** A sample of each kind of call. */
function sampled(shuffled: readonly Case[]): Case[] {
  const byKind = Map.groupBy(shuffled, ({ call, threads }) => `${call} ${threads}`);
  const rounds = Array.from({ length: SHORT_CASES }, (_, round) =>
    [...byKind.values()].flatMap((some) => some[round] ?? []),
  );
  return rounds.flat().slice(0, SHORT_CASES);
}

/**
 * Traces syncs without failures. Each sync is the first one of its process, as in the fault cases, so its calls have
 * the same numbers.
 */
async function countedCases(start: () => Promise<ServiceProcess>): Promise<Case[]> {
  const cases: Case[] = [];
  for (const { calls, threads, errors } of kinds) {
    await using service = await start();
    const person = await createPerson(service);
    const tracing = await trace(service.pid, threads, calls);
    await mustTake(syncSteps, { actors: service, person, report: newReport(person, BODY_BYTES) });
    await tracing.detach();
    for (const call of calls) {
      const made = tracing.lines().filter((line) => line.startsWith(`${call}(`));
      for (const [index, line] of made.entries()) {
        if (!isOnFile(line)) continue;
        cases.push(...errors.map((error) => ({ call, threads, error, when: index + 1 })));
      }
    }
  }
  return cases;
}

/** Sockets and the wake-up descriptors of threads are not files. */
function isOnFile(line: string): boolean {
  return !/<(?:socket|pipe|anon_inode):/.test(line);
}

interface Seen {
  rejections: number;
  /** How often the service exited. */
  ends: number;
}

interface Run extends Seen {
  readonly problems: string[];
  readonly people: Person[];
  missed: number;
}

/** @returns the service that is running afterwards. */
async function tryCase(
  first: ServiceProcess,
  start: () => Promise<ServiceProcess>,
  one: Case,
  run: Run,
): Promise<ServiceProcess> {
  const { call, threads, error, when } = one;
  let service = first;
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const person = await createPerson(service);
    const subject: Subject = { actors: service, person, report: newReport(person, BODY_BYTES) };
    const injection = { calls: [call], effect: `error=${error}:when=${when}` };
    const tracing = await trace(service.pid, threads, [call], injection);
    const seen = { rejections: 0, ends: 0 };
    const problems = await syncUnder(subject, service, seen);
    await tracing.detach();
    const hit = tracing.lines().find((line) => line.includes('(INJECTED)'));
    const isJudged = hit !== undefined && isOnFile(hit);
    const output = service.output();
    service.signal('SIGKILL');
    await service.ended;
    service = await start();
    run.people.push(person);
    problems.push(...(await auditPerson(service, person)), ...auditDatabaseFile(service.dataDir));
    problems.push(...(await finish({ ...subject, actors: service })));
    problems.push(...(await auditPerson(service, person)));
    if (isJudged) {
      run.rejections += seen.rejections;
      run.ends += seen.ends;
      const name = `${call} ${when} on the ${threads} thread: ${error}`;
      run.problems.push(
        ...problems.map((problem) => `${name}: ${problem}\n      ${hit}\n      ${output.slice(-600)}`),
      );
      return service;
    }
  }
  run.missed += 1;
  return service;
}

/** The four calls; a failed one is repeated once. */
async function syncUnder(subject: Subject, service: ServiceProcess, seen: Seen): Promise<string[]> {
  for (const step of syncSteps) {
    const came = await take(step, subject);
    if (came.kind === 'done') continue;
    if (came.kind === 'lost') return endedSaying(service, seen);
    if (came.status < 500) return [`${step} was ${inWords(came)}, which blames the client`];
    seen.rejections += 1;
    const again = await take(step, subject);
    if (again.kind === 'lost') return endedSaying(service, seen);
    if (again.kind !== 'done') return [`the repeated ${step} was ${inWords(again)}`];
  }
  return [];
}

/** A service may exit if it logs the reason. */
async function endedSaying(service: ServiceProcess, seen: Seen): Promise<string[]> {
  const waited = new Promise<false>((resolve) => {
    setTimeout(() => resolve(false), ENDS_WITHIN_MS);
  });
  if ((await Promise.race([service.ended, waited])) === false)
    return ['a connection broke although the service is running'];
  seen.ends += 1;
  return service.output().trim() === '' ? ['the service ended without a log line'] : [];
}

/** Completes the sync after the restart. Returns what failed; nothing should. */
async function finish(subject: Subject): Promise<string[]> {
  const { report } = subject;
  for (const step of syncSteps) {
    const isDone =
      report.finalized ||
      (step === 'create' && report.reportId !== null) ||
      (step === 'intent' && report.uploadId !== null) ||
      (step === 'put' && report.received);
    if (isDone) continue;
    const came = await take(step, subject);
    if (came.kind !== 'done') return [`${step} after the restart was ${inWords(came)}`];
  }
  return [];
}
