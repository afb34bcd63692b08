/** P1 and P8: the cost of a repeated report read, compared with a bare server with the same bytes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ServiceProcess } from '@svc/testkit';
import { linkDevice, sync } from '../data/devices.ts';
import { makeLink, throughLink } from '../data/links.ts';
import { reportTemplate } from '../data/report-template.ts';
import { comparisonResult } from '../harness/compare.ts';
import { load } from '../harness/load.ts';
import type { Result, Suite, SuiteOptions } from '../harness/result.ts';
import { interleave } from '../harness/rounds.ts';
import { startFloorOf } from '../harness/saved-answers.ts';
import { createSender, type SentRequest } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';

const CONNECTIONS = 64;
const sizes = [
  { size: '50 KB', sizeBytes: 50_000, ratioMin: 0.75 },
  { size: '500 KB', sizeBytes: 500_000, ratioMin: 0.9 },
];
const PASSWORD_RATIO_MIN = 0.7;

/** What is requested, and what it is compared with. */
interface Read {
  readonly target: string | null;
  readonly name: string;
  readonly ratioMin: number | null;
  readonly request: SentRequest;
  /** Another read from the service to compare with, instead of a bare server with the same bytes. */
  readonly beside?: { readonly name: string; readonly request: SentRequest };
}

interface Server {
  readonly url: string;
  readonly pid: number;
}

export const readsSuite: Suite = {
  name: 'reads',
  async run(options) {
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-reads-'));
    const service = await startService(options);
    try {
      const reads = await prepareReads(service);
      const requests = reads.map(({ request }) => request);
      const floor = await startFloorOf(service, requests, folder);
      try {
        const results: Result[] = [];
        for (const [index, read] of reads.entries())
          results.push(await measure(read, service, { ...floor, path: `/${index}` }, options));
        return results;
      } finally {
        await floor.stop();
      }
    } finally {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function prepareReads(service: ServiceProcess): Promise<Read[]> {
  const device = await linkDevice(service);
  const sender = createSender(service.url, 1);
  try {
    const reads: Read[] = [];
    for (const { size, sizeBytes, ratioMin } of sizes) {
      const reportId = await sync(sender, device, reportTemplate(sizeBytes).prepare());
      const request = throughLink(await makeLink(device, reportId));
      const password = 'the right one of this link';
      const withPassword = throughLink(await makeLink(device, reportId, { password }));
      const own = { path: `/api/v1/reports/${reportId}`, headers: { cookie: device.owner.cookie } };
      const coded = { ...request, headers: { 'accept-encoding': 'br' } };
      const beside = { name: 'the same without a password', request };
      reads.push(
        { target: 'P1', name: `share read of ${size}`, ratioMin, request },
        {
          target: 'P8',
          name: `the same with a password, ${size}`,
          ratioMin: PASSWORD_RATIO_MIN,
          request: withPassword,
          beside,
        },
        { target: null, name: `report read of ${size}`, ratioMin: null, request: own },
        { target: null, name: `share read of ${size}, compressed`, ratioMin: null, request: coded },
      );
    }
    return reads;
  } finally {
    await sender.close();
  }
}

async function measure(
  { target, name, ratioMin, request, beside }: Read,
  service: Server,
  floor: Server & { readonly path: string },
  { smoke }: SuiteOptions,
): Promise<Result> {
  const turn =
    ({ url, pid }: Server, asked: SentRequest) =>
    () =>
      load({
        url,
        pid,
        connections: CONNECTIONS,
        durationMs: smoke ? 60 : 1500,
        request: () => asked,
      });
  const other = beside ? turn(service, beside.request) : turn(floor, { path: floor.path });
  return comparisonResult({
    target,
    name,
    ratioMin,
    floor: beside?.name ?? `bare node:http with the same bytes, ${CONNECTIONS} connections`,
    compared: await interleave(smoke ? 1 : 9, turn(service, request), other),
  });
}
