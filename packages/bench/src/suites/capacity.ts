/**
 * What each piece of work costs: processor time of the service and of each engine, statements, calls and stored bytes,
 * in embedded and in distributed mode. Also prints what that means for a million people.
 */
import { randomBytes } from 'node:crypto';
import { storesMissing } from '@svc/testkit/replicas';
import { readCalls, type Calls } from '../harness/calls.ts';
import { workOff } from '../harness/load.ts';
import {
  startDistributed,
  startEmbedded,
  type Mode,
  type ProcessorTimes,
  type Stored,
} from '../harness/modes.ts';
import type { Result, Suite } from '../harness/result.ts';
import { median } from '../harness/statistics.ts';
import { printModel, type Cost, type Costs } from './capacity-model.ts';
import {
  environmentOfStreams,
  prepareWorkload,
  workNames,
  type Work,
  type WorkName,
  type Workload,
} from './capacity-work.ts';

const IDLE_MS = 5000;

export const capacitySuite: Suite = {
  name: 'capacity',
  async run({ smoke }) {
    if (storesMissing()) {
      console.error('capacity: needs redis-server and radosgw; skipped.');
      return [];
    }
    const costs: Costs[] = [];
    for (const start of [startEmbedded, startDistributed]) costs.push(await measureMode(start, smoke));
    const [embedded, distributed] = costs;
    if (!embedded || !distributed) throw new Error('Both modes must be measured.');
    printModel(embedded, distributed);
    return (Object.keys(workNames) as WorkName[]).map((name) => resultOf(name, embedded, distributed));
  },
};

/**
 * Counting costs processor time, so one service counts its calls, and the time of another service is measured. In a
 * smoke run one service does both.
 */
async function measureMode(start: typeof startEmbedded, smoke: boolean): Promise<Costs> {
  const token = randomBytes(24).toString('hex');
  const counting = { ...environmentOfStreams, METRICS_TOKEN: token };
  if (smoke) {
    await using mode = await start(counting);
    return await costsOf(mode, await callsOfWorks(mode, token, 5), smoke);
  }
  let calls: CallsOfWorks;
  {
    await using mode = await start(counting);
    calls = await callsOfWorks(mode, token, 21);
  }
  await using mode = await start(environmentOfStreams);
  return await costsOf(mode, calls, smoke);
}

type CallsOfWorks = Readonly<Partial<Record<WorkName, Calls>>>;

async function callsOfWorks(mode: Mode, token: string, samples: number): Promise<CallsOfWorks> {
  const workload = await prepareWorkload(mode.service, true);
  const calls: Partial<Record<WorkName, Calls>> = {};
  for (const work of workload.works) calls[work.name] = await callsOfOne(mode, work, token, samples);
  await workload.close();
  return calls;
}

async function costsOf(mode: Mode, calls: CallsOfWorks, smoke: boolean): Promise<Costs> {
  const workload = await prepareWorkload(mode.service, smoke);
  const idle = await idlePerSecond(mode, smoke);
  const works: Partial<Record<WorkName, Cost>> = {};
  for (const work of workload.works) {
    await doAll(mode, work);
    const rounds: ProcessorTimes[] = [];
    for (let round = 0; round < (smoke ? 1 : 3); round += 1) rounds.push(await timesOf(mode, work, idle));
    const processor = mapTimes(({ of }) => median(rounds.map(of)));
    works[work.name] = { calls: calls[work.name] ?? noCalls, processor };
  }
  const stored = await storedPerReport(mode, workload);
  await workload.close();
  return { mode: mode.name, stored, idle, works: works as Costs['works'] };
}

const noCalls: Calls = { statements: 0, transactions: 0, blobs: 0, counters: 0 };

function doAll({ service: { pid } }: Mode, work: Work) {
  return workOff({ pid, clients: work.clients, count: work.count, work: (_, client) => work.do(client) });
}

/** The processor time in milliseconds for each second without requests. The engines work a little then, too. */
async function idlePerSecond(mode: Mode, smoke: boolean): Promise<ProcessorTimes> {
  const before = mode.processorTimes();
  const began = performance.now();
  await new Promise((resolve) => {
    setTimeout(resolve, smoke ? IDLE_MS / 10 : IDLE_MS);
  });
  const after = mode.processorTimes();
  const seconds = (performance.now() - began) / 1000;
  return mapTimes(({ of }) => (of(after) - of(before)) / seconds);
}

/** The processor time for one piece of work, without what the service and the engines use when they are idle. */
async function timesOf(mode: Mode, work: Work, idle: ProcessorTimes): Promise<ProcessorTimes> {
  const before = mode.processorTimes();
  const began = performance.now();
  await doAll(mode, work);
  const seconds = (performance.now() - began) / 1000;
  const after = mode.processorTimes();
  return mapTimes(({ of }) => Math.max(0, of(after) - of(before) - of(idle) * seconds) / work.count);
}

interface Part {
  of(times: ProcessorTimes): number;
}

function mapTimes(figure: (part: Part) => number): ProcessorTimes {
  const of = (name: keyof ProcessorTimes) => figure({ of: (times) => times[name] });
  return { service: of('service'), postgres: of('postgres'), storage: of('storage'), redis: of('redis') };
}

/** The most frequent difference, so that the service's own jobs and probes between two readings do not count. */
async function callsOfOne(mode: Mode, work: Work, token: string, samples: number): Promise<Calls> {
  const seen = new Map<string, number>();
  await doAll(mode, work);
  let before = await readCalls(mode.service.url, token);
  for (let sample = 0; sample < samples; sample += 1) {
    await work.do(0);
    const after = await readCalls(mode.service.url, token);
    const difference = JSON.stringify(differenceOf(after, before));
    seen.set(difference, (seen.get(difference) ?? 0) + 1);
    before = after;
  }
  const [[most] = ['{}']] = [...seen].toSorted(([, one], [, other]) => other - one);
  return JSON.parse(most) as Calls;
}

function differenceOf(after: Calls, before: Calls): Calls {
  const of = (name: keyof Calls) => after[name] - before[name];
  return {
    statements: of('statements'),
    transactions: of('transactions'),
    blobs: of('blobs'),
    counters: of('counters'),
  };
}

/** Measures the growth during two more rounds of syncs, so that the empty database does not count. */
async function storedPerReport(mode: Mode, workload: Workload): Promise<Stored> {
  const [syncs] = workload.works;
  if (!syncs) throw new Error('There are no syncs.');
  const [before, syncedBefore] = [await mode.stored(), workload.synced()];
  await doAll(mode, syncs);
  await doAll(mode, syncs);
  const [after, count] = [await mode.stored(), workload.synced() - syncedBefore];
  return {
    databaseBytes: (after.databaseBytes - before.databaseBytes) / count,
    blobBytes: (after.blobBytes - before.blobBytes) / count,
  };
}

function resultOf(name: WorkName, embedded: Costs, distributed: Costs): Result {
  const [a, b] = [distributed.works[name], embedded.works[name]];
  const { service, postgres, storage, redis } = a.processor;
  return {
    target: null,
    name: `${workNames[name]}, processor time of the service`,
    measured: service,
    unit: 'ms',
    bound: null,
    floor: `${b.processor.service.toFixed(2)} ms in embedded mode`,
    rounds: [service],
    details: {
      embeddedMs: b.processor.service,
      distributedMs: service,
      postgresMs: postgres,
      storageMs: storage,
      redisMs: redis,
      statements: a.calls.statements,
      embeddedStatements: b.calls.statements,
      transactions: a.calls.transactions,
      blobCalls: a.calls.blobs,
      counterCalls: a.calls.counters,
    },
  };
}
