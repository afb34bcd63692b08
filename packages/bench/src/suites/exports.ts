/** P12: the cost of repeated exports, compared with serving their bytes, and the cost of first exports. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exportFormats, type ExportFormat } from '@svc/contract';
import type { ServiceProcess } from '@svc/testkit';
import { linkDevice, sync, type SyncingDevice } from '../data/devices.ts';
import { makeLink, throughLink } from '../data/links.ts';
import { reportTemplate, reportTemplateOf } from '../data/report-template.ts';
import { comparisonResult } from '../harness/compare.ts';
import { load } from '../harness/load.ts';
import { peakResidentBytes, residentBytes } from '../harness/process-usage.ts';
import type { Result, Suite, SuiteOptions } from '../harness/result.ts';
import { interleave } from '../harness/rounds.ts';
import { startFloorOf } from '../harness/saved-answers.ts';
import { createSender, type Sender } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';
import { median } from '../harness/statistics.ts';
import { measureAfterStart } from './exports-after-start.ts';

const WARM_RATIO_MIN = 0.7;
const COLD_MAX_MS = 50;
const COLD_BOUNDED: ReadonlySet<ExportFormat> = new Set(['html', 'sarif']);
/** Files are large: more in parallel would only wait for the core that receives them. */
const CONNECTIONS = 8;
const FEW = 1000;
const MANY = 10_000;
const LARGEST_BYTES = 12 * 1024 * 1024;
const MB = 1_000_000;
/** V8 compiles the code of the worker until some hundred files were made. */
const WARM_UP_ROUNDS = 25;

interface Stage {
  readonly service: ServiceProcess;
  readonly device: SyncingDevice;
  readonly sender: Sender;
}

export const exportsSuite: Suite = {
  name: 'exports',
  async run(options) {
    const results = await measureSpeed(options);
    if (options.smoke) return results;
    return [...results, ...(await measureAfterStart(5)), await measureMemory(options)];
  },
};

async function measureSpeed(options: SuiteOptions): Promise<Result[]> {
  const service = await startService(options);
  const sender = createSender(service.url, 1);
  try {
    const device = await linkDevice(service);
    const stage: Stage = { service, device, sender };
    const few = await sync(sender, device, reportTemplateOf(FEW).prepare());
    const results = [
      ...(await measureWarm(stage, few, options)),
      ...(await measureCold(stage, few, FEW, options)),
    ];
    if (options.smoke) return results;
    const many = await sync(sender, device, reportTemplateOf(MANY).prepare());
    return [...results, ...(await measureCold(stage, many, MANY, options))];
  } finally {
    await sender.close();
    await service.stop();
  }
}

async function measureWarm(
  { service, device }: Stage,
  reportId: string,
  { smoke }: SuiteOptions,
): Promise<Result[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-exports-'));
  const requests = exportFormats.map((format) => ({
    path: `/api/v1/reports/${reportId}/export/${format}`,
    headers: { cookie: device.owner.cookie },
  }));
  const floor = await startFloorOf(service, requests, folder);
  try {
    const results: Result[] = [];
    for (const [index, request] of requests.entries()) {
      const shared = { connections: CONNECTIONS, durationMs: smoke ? 60 : 1500 };
      const compared = await interleave(
        smoke ? 1 : 7,
        () => load({ ...shared, url: service.url, pid: service.pid, request: () => request }),
        () => load({ ...shared, url: floor.url, pid: floor.pid, request: () => ({ path: `/${index}` }) }),
      );
      results.push(
        comparisonResult({
          target: 'P12',
          name: `export of ${FEW} findings as ${exportFormats[index]}`,
          ratioMin: WARM_RATIO_MIN,
          floor: `bare node:http with the same bytes, ${CONNECTIONS} connections`,
          compared,
        }),
      );
    }
    return results;
  } finally {
    await floor.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each export uses a share of its own whose rendering is not cached, and nothing else runs meanwhile. */
async function measureCold(
  { device, sender }: Stage,
  reportId: string,
  count: number,
  { smoke }: SuiteOptions,
): Promise<Result[]> {
  const rounds = new Map(exportFormats.map((format) => [format, [] as number[]]));
  for (let round = 0; round < (smoke ? 1 : WARM_UP_ROUNDS + 15); round += 1) {
    for (const format of exportFormats) {
      const request = throughLink(await makeLink(device, reportId), `export/${format}`);
      const began = performance.now();
      await sender.swallow(200, request);
      rounds.get(format)?.push(performance.now() - began);
    }
  }
  return [...rounds].map(([format, allMs]): Result => {
    const tookMs = smoke ? allMs : allMs.slice(WARM_UP_ROUNDS);
    const isBounded = count === FEW && COLD_BOUNDED.has(format);
    return {
      target: isBounded ? 'P12' : null,
      name: `first export of ${count} findings as ${format}`,
      measured: median(tookMs),
      unit: 'ms',
      bound: isBounded ? { sense: 'at most', value: COLD_MAX_MS } : null,
      floor: 'one at a time, each through a new link',
      rounds: tookMs,
      details: { bestMs: Math.min(...tookMs) },
    };
  });
}

async function measureMemory(options: SuiteOptions): Promise<Result> {
  const service = await startService(options);
  const sender = createSender(service.url, 1);
  try {
    const device = await linkDevice(service);
    const reportId = await sync(sender, device, reportTemplate(LARGEST_BYTES).prepare());
    const beforeMB = residentBytes(service.pid) / MB;
    const headers = { cookie: device.owner.cookie };
    for (const format of exportFormats)
      await sender.swallow(200, { path: `/api/v1/reports/${reportId}/export/${format}`, headers });
    const peakMB = peakResidentBytes(service.pid) / MB;
    return {
      target: null,
      name: 'memory at its peak, after exports of 12 MiB in all formats',
      measured: peakMB,
      unit: 'MB',
      bound: null,
      floor: 'resident, all threads',
      rounds: [peakMB],
      details: { beforeMB, afterMB: residentBytes(service.pid) / MB },
    };
  } finally {
    await sender.close();
    await service.stop();
  }
}
