/** The two servers of the streams suite. Each can open its streams and send events to them. */
import { limits } from '@svc/contract';
import type { ServiceProcess } from '@svc/testkit';
import { createReport, linkDevices, type SyncingDevice } from '../data/devices.ts';
import { progressBody, progressEvent } from '../data/progress-events.ts';
import { startFloorProcess } from '../harness/floor-process.ts';
import type { SuiteOptions } from '../harness/result.ts';
import { createSender, type Sender, type SentRequest } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';
import type { StreamAddress } from '../harness/stream-readers.ts';

const EVENTS_PER_CALL = limits.progressEventsMax;
const OWNERS = 10;
const SENDERS = 16;
/** Has the length of an id of the service. */
const FLOOR_REPORT_ID = `rep_${'0'.repeat(26)}`;

/** Streams last as long as the run, and one account may open all of them. */
const environment = { SSE_MAX_STREAM_MS: '3600000', SSE_MAX_PER_USER: '20000' };

export interface Stage {
  readonly pid: number;
  readonly port: number;
  /** Where the events of a report can be read. */
  streamOf(report: number): StreamAddress;
  /** Sends a call with this many new events of one report. */
  send(report: number, count: number): Promise<void>;
  /**
   * Sends this many calls for each report, each with as many events as a call may have, to all reports at the same
   * time.
   */
  sendFlood(callsPerReport: number): Promise<void>;
  /** The number of events of each report, when all reports have the same number. */
  sentPerReport(): number;
}

export interface Stages {
  readonly service: Stage;
  readonly floor: Stage;
  stop(): Promise<void>;
}

export async function startStages(options: SuiteOptions, reports: number): Promise<Stages> {
  const floor = await startFloorProcess(new URL('../floors/streams.ts', import.meta.url));
  const service = await startService(options, environment);
  try {
    const owned = await ownReports(service, reports);
    const ofService = createSender(service.url, SENDERS);
    const ofFloor = createSender(floor.url, SENDERS);
    return {
      service: stageOf(service, reports, ofService, (report) => ({
        stream: `/api/v1/reports/${owned[report]?.reportId}/events`,
        cookie: owned[report]?.device.owner.cookie ?? '',
        call: (firstNumber, count) => callOfService(owned[report], firstNumber, count),
      })),
      floor: stageOf(floor, reports, ofFloor, (report) => ({
        stream: `/${report}`,
        cookie: '',
        call: (firstNumber, count) => callOfFloor(report, firstNumber, count),
      })),
      async stop() {
        await Promise.all([ofService.close(), ofFloor.close()]);
        await Promise.all([service.stop(), floor.stop()]);
      },
    };
  } catch (error) {
    await Promise.all([service.stop(), floor.stop()]);
    throw error;
  }
}

interface OwnedReport {
  readonly reportId: string;
  readonly device: SyncingDevice;
}

async function ownReports(service: ServiceProcess, count: number): Promise<OwnedReport[]> {
  const devices = await linkDevices(service, OWNERS);
  const sender = createSender(service.url, SENDERS);
  try {
    return await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const device = devices[index % devices.length];
        if (!device) throw new Error('There is no device.');
        return { device, reportId: await createReport(sender, device) };
      }),
    );
  } finally {
    await sender.close();
  }
}

interface Channel {
  readonly stream: string;
  readonly cookie: string;
  call(firstNumber: number, count: number): SentRequest;
}

function stageOf(
  { pid, port }: { readonly pid: number; readonly port: number },
  reports: number,
  sender: Sender,
  channelOf: (report: number) => Channel,
): Stage {
  const channels = Array.from({ length: reports }, (_, report) => ({ ...channelOf(report), sent: 0 }));

  async function send(report: number, count: number): Promise<void> {
    const channel = channels[report];
    if (!channel) throw new Error(`There is no report ${report}.`);
    const firstNumber = channel.sent;
    channel.sent += count;
    await sender.expect(200, channel.call(firstNumber, count));
  }

  return {
    pid,
    port,
    streamOf(report) {
      const { stream = '', cookie = '' } = channels[report] ?? {};
      return { path: stream, cookie };
    },
    send,
    async sendFlood(callsPerReport) {
      // The next call of a report is sent after the response to its last one, so that its events arrive in order.
      const sendAll = async (_channel: unknown, report: number) => {
        for (let call = 0; call < callsPerReport; call += 1) await send(report, EVENTS_PER_CALL);
      };
      await Promise.all(channels.map(sendAll));
    },
    sentPerReport: () => channels[0]?.sent ?? 0,
  };
}

function callOfService(owned: OwnedReport | undefined, firstNumber: number, count: number): SentRequest {
  if (!owned) throw new Error('There is no report.');
  const { reportId, device } = owned;
  return {
    method: 'POST',
    path: `/api/v1/reports/${reportId}/progress`,
    headers: device.headers,
    body: progressBody(reportId, firstNumber, count),
  };
}

/** The text that the service would send for the same events. */
function callOfFloor(report: number, firstNumber: number, count: number): SentRequest {
  const texts = Array.from({ length: count }, (_, index) => {
    const number = firstNumber + index;
    const event = JSON.stringify(progressEvent(FLOOR_REPORT_ID, number));
    return `id: ${number + 1}\nevent: progress\ndata: ${event}\n\n`;
  });
  return { method: 'POST', path: `/${report}`, body: texts.join('') };
}
