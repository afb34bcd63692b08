/** The pieces of work whose cost is measured: what people, scans and viewers make the service do. */
import { limits } from '@svc/contract';
import type { ServiceProcess } from '@svc/testkit';
import { createReport, linkDevices, sync, type SyncingDevice } from '../data/devices.ts';
import { makeLink, throughLink } from '../data/links.ts';
import { progressBody } from '../data/progress-events.ts';
import { reportTemplate } from '../data/report-template.ts';
import { createSender, type Sender, type SentRequest } from '../harness/sender.ts';
import { startStreamReaders } from '../harness/stream-readers.ts';

const CLIENTS = 8;
const SIZE_BYTES = 50_000;
const EVENTS = limits.progressEventsMax;
/** Enough that no report reaches its rate limit. */
const REPORTS = 50;
const WATCHED_REPORTS = 20;
const STREAMS_PER_REPORT = 20;
/** One account may open all streams. */
export const environmentOfStreams = { SSE_MAX_STREAM_MS: '3600000', SSE_MAX_PER_USER: '2000' };

/** The names, in the order of the table's rows. */
export const workNames = {
  sync: 'sync of 50 KB (four calls)',
  report: 'report read of 50 KB',
  share: 'share read of 50 KB',
  quota: 'quota check',
  exportAgain: 'export as HTML, again',
  exportFirst: 'export as HTML, first time',
  progress: `progress call of ${EVENTS} events`,
  watched: `the same with ${STREAMS_PER_REPORT} streams`,
} as const;
export type WorkName = keyof typeof workNames;

export interface Work {
  readonly name: WorkName;
  /** How often the work is done in a round. */
  readonly count: number;
  readonly clients: number;
  /** @param client from 0. */
  do(client: number): Promise<void>;
}

export interface Workload {
  readonly works: readonly Work[];
  /** The number of synced reports so far. */
  synced(): number;
  close(): Promise<void>;
}

export async function prepareWorkload(service: ServiceProcess, smoke: boolean): Promise<Workload> {
  const sender = createSender(service.url, CLIENTS);
  const devices = await linkDevices(service, CLIENTS);
  const [first] = devices;
  if (!first) throw new Error('There is no device.');
  const { prepare } = reportTemplate(SIZE_BYTES);
  const synced: { readonly reportId: string; readonly device: SyncingDevice }[] = [];
  const syncOne = async (device: SyncingDevice) => {
    synced.push({ device, reportId: await sync(sender, device, prepare()) });
  };
  await syncOne(first);
  const reportId = synced[0]?.reportId ?? '';
  const share = throughLink(await makeLink(first, reportId));
  const unwatched = await progressOf(sender, first, REPORTS);
  const watched = await progressOf(sender, first, WATCHED_REPORTS);
  const streams = await startStreamReaders(
    service.port,
    Array.from({ length: WATCHED_REPORTS * STREAMS_PER_REPORT }, (_, index) => ({
      path: `/api/v1/reports/${watched.reportIds[index % WATCHED_REPORTS]}/events`,
      cookie: first.owner.cookie,
    })),
    1,
  );

  const times = (count: number) => Math.ceil(smoke ? count / 20 : count);
  const work = (name: WorkName, count: number, act: Work['do'], clients = CLIENTS): Work => ({
    name,
    count: times(count),
    clients,
    do: act,
  });
  const read = (request: SentRequest) => () => sender.swallow(200, request);
  const ofOwner = ({ owner }: SyncingDevice, path: string): SentRequest => ({
    path: `/api/v1${path}`,
    headers: { cookie: owner.cookie },
  });
  let exported = 0;
  async function exportNext(): Promise<void> {
    exported += 1;
    const next = synced[exported];
    if (!next) throw new Error('There are more exports than reports.');
    await sender.swallow(200, ofOwner(next.device, `/reports/${next.reportId}/export/html`));
  }
  return {
    works: [
      work('sync', 160, (client) => syncOne(devices[client] ?? first)),
      work('report', 2000, read(ofOwner(first, `/reports/${reportId}`))),
      work('share', 2000, read(share)),
      work('quota', 2000, read(ofOwner(first, '/sync-quota'))),
      work('exportAgain', 2000, read(ofOwner(first, `/reports/${reportId}/export/html`))),
      work('exportFirst', 120, exportNext),
      work('progress', 200, unwatched.send),
      work('watched', 100, watched.send),
    ],
    synced: () => synced.length,
    async close() {
      await streams.stop();
      await sender.close();
    },
  };
}

/** Sends progress calls for the reports in turn, as different scans would. */
async function progressOf(sender: Sender, device: SyncingDevice, reports: number) {
  const reportIds: string[] = [];
  for (let made = 0; made < reports; made += 1) reportIds.push(await createReport(sender, device));
  let sent = 0;
  return {
    reportIds,
    async send(): Promise<void> {
      const id = reportIds[sent % reports] ?? '';
      const body = progressBody(id, Math.floor(sent / reports) * EVENTS, EVENTS);
      sent += 1;
      const path = `/api/v1/reports/${id}/progress`;
      await sender.expect(200, { method: 'POST', path, headers: device.headers, body });
    },
  };
}
