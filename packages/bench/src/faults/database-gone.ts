/**
 * PostgreSQL restarts, and stops for a while, during syncs: every call returns in time with a success or 503, the
 * service survives and recovers soon after the database, and nothing acknowledged is lost.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgresServer, type PostgresServer, type ServiceProcess } from '@svc/testkit';
import { attempt, inWords } from './attempt.ts';
import { auditPerson } from './books.ts';
import { auditContents } from './contents.ts';
import type { Fault, FaultOptions } from './fault.ts';
import { browserOf, createPerson, newReport, type Person } from './people.ts';
import { mustTake, stepsLeft, take, type Step } from './steps.ts';
import { until } from './until.ts';
import { endServices, startService } from './service.ts';

const SYNCS_AT_ONCE = 4;
const BODY_BYTES = 20_000;
const OUTAGE_SHORT_MS = 10_000;
const OUTAGE_LONG_MS = 30_000;
/** A call may wait for a connection and then for a statement. */
const ANSWERED_WITHIN_MS = 16_000;
const RECOVERED_WITHIN_MS = 5000;
const NOT_READY_WITHIN_MS = 8000;
const BEFORE_MS = 1000;
const RETRIED_AFTER_MS = 100;

export const databaseGoneFault: Fault = {
  name: 'postgres',
  async run(options) {
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-faults-postgres-'));
    const postgres = await startPostgresServer({ durable: true });
    try {
      return await outagesOf(postgres, dataDir, options);
    } finally {
      await endServices();
      await postgres.remove();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

interface Seen {
  done: number;
  rejected: number;
  slowestMs: number;
  readonly problems: string[];
}

async function outagesOf(postgres: PostgresServer, dataDir: string, { program, short }: FaultOptions) {
  const environment = { DATABASE_URL: postgres.url };
  const options = { dataDir, program, environment };
  const service = await startService(options);
  const people: Person[] = [];
  for (let number = 0; number < SYNCS_AT_ONCE; number += 1) people.push(await createPerson(service));
  const seen: Seen = { done: 0, rejected: 0, slowestMs: 0, problems: [] };
  const over = new AbortController();
  const syncing = people.map((person) => syncOn(service, person, seen, over.signal));

  const outageMs = short ? OUTAGE_SHORT_MS : OUTAGE_LONG_MS;
  const writer = await createPerson(service);
  const restartedMs = await outage(service, writer, postgres, 0, seen);
  const returnedMs = service.alive() ? await outage(service, writer, postgres, outageMs, seen) : Number.NaN;
  over.abort();
  await Promise.all(syncing);
  if (!service.alive()) {
    return { checked: 'the service ended', problems: [...seen.problems, service.output()], details: {} };
  }

  for (const person of people) {
    for (const report of person.reports)
      await mustTake(stepsLeft(report), { actors: service, person, report });
    seen.problems.push(...(await auditPerson(service, person)));
  }
  const exitCode = await service.stop();
  if (exitCode !== 0) seen.problems.push(`the service ended with code ${exitCode} on SIGTERM`);
  seen.problems.push(...(await auditContents(dataDir, people, environment)));
  const { done, rejected, slowestMs, problems } = seen;
  return {
    checked: `PostgreSQL restarted, and stopped for ${outageMs / 1000} s, with ${SYNCS_AT_ONCE} parallel syncs: ready 503 and health 200 meanwhile, every call answered within ${ANSWERED_WITHIN_MS / 1000} s by a success or 503, recovered within ${RECOVERED_WITHIN_MS / 1000} s, nothing acknowledged lost`,
    problems,
    details: {
      done,
      rejected,
      slowestMs: Math.round(slowestMs),
      restartedMs: Math.round(restartedMs),
      returnedMs: Math.round(returnedMs),
    },
  };
}

/**
 * @returns milliseconds from the recovery of the database to the first successful write; NaN if none succeeds in time.
 */
async function outage(
  service: ServiceProcess,
  writer: Person,
  postgres: PostgresServer,
  lengthMs: number,
  { problems }: Seen,
): Promise<number> {
  const name = lengthMs === 0 ? 'restart' : 'outage';
  await pause(BEFORE_MS);
  await postgres.halt();
  if (lengthMs > 0) {
    const began = performance.now();
    const isUnready = async () => (await service.anonymous.api.getReady()).status === 503;
    if ((await until(NOT_READY_WITHIN_MS, isUnready)) === null)
      problems.push('GET /ready does not report the fault');
    if ((await service.anonymous.api.getHealth()).status !== 200)
      problems.push('GET /health does not return 200');
    await pause(Math.max(0, lengthMs - (performance.now() - began)));
  }
  await postgres.resume();
  const backMs = await until(RECOVERED_WITHIN_MS, async () => {
    const body = { name: 'Written again' };
    const came = await attempt((signal) => browserOf(service, writer).api.createWorkspace({ body, signal }));
    return came.kind === 'done';
  });
  if (backMs === null)
    problems.push(`${name}: no write succeeds within ${RECOVERED_WITHIN_MS} ms after recovery`);
  return backMs ?? Number.NaN;
}

/** Syncs one report after another; repeats rejected calls until they succeed. */
async function syncOn(actors: ServiceProcess, person: Person, seen: Seen, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const report = newReport(person, BODY_BYTES);
    for (const step of stepsLeft(report)) {
      const subject = { actors, person, report };
      while (!(await isDone(step, subject, seen)) && actors.alive()) await pause(RETRIED_AFTER_MS);
      if (!actors.alive()) {
        seen.problems.push('the service ended');
        return;
      }
    }
  }
}

async function isDone(step: Step, subject: Parameters<typeof take>[1], seen: Seen): Promise<boolean> {
  const began = performance.now();
  const came = await take(step, subject);
  const tookMs = performance.now() - began;
  seen.slowestMs = Math.max(seen.slowestMs, tookMs);
  if (tookMs > ANSWERED_WITHIN_MS) seen.problems.push(`${step} took ${tookMs.toFixed(0)} ms`);
  if (came.kind === 'done') {
    seen.done += 1;
    return true;
  }
  seen.rejected += 1;
  if (inWords(came) !== '503 INTERNAL') seen.problems.push(`${step} was ${inWords(came)}`);
  return false;
}
