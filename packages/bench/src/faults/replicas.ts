/**
 * Three replicas under mixed load, while PostgreSQL, Redis and the object store fail and replicas are killed. Every
 * call returns the right response or an error that a client retries, and everything works soon after a fault. Nothing
 * acknowledged is lost, and nothing is charged twice.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startFaultyProxy, type Fault as StorageFault, type FaultyProxy } from '@svc/testkit/faulty-proxy';
import {
  startReplicas,
  startSharedStores,
  storesMissing,
  type Replicas,
  type SharedStores,
} from '@svc/testkit/replicas';
import { auditPerson } from './books.ts';
import { createChance, type Chance } from './chance.ts';
import { auditContents } from './contents.ts';
import type { Fault, FaultOptions } from './fault.ts';
import { createPerson, newReport, type Person } from './people.ts';
import { startLoad, type Load } from './replicas-load.ts';
import { requireRecovery } from './replicas-recovery.ts';
import { mustTake, stepsLeft, syncSteps, take, takeAgain, type Step, type Subject } from './steps.ts';

const LONG_MS = 10 * 60_000;
const OUTAGE_SHORT_MS = 1500;
const OUTAGE_LONG_MS = 8000;
const BETWEEN_MS = 500;
const REPLICAS = 3;
const BODY_BYTES = 200_000;
/** Longer than each of the calls takes, so that some kills come too late and change nothing. */
const KILLED_WITHIN_MS = 60;

export const replicasFault: Fault = {
  name: 'replicas',
  async run(options) {
    if (storesMissing()) return { skipped: 'install Ceph and Redis' };
    await using stores = await startSharedStores();
    const storage = await startFaultyProxy(stores.ceph.url);
    try {
      return await faultsOf(stores, storage, options);
    } finally {
      await storage.close();
    }
  },
};

interface Stage {
  readonly stores: SharedStores;
  readonly storage: FaultyProxy;
  readonly replicas: Replicas;
  /** The person whose calls are interrupted. */
  readonly person: Person;
  readonly chance: Chance;
  readonly outageMs: number;
  readonly problems: string[];
}

async function faultsOf(stores: SharedStores, storage: FaultyProxy, { seed, short, program }: FaultOptions) {
  const outageMs = short ? OUTAGE_SHORT_MS : OUTAGE_LONG_MS;
  const replicas = await startReplicas(stores, { program, addresses: { storage: storage.url } });
  const problems: string[] = [];
  let load: Load | undefined;
  try {
    load = await startLoad(replicas, problems);
    const person = await createPerson(replicas);
    const prober = await createPerson(replicas);
    const stage: Stage = {
      stores,
      storage,
      replicas,
      person,
      chance: createChance(seed),
      outageMs,
      problems,
    };
    // A short run has every fault once.
    const until = performance.now() + (short ? 0 : LONG_MS);
    let count = 0;
    const slowest: Record<string, number> = {};
    do {
      for (const { name, happen } of stage.chance.shuffled(faults)) {
        await happen(stage);
        count += 1;
        const recoveredMs = await requireRecovery(replicas, prober, name, problems);
        const figure = `recoveryMs: ${name}`;
        slowest[figure] = Math.max(slowest[figure] ?? 0, Math.round(recoveredMs));
        await pause(BETWEEN_MS);
      }
    } while (performance.now() < until);

    const people = [...(await load.stop()), person, prober];
    for (const one of people) {
      for (const report of one.reports)
        await mustTake(stepsLeft(report), { actors: replicas, person: one, report });
      problems.push(...(await auditPerson(replicas, one)));
    }
    const { done, excused } = load;
    problems.push(...(await auditStopped(replicas, people)));
    return {
      checked: `${count} faults of PostgreSQL, Redis, the bucket and ${REPLICAS} replicas under load: no wrong response, recovered within 5 s, nothing acknowledged lost, nothing charged twice`,
      problems,
      details: { faults: count, done: done(), excused: excused(), ...slowest },
    };
  } finally {
    await load?.stop();
    await replicas.close();
  }
}

interface NamedFault {
  readonly name: string;
  /** Returns when the fault is over. */
  happen(stage: Stage): Promise<void>;
}

const storageFaults: readonly StorageFault[] = ['hang', 'lose', 'cut', { status: 503, code: 'SlowDown' }];

const faults: readonly NamedFault[] = [
  {
    name: 'PostgreSQL restarted',
    async happen({ stores: { postgres } }) {
      await postgres.halt();
      await postgres.resume();
    },
  },
  {
    name: 'PostgreSQL stopped',
    async happen({ stores: { postgres }, outageMs }) {
      await postgres.halt();
      await pause(outageMs);
      await postgres.resume();
    },
  },
  {
    name: 'Redis killed',
    async happen({ stores: { redis }, outageMs }) {
      await redis.kill();
      await pause(outageMs);
      await redis.start();
    },
  },
  {
    name: 'Redis paused',
    async happen({ stores: { redis }, outageMs }) {
      redis.pause();
      await pause(outageMs);
      redis.resume();
    },
  },
  ...storageFaults.map((fault) => ({
    name: `bucket: ${JSON.stringify(fault)}`,
    async happen({ storage, outageMs }: Stage) {
      storage.fail(fault);
      await pause(outageMs);
      storage.recover();
    },
  })),
  ...[...syncSteps, 'delete' as const].map((step) => ({
    name: `kill -9 during ${step}`,
    happen: (stage: Stage) => killDuring(step, stage),
  })),
];

/** Kills the replica that performs a step, and then performs the step and the rest on the others. */
async function killDuring(step: Step, { replicas, person, chance }: Stage): Promise<void> {
  const report = newReport(person, BODY_BYTES);
  const index = chance.below(REPLICAS);
  const killed = replicas.at(index);
  const before = step === 'delete' ? syncSteps : syncSteps.slice(0, syncSteps.indexOf(step));
  await mustTake(before, { actors: replicas, person, report });
  const interrupted = take(step, { actors: killed, person, report });
  await pause(chance.below(KILLED_WITHIN_MS));
  killed.signal('SIGKILL');
  await killed.ended;
  await interrupted;
  // A restart by an orchestrator takes a while. Meanwhile the client repeats its call, which goes elsewhere.
  const rest: readonly Step[] = step !== 'delete' ? stepsLeft(report) : report.deleted ? [] : ['delete'];
  for (const each of rest) await repeat(each, { actors: replicas, person, report });
  await replicas.revive(index);
}

/** Repeats a call until it succeeds. */
async function repeat(step: Step, subject: Subject): Promise<void> {
  for (;;) {
    const came = await takeAgain(step, subject);
    if (came.kind === 'done') return;
    if (came.kind === 'rejected' && came.status < 500)
      throw new Error(`${step} should succeed, and was ${came.code}`);
    await pause(50);
  }
}

/** Kills all replicas, and checks what is stored. */
async function auditStopped(replicas: Replicas, people: readonly Person[]): Promise<string[]> {
  for (let index = 0; index < REPLICAS; index += 1) {
    replicas.at(index).signal('SIGKILL');
    await replicas.at(index).ended;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-faults-replicas-'));
  try {
    return await auditContents(dataDir, people, replicas.environment);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
