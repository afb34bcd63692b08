/** P4: the latency of other requests and the memory during uploads of the largest reports. */
import type { ServiceProcess } from '@svc/testkit';
import { createReport, declareUpload, linkDevices, sendUpload, type SyncingDevice } from '../data/devices.ts';
import { reportTemplate, type PreparedReport } from '../data/report-template.ts';
import { startFloorProcess } from '../harness/floor-process.ts';
import { workOff } from '../harness/load.ts';
import { startProbe } from '../harness/probe.ts';
import { peakResidentBytes } from '../harness/process-usage.ts';
import type { Result, Suite } from '../harness/result.ts';
import { medianOf } from '../harness/rounds.ts';
import { createSender, type Sender } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';

const HEALTH_P99_MAX_MS = 20;
const MEMORY_MAX_MB = 350;
const MB = 1_000_000;
const SIZE_BYTES = 12 * 1024 * 1024;
/** The number of uploads that the service accepts in parallel. */
const CLIENTS = 4;
/** Some eight hundred responses per round, so that the 99th percentile does not depend on one or two. */
const ASKED_EVERY_MS = 5;

interface Round {
  readonly p99Ms: number;
  readonly floorP99Ms: number;
  readonly perSecond: number;
}

export const uploadHealthSuite: Suite = {
  name: 'upload-health',
  async run(options) {
    const { smoke } = options;
    const floor = await startFloorProcess();
    const service = await startService(options);
    try {
      const devices = await linkDevices(service, CLIENTS);
      const reports = await openReports(service.url, devices);
      const rounds: Round[] = [];
      for (let round = 0; round < (smoke ? 1 : 7); round += 1)
        rounds.push(await measure(service, floor.port, devices, reports, smoke ? 4 : 20));
      return [healthResult(rounds), memoryResult(service.pid)];
    } finally {
      await service.stop();
      await floor.stop();
    }
  },
};

interface OpenReport {
  readonly reportId: string;
  readonly report: PreparedReport;
}

async function openReports(url: string, devices: readonly SyncingDevice[]): Promise<OpenReport[]> {
  const { prepare } = reportTemplate(SIZE_BYTES);
  const sender = createSender(url, 1);
  try {
    const open: OpenReport[] = [];
    for (const device of devices) {
      const report = prepare();
      open.push({ report, reportId: await createReport(sender, device, report.localReportId) });
    }
    return open;
  } finally {
    await sender.close();
  }
}

async function measure(
  service: ServiceProcess,
  floorPort: number,
  devices: readonly SyncingDevice[],
  reports: readonly OpenReport[],
  count: number,
): Promise<Round> {
  const sender = createSender(service.url, CLIENTS);
  const probes = [startProbe(service.port, ASKED_EVERY_MS), startProbe(floorPort, ASKED_EVERY_MS)];
  try {
    const { perSecond } = await workOff({
      pid: service.pid,
      clients: CLIENTS,
      count,
      work: (_index, client) => uploadAgain(sender, devices[client], reports[client]),
    });
    const [ofService, ofFloor] = await Promise.all(probes.map((probe) => probe.stop()));
    if (!ofService || !ofFloor) throw new Error('Health was not requested.');
    if (ofService.failed > 0) throw new Error(`GET /health got no response ${ofService.failed} times`);
    return { p99Ms: ofService.p99Ms, floorP99Ms: ofFloor.p99Ms, perSecond };
  } finally {
    await sender.close();
  }
}

/** Each upload is declared again, so that the bytes are accepted again. */
async function uploadAgain(
  sender: Sender,
  device: SyncingDevice | undefined,
  upload: OpenReport | undefined,
): Promise<void> {
  if (!device || !upload) throw new Error('There are fewer devices than clients.');
  const uploadId = await declareUpload(sender, device, upload.reportId, upload.report);
  await sendUpload(sender, device, uploadId, upload.report);
}

function healthResult(rounds: readonly Round[]): Result {
  return {
    target: 'P4',
    name: `health during ${CLIENTS} parallel uploads of 12 MiB`,
    measured: medianOf(rounds, ({ p99Ms }) => p99Ms),
    unit: 'ms',
    bound: { sense: 'at most', value: HEALTH_P99_MAX_MS },
    floor: `p99; an idle bare server meanwhile: ${medianOf(rounds, ({ floorP99Ms }) => floorP99Ms).toFixed(1)} ms`,
    rounds: rounds.map(({ p99Ms }) => p99Ms),
    details: { uploadsPerSecond: medianOf(rounds, ({ perSecond }) => perSecond) },
  };
}

function memoryResult(pid: number): Result {
  const peakMB = peakResidentBytes(pid) / MB;
  return {
    target: 'P4',
    name: 'memory at its peak, after those uploads',
    measured: peakMB,
    unit: 'MB',
    bound: { sense: 'at most', value: MEMORY_MAX_MB },
    floor: 'resident, all threads',
    rounds: [peakMB],
    details: {},
  };
}
