/** P7: many parallel live streams: memory per stream, delay of events, and throughput. */
import { setTimeout as pause } from 'node:timers/promises';
import { residentBytes } from '../harness/process-usage.ts';
import { openFilesMax } from '../harness/open-files.ts';
import type { Result, Suite } from '../harness/result.ts';
import { interleave, medianOf, ratios, type Compared } from '../harness/rounds.ts';
import { median, percentile } from '../harness/statistics.ts';
import { startStreamReaders, type StreamReaders } from '../harness/stream-readers.ts';
import { machineTimeUs } from '../data/progress-events.ts';
import { startStages, type Stage } from './streams-stage.ts';

/** Of the bare server, in memory and in the 99th percentile of delivery. */
const RATIO_MAX = 1.3;
const FLOOD_RATIO_MIN = 0.7;
const KB = 1000;
/** Deliveries per second to STREAMS streams of REPORTS running scans. */
const DELIVERIES_PER_SECOND = 18_000;
const STREAMS = 10_000;
const REPORTS = 100;
const READERS = 2;
/** Files that a process needs besides streams. */
const OPEN_FILES_SPARE = 500;

interface Extent {
  readonly streams: number;
  readonly reports: number;
  readonly rounds: number;
  readonly pacedMs: number;
  readonly settleMs: number;
  /** How many calls of 25 events each report gets. */
  readonly callsOfFlood: number;
}

/** A server with its streams open. */
interface Crowd {
  readonly stage: Stage;
  readonly readers: StreamReaders;
  readonly kbEach: number;
}

