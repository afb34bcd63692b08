/**
 * Decisions about findings of the largest report: what a person waits for after one, and after five hundred in one call.
 * Neither reads the body of the report.
 */
import { linkDevice, sync, type SyncingDevice } from '../data/devices.ts';
import { reportTemplate } from '../data/report-template.ts';
import type { Result, Suite } from '../harness/result.ts';
import { createSender } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';
import { median, percentile } from '../harness/statistics.ts';

const sizes = [
  { name: '50 KB', sizeBytes: 50_000 },
  { name: '12 MiB', sizeBytes: 12 * 1024 * 1024 },
];
const MANY = 500;
/** A report of this size has as many findings. */
const MANY_IN_BYTES = 10 * 1024 * 1024;
const MANY_MS_MAX = 100;
const ONE_MS_MAX = 5;
/** The first calls compile statements and code. */
const CALLS_TO_WARM_UP = 50;
const ROUNDS_SHOWN = 20;

export const decisionsSuite: Suite = {
  name: 'decisions',
  supportsDistributed: true,
  async run(options) {
    const service = await startService(options);
    const sender = createSender(service.url, 1);
    try {
      const device = await linkDevice(service);
      const results: Result[] = [];
      for (const { name, sizeBytes } of sizes) {
        const reportId = await sync(sender, device, reportTemplate(sizeBytes).prepare());
        const calls = options.smoke ? 4 : 200;
        const one = await timesOf(calls, (status) => decideOne(device, reportId, status));
        results.push(resultOf(`decision about one finding of ${name}`, ONE_MS_MAX, one));
        if (sizeBytes < MANY_IN_BYTES) continue;
        const many = await timesOf(options.smoke ? 2 : 40, (status) => decideMany(device, reportId, status));
        results.push(resultOf(`decision about ${MANY} findings of ${name}`, MANY_MS_MAX, many));
      }
      return results;
    } finally {
      await sender.close();
      await service.stop();
    }
  },
};

type Status = 'accepted_risk' | 'open';

/** Milliseconds of each call. Each changes what the call before it did. */
async function timesOf(calls: number, decide: (status: Status) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < CALLS_TO_WARM_UP + calls; call += 1) {
    const began = performance.now();
    await decide(call % 2 === 0 ? 'accepted_risk' : 'open');
    if (call >= CALLS_TO_WARM_UP) times.push(performance.now() - began);
  }
  return times;
}

async function decideOne({ owner }: SyncingDevice, id: string, status: Status): Promise<void> {
  const decided = await owner.api.changeFindingStatus({ params: { id, findingId: 'F-1' }, body: { status } });
  if (!decided.ok) throw new Error(decided.error.code);
}

async function decideMany({ owner }: SyncingDevice, id: string, status: Status): Promise<void> {
  const findingIds = Array.from({ length: MANY }, (_, index) => `F-${index + 1}`);
  const decided = await owner.api.changeFindings({ params: { id }, body: { findingIds, status } });
  if (!decided.ok) throw new Error(decided.error.code);
}

function resultOf(name: string, msMax: number, times: readonly number[]): Result {
  return {
    target: null,
    name,
    measured: median(times),
    unit: 'ms',
    bound: { sense: 'at most', value: msMax },
    floor: 'one at a time, with the bench as the client',
    rounds: times.slice(0, ROUNDS_SHOWN),
    details: { p99Ms: percentile(times, 0.99) },
  };
}
