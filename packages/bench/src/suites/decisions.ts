/**
 * Decisions about findings of the largest report: what a person waits for after one, and after five hundred in one call.
 * Neither reads the body of the report.
 */
import { linkDevice, sync, type SyncingDevice } from '../data/devices.ts';
import { reportTemplate, type ReportTemplate } from '../data/report-template.ts';
import type { Result, Suite } from '../harness/result.ts';
import { createSender } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';
import { median, percentile } from '../harness/statistics.ts';

const SMALL_BYTES = 50_000;
const LARGE_BYTES = 12 * 1024 * 1024;
const MANY = 500;
const MANY_MS_MAX = 100;
const ONE_MS_MAX = 5;
/** The first calls compile statements and code. */
const CALLS_TO_WARM_UP = 50;
const CALLS = 200;
/** A report of 50 KB has a few more. */
const FINDINGS_IN_TURN = 10;
const ROUNDS_SHOWN = 20;
/** Each is of a project of its own and decided about this often, so that no finding has more decisions than a person makes. */
const REPORTS = 9;
const CALLS_PER_REPORT = 4;
const REPORTS_TO_WARM_UP = 2;

export const decisionsSuite: Suite = {
  name: 'decisions',
  supportsDistributed: true,
  async run(options) {
    const service = await startService(options);
    const sender = createSender(service.url, 1);
    const largeReport = reportTemplate(LARGE_BYTES);
    const newReport = async ({ prepare }: ReportTemplate): Promise<DecidedReport> => {
      const device = await linkDevice(service);
      return { device, id: await sync(sender, device, prepare()) };
    };
    try {
      const [small, large] = [await newReport(reportTemplate(SMALL_BYTES)), await newReport(largeReport)];
      const calls = options.smoke ? 4 : CALLS;
      const ofSmall = await timesOf(CALLS_TO_WARM_UP + calls, (status, call) =>
        decideOne(small, status, call),
      );
      const ofLarge = await timesOf(CALLS_TO_WARM_UP + calls, (status, call) =>
        decideOne(large, status, call),
      );
      const ofMany: number[][] = [];
      for (let report = 0; report < (options.smoke ? 3 : REPORTS); report += 1) {
        const decided = await newReport(largeReport);
        ofMany.push(await timesOf(CALLS_PER_REPORT, (status) => decideMany(decided, status)));
      }
      return [
        resultOf('decision about one finding of 50 KB', ONE_MS_MAX, ofSmall.slice(CALLS_TO_WARM_UP)),
        resultOf('decision about one finding of 12 MiB', ONE_MS_MAX, ofLarge.slice(CALLS_TO_WARM_UP)),
        resultOf(
          `decision about ${MANY} findings of 12 MiB`,
          MANY_MS_MAX,
          ofMany.slice(REPORTS_TO_WARM_UP).flat(),
        ),
      ];
    } finally {
      await sender.close();
      await service.stop();
    }
  },
};

interface DecidedReport {
  readonly device: SyncingDevice;
  readonly id: string;
}

type Status = 'accepted_risk' | 'open';

/** Milliseconds of each call. Every second one takes back what the one before it did. */
async function timesOf(
  calls: number,
  decide: (status: Status, call: number) => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const began = performance.now();
    await decide(call % 2 === 0 ? 'accepted_risk' : 'open', call);
    times.push(performance.now() - began);
  }
  return times;
}

/** Decides about some findings in turn, in two calls each. */
async function decideOne({ device, id }: DecidedReport, status: Status, call: number): Promise<void> {
  const findingId = `F-${(Math.floor(call / 2) % FINDINGS_IN_TURN) + 1}`;
  const decided = await device.owner.api.changeFindingStatus({ params: { id, findingId }, body: { status } });
  if (!decided.ok) throw new Error(decided.error.code);
}

async function decideMany({ device, id }: DecidedReport, status: Status): Promise<void> {
  const findingIds = Array.from({ length: MANY }, (_, index) => `F-${index + 1}`);
  const decided = await device.owner.api.changeFindings({ params: { id }, body: { findingIds, status } });
  if (!decided.ok) throw new Error(decided.error.code);
}

function resultOf(name: string, msMax: number, times: readonly number[]): Result {
  return {
    target: null,
    name,
    measured: median(times),
    unit: 'ms',
    bound: { sense: 'at most', value: msMax },
    floor: 'one call at a time',
    rounds: times.slice(0, ROUNDS_SHOWN),
    details: { p99Ms: percentile(times, 0.99) },
  };
}