interface Delivery {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export const streamsSuite: Suite = {
  name: 'streams',
  async run(options) {
    const extent = extentOf(options.smoke);
    const stages = await startStages(options, extent.reports);
    const crowds: Crowd[] = [];
    try {
      for (const stage of [stages.service, stages.floor]) crowds.push(await openStreams(stage, extent));
      const [service, floor] = crowds;
      if (!service || !floor) throw new Error('The service and the floor must both have open streams.');
      const paced = await interleave(
        extent.rounds,
        () => pace(service, extent),
        () => pace(floor, extent),
      );
      const floods = await interleave(
        extent.rounds,
        () => flood(service, extent),
        () => flood(floor, extent),
      );
      return [
        memoryResult(service, floor, extent),
        deliveryResult(paced, extent),
        floodResult(floods, extent),
        await lostResult(service, extent),
      ];
    } finally {
      await Promise.all(crowds.map(({ readers }) => readers.stop()));
      await stages.stop();
    }
  },
};

function extentOf(smoke: boolean): Extent {
  if (smoke) return { streams: 300, reports: 10, rounds: 1, pacedMs: 1000, settleMs: 200, callsOfFlood: 2 };
  const most = Math.floor((openFilesMax() - OPEN_FILES_SPARE) / REPORTS) * REPORTS;
  if (most < STREAMS)
    console.error(`streams: ${most} of ${STREAMS}, since a process may open no more files (ulimit -n).`);
  const streams = Math.min(STREAMS, most);
  return { streams, reports: REPORTS, rounds: 4, pacedMs: 4000, settleMs: 5000, callsOfFlood: 4 };
}

async function openStreams(stage: Stage, { streams, reports, settleMs }: Extent): Promise<Crowd> {
  await pause(settleMs);
  const before = residentBytes(stage.pid);
  const addresses = Array.from({ length: streams }, (_, index) => stage.streamOf(index % reports));
  const readers = await startStreamReaders(stage.port, addresses, READERS);
  await pause(settleMs);
  return { stage, readers, kbEach: (residentBytes(stage.pid) - before) / streams / KB };
}

/** Sends single events to the reports in turn, at the rate that causes the wanted number of deliveries. */
async function pace({ stage, readers }: Crowd, { streams, reports, pacedMs }: Extent): Promise<Delivery> {
  await readers.take();
  const deliveries = DELIVERIES_PER_SECOND * (streams / STREAMS);
  const everyMs = 1000 / (deliveries / (streams / reports));
  const perReport = Math.max(1, Math.floor(pacedMs / everyMs / reports));
  const began = performance.now();
  const sent: Promise<void>[] = [];
  for (let number = 0; number < perReport * reports; number += 1) {
    const earlyMs = began + number * everyMs - performance.now();
    if (earlyMs > 0) await pause(earlyMs);
    sent.push(stage.send(number % reports, 1));
  }
  await Promise.all(sent);
  await readers.untilDelivered(stage.sentPerReport());
  const { latenciesUs } = await readers.take();
  return { p50Ms: percentile(latenciesUs, 0.5) / 1000, p99Ms: percentile(latenciesUs, 0.99) / 1000 };
}

/** Sends events as fast as they are accepted. Resolves to the deliveries per second. */
async function flood({ stage, readers }: Crowd, { streams, callsOfFlood }: Extent): Promise<number> {
  const before = stage.sentPerReport();
  const began = machineTimeUs();
  await stage.sendFlood(callsOfFlood);
  const ended = await readers.untilDelivered(stage.sentPerReport());
  await readers.take();
  return ((stage.sentPerReport() - before) * streams * 1_000_000) / (ended - began);
}

function memoryResult(service: Crowd, floor: Crowd, { streams }: Extent): Result {
  return {
    target: 'P7',
    name: `memory of each of ${streams} streams`,
    measured: service.kbEach / floor.kbEach,
    unit: '×',
    bound: { sense: 'at most', value: RATIO_MAX },
    floor: 'resident memory of a bare server',
    rounds: [service.kbEach / floor.kbEach],
    details: { kbEach: service.kbEach, floorKbEach: floor.kbEach },
  };
}

function deliveryResult({ a, b }: Compared<Delivery>, { streams }: Extent): Result {
  const perSecond = Math.round(DELIVERIES_PER_SECOND * (streams / STREAMS));
  const rounds = ratios({ a, b }, ({ p99Ms }) => p99Ms);
  return {
    target: 'P7',
    name: `delivery, p99, at ${perSecond} a second`,
    measured: median(rounds),
    unit: '×',
    bound: { sense: 'at most', value: RATIO_MAX },
    floor: 'a bare server, from the sender to the reader',
    rounds,
    details: {
      p99Ms: medianOf(a, ({ p99Ms }) => p99Ms),
      floorP99Ms: medianOf(b, ({ p99Ms }) => p99Ms),
      p50Ms: medianOf(a, ({ p50Ms }) => p50Ms),
      floorP50Ms: medianOf(b, ({ p50Ms }) => p50Ms),
    },
  };
}

function floodResult(floods: Compared<number>, { streams }: Extent): Result {
  const rounds = ratios(floods, (perSecond) => perSecond);
  return {
    target: 'P7',
    name: `flood of ${streams} streams`,
    measured: median(rounds),
    unit: '×',
    bound: { sense: 'at least', value: FLOOD_RATIO_MIN },
    floor: 'bare node:http writing finished chunks',
    rounds,
    details: {
      perSecond: medianOf(floods.a, (perSecond) => perSecond),
      floorPerSecond: medianOf(floods.b, (perSecond) => perSecond),
    },
  };
}

async function lostResult({ stage, readers }: Crowd, { streams }: Extent): Promise<Result> {
  const { delivered, wrong, broken } = await readers.take();
  const lost = stage.sentPerReport() * streams - delivered;
  return {
    target: 'P7',
    name: 'events lost, repeated or out of order',
    measured: Math.abs(lost) + wrong + broken,
    unit: 'events',
    bound: { sense: 'at most', value: 0 },
    floor: `of ${delivered} deliveries in ${streams} streams`,
    rounds: [],
    details: { lost, outOfOrder: wrong, brokenStreams: broken },
  };
}
