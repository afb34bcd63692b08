/**
 * P5: a whole sync — create, declare, send, finalize — by several devices in parallel, compared with the same calls
 * on a bare server.
 */
import { linkDevices, sync, type SyncingDevice } from '../data/devices.ts';
import { reportTemplate, type PreparedReport } from '../data/report-template.ts';
import { comparisonResult } from '../harness/compare.ts';
import { suiteFolder } from '../harness/folders.ts';
import { startFloorProcess } from '../harness/floor-process.ts';
import { workOff, type LoadResult } from '../harness/load.ts';
import type { Suite } from '../harness/result.ts';
import { interleave } from '../harness/rounds.ts';
import { createSender, type Sender } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';

const RATIO_MIN = 0.7;
const CLIENTS = 8;
const SIZE_BYTES = 50_000;
const SYNCS = 240;
/** Until some 1,700 syncs are done, V8 still compiles, and a sync costs a quarter more. */
const ROUNDS_TO_WARM_UP = 8;

interface Server {
  readonly url: string;
  readonly pid: number;
}

type SyncWith = (sender: Sender, device: SyncingDevice, report: PreparedReport) => Promise<void>;

export const syncsSuite: Suite = {
  name: 'syncs',
  supportsDistributed: true,
  async run(options) {
    const { smoke } = options;
    const folder = await suiteFolder('syncs');
    const floor = await startFloorProcess(new URL('../floors/syncs.ts', import.meta.url), [folder]);
    const service = await startService(options);
    try {
      const devices = await linkDevices(service, CLIENTS);
      await sendDevices(floor.url, devices);
      const { prepare } = reportTemplate(SIZE_BYTES);
      const count = smoke ? 24 : SYNCS;
      const turn = (server: Server, syncWith: SyncWith) => () =>
        syncAll(
          server,
          syncWith,
          devices,
          Array.from({ length: count }, () => prepare()),
        );
      const compared = await interleave(
        smoke ? 1 : 9,
        turn(service, syncWithService),
        turn(floor, syncWithFloor),
        smoke ? 1 : ROUNDS_TO_WARM_UP,
      );
      return [
        comparisonResult({
          target: 'P5',
          name: `sync of 50 KB, ${CLIENTS} in parallel`,
          ratioMin: RATIO_MIN,
          floor: 'the same four calls: token, quota row, schema, durable file, group commit',
          compared,
        }),
      ];
    } finally {
      await service.stop();
      await floor.stop();
    }
  },
};

/** @param reports created beforehand: their digests are the sender's work. */
async function syncAll(
  { url, pid }: Server,
  syncWith: SyncWith,
  devices: readonly SyncingDevice[],
  reports: readonly PreparedReport[],
): Promise<LoadResult> {
  const sender = createSender(url, CLIENTS);
  try {
    return await workOff({
      pid,
      clients: CLIENTS,
      count: reports.length,
      async work(index, client) {
        const [device, report] = [devices[client], reports[index]];
        if (device && report) await syncWith(sender, device, report);
      },
    });
  } finally {
    await sender.close();
  }
}

async function syncWithService(sender: Sender, device: SyncingDevice, report: PreparedReport): Promise<void> {
  await sync(sender, device, report);
}

async function syncWithFloor(
  sender: Sender,
  { headers, project }: SyncingDevice,
  { localReportId, bytes, sha256 }: PreparedReport,
): Promise<void> {
  const post = async (route: string, status: number, body: unknown) =>
    JSON.parse(
      await sender.expect(status, { method: 'POST', path: route, headers, body: JSON.stringify(body) }),
    ) as { reportId: string; uploadId: string };
  const { reportId } = await post('/create/', 201, { ...project, localReportId });
  const { uploadId } = await post(`/declare/${reportId}`, 201, { sha256, byteLength: bytes.length });
  await sender.expect(200, { method: 'PUT', path: `/receive/${uploadId}`, headers, body: bytes });
  await post(`/finalize/${reportId}`, 200, { uploadId });
}

async function sendDevices(url: string, devices: readonly SyncingDevice[]): Promise<void> {
  const sender = createSender(url, 1);
  try {
    for (const { headers } of devices)
      await sender.expect(201, { method: 'POST', path: '/devices/', headers, body: '{}' });
  } finally {
    await sender.close();
  }
}
