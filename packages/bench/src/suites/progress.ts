/** P6: ingest of calls with the most progress events, compared with a bare server that stores them as durably. */
import { limits } from '@svc/contract';
import { createReport, linkDevices, type SyncingDevice } from '../data/devices.ts';
import { progressBody } from '../data/progress-events.ts';
import { comparisonResult } from '../harness/compare.ts';
import { suiteFolder } from '../harness/folders.ts';
import { startFloorProcess } from '../harness/floor-process.ts';
import { workOff, type LoadResult } from '../harness/load.ts';
import type { Suite } from '../harness/result.ts';
import { interleave } from '../harness/rounds.ts';
import { createSender, type SentRequest } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';

const RATIO_MIN = 0.7;
const CLIENTS = 8;
const EVENTS = limits.progressEventsMax;
/** More would exceed the report's rate limit for a minute. */
const CALLS_PER_REPORT = Math.floor(limits.progressEventsPerMinuteMax / EVENTS);

export const progressSuite: Suite = {
  name: 'progress',
  supportsDistributed: true,
  async run(options) {
    const { smoke } = options;
    const folder = await suiteFolder('progress');
    const floor = await startFloorProcess(new URL('../floors/progress.ts', import.meta.url), [folder]);
    const service = await startService(options);
    const [calls, rounds] = smoke ? [50, 1] : [800, 9];
    try {
      const [device] = await linkDevices(service, 1);
      if (!device) throw new Error('There is no device.');
      const needed = Math.ceil((calls * (rounds + 1)) / CALLS_PER_REPORT);
      const reportIds = await createReports(service.url, device, needed);
      const turn = ({ url, pid }: Server, prefix: string, suffix: string) => {
        const next = callsOver(reportIds);
        return () => {
          const requests = next(calls).map(({ reportId, body }): SentRequest => {
            const route = `${prefix}${reportId}${suffix}`;
            return { method: 'POST', path: route, headers: device.headers, body };
          });
          return sendAll(url, pid, requests);
        };
      };
      const compared = await interleave(
        rounds,
        turn(service, '/api/v1/reports/', '/progress'),
        turn(floor, '/', ''),
      );
      return [
        comparisonResult({
          target: 'P6',
          name: `ingest of ${EVENTS} events, ${CLIENTS} in parallel`,
          ratioMin: RATIO_MIN,
          floor: `schema, ${EVENTS} rows, group commit`,
          compared,
        }),
      ];
    } finally {
      await service.stop();
      await floor.stop();
    }
  },
};

interface Server {
  readonly url: string;
  readonly pid: number;
}

async function createReports(url: string, device: SyncingDevice, count: number): Promise<string[]> {
  const sender = createSender(url, CLIENTS);
  try {
    return await Promise.all(Array.from({ length: count }, () => createReport(sender, device)));
  } finally {
    await sender.close();
  }
}

/**
 * Distributes calls, each with new events. Successive calls are about different reports, like those of different scans.
 */
function callsOver(reportIds: readonly string[]) {
  let handedOut = 0;
  return (count: number) =>
    Array.from({ length: count }, () => {
      const reportId = reportIds[handedOut % reportIds.length] ?? '';
      const firstNumber = Math.floor(handedOut / reportIds.length) * EVENTS;
      handedOut += 1;
      return { reportId, body: progressBody(reportId, firstNumber, EVENTS) };
    });
}

async function sendAll(url: string, pid: number, requests: readonly SentRequest[]): Promise<LoadResult> {
  const sender = createSender(url, CLIENTS);
  try {
    return await workOff({
      pid,
      clients: CLIENTS,
      count: requests.length,
      async work(index) {
        const request = requests[index];
        if (request) await sender.expect(200, request);
      },
    });
  } finally {
    await sender.close();
  }
}
