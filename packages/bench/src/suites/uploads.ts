/**
 * P3: the cost of the upload of a report, compared with a bare server that checks it with the same schema and stores it
 * as durably.
 */
import type { ServiceProcess } from '@svc/testkit';
import { createReport, declareUpload, linkDevices, sendUpload, type SyncingDevice } from '../data/devices.ts';
import { reportTemplate, type PreparedReport } from '../data/report-template.ts';
import { comparisonResult } from '../harness/compare.ts';
import { suiteFolder } from '../harness/folders.ts';
import { startFloorProcess, type FloorProcess } from '../harness/floor-process.ts';
import { workOff, type LoadResult } from '../harness/load.ts';
import type { Result, Suite } from '../harness/result.ts';
import { interleaveAll, medianOf } from '../harness/rounds.ts';
import { createSender, type Sender } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';

const sizes = [
  // V8 compiles until some two thousand small bodies were checked.
  { name: '50 KB', sizeBytes: 50_000, ratioMin: 0.7, count: 200, countInSmoke: 20, discarded: 8 },
  { name: '1 MB', sizeBytes: 1_000_000, ratioMin: 0.7, count: 24, countInSmoke: 4, discarded: 1 },
  { name: '12 MiB', sizeBytes: 12 * 1024 * 1024, ratioMin: 0.8, count: 6, countInSmoke: 2, discarded: 1 },
];
const CONCURRENCIES = [1, 4];
const DEVICES = Math.max(...CONCURRENCIES);

interface Servers {
  readonly service: ServiceProcess;
  readonly devices: readonly SyncingDevice[];
  readonly floors: Readonly<Record<'alone' | 'workers', FloorProcess>>;
}

export const uploadsSuite: Suite = {
  name: 'uploads',
  supportsDistributed: true,
  async run(options) {
    const { smoke } = options;
    const folder = await suiteFolder('uploads');
    const service = await startService(options);
    const program = new URL('../floors/uploads.ts', import.meta.url);
    const floors = {
      alone: await startFloorProcess(program, [folder, 'alone']),
      workers: await startFloorProcess(program, [folder, 'workers']),
    };
    try {
      const servers = { service, floors, devices: await linkDevices(service, DEVICES) };
      const results: Result[] = [];
      for (const { name, sizeBytes, ratioMin, count, countInSmoke, discarded } of sizes) {
        const { prepare } = reportTemplate(sizeBytes);
        for (const clients of smoke ? CONCURRENCIES.slice(-1) : CONCURRENCIES) {
          const prepareAll = () => Array.from({ length: smoke ? countInSmoke : count }, () => prepare());
          const rounds = smoke ? { counted: 1, discarded: 1 } : { counted: 7, discarded };
          results.push(await compare({ name, ratioMin, clients, prepareAll, rounds }, servers));
        }
      }
      return results;
    } finally {
      await Promise.all([service.stop(), floors.alone.stop(), floors.workers.stop()]);
    }
  },
};

interface Comparing {
  readonly name: string;
  readonly ratioMin: number;
  readonly clients: number;
  readonly prepareAll: () => PreparedReport[];
  readonly rounds: { readonly counted: number; readonly discarded: number };
}

async function compare(
  { name, ratioMin, clients, prepareAll, rounds }: Comparing,
  { service, devices, floors }: Servers,
): Promise<Result> {
  const [ofService = [], ofAlone = [], ofWorkers = []] = await interleaveAll(
    rounds.counted,
    [
      () => uploadToService(service, clients, devices, prepareAll()),
      () => uploadToFloor(floors.alone, clients, prepareAll()),
      () => uploadToFloor(floors.workers, clients, prepareAll()),
    ],
    rounds.discarded,
  );
  const speed = (measured: readonly LoadResult[]) => medianOf(measured, ({ perSecond }) => perSecond);
  const isAloneBetter = speed(ofAlone) >= speed(ofWorkers);
  const result = comparisonResult({
    target: 'P3',
    name: `upload of ${name}, ${clients} in parallel`,
    ratioMin,
    floor: `hash, parse, schema, durable file; ${isAloneBetter ? 'one thread' : 'two workers'}`,
    compared: { a: ofService, b: isAloneBetter ? ofAlone : ofWorkers },
  });
  const both = { alonePerSecond: speed(ofAlone), workersPerSecond: speed(ofWorkers) };
  return { ...result, details: { ...result.details, ...both } };
}

interface Upload {
  readonly device: SyncingDevice;
  readonly uploadId: string;
  readonly report: PreparedReport;
}

/** Shells are created and uploads declared before the timer starts. Each report is uploaded once, as in a sync. */
async function uploadToService(
  { url, pid }: ServiceProcess,
  clients: number,
  devices: readonly SyncingDevice[],
  reports: readonly PreparedReport[],
): Promise<LoadResult> {
  const sender = createSender(url, Math.max(clients, devices.length));
  try {
    const uploads = await Promise.all(
      reports.map((report, index) => declare(sender, devices, report, index)),
    );
    return await workOff({
      pid,
      clients,
      count: uploads.length,
      async work(index) {
        const upload = uploads[index];
        if (upload) await sendUpload(sender, upload.device, upload.uploadId, upload.report);
      },
    });
  } finally {
    await sender.close();
  }
}

async function declare(
  sender: Sender,
  devices: readonly SyncingDevice[],
  report: PreparedReport,
  index: number,
): Promise<Upload> {
  const device = devices[index % devices.length];
  if (!device) throw new Error('There is no device.');
  const reportId = await createReport(sender, device, report.localReportId);
  return { device, report, uploadId: await declareUpload(sender, device, reportId, report) };
}

async function uploadToFloor(
  { url, pid }: FloorProcess,
  clients: number,
  reports: readonly PreparedReport[],
): Promise<LoadResult> {
  const sender = createSender(url, clients);
  try {
    return await workOff({
      pid,
      clients,
      count: reports.length,
      async work(index) {
        const body = reports[index]?.bytes;
        if (body) await sender.expect(200, { method: 'PUT', path: '/', body });
      },
    });
  } finally {
    await sender.close();
  }
}
