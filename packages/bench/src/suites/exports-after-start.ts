/** The first export after a start, which loads and compiles the code of a worker. Only looked at. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exportFormats } from '@svc/contract';
import { startServiceProcess } from '@svc/testkit';
import { linkDevice, sync } from '../data/devices.ts';
import { makeLink, throughLink, type Link } from '../data/links.ts';
import { reportTemplateOf } from '../data/report-template.ts';
import type { Result } from '../harness/result.ts';
import { createSender } from '../harness/sender.ts';
import { median } from '../harness/statistics.ts';

const FINDINGS = 1000;

/** @param rounds how many starts for each format. */
export async function measureAfterStart(rounds: number): Promise<Result[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'svc-bench-exports-'));
  const start = () =>
    startServiceProcess({ program: 'bundle', dataDir, generousThrottles: true, generousPlans: true });
  try {
    const link = await makeReport(start);
    const results: Result[] = [];
    for (const format of exportFormats) {
      const tookMs: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await using service = await start();
        const sender = createSender(service.url, 1);
        // Opening the page loads what every reader needs.
        await sender.swallow(200, throughLink(link));
        const began = performance.now();
        await sender.swallow(200, throughLink(link, `export/${format}`));
        tookMs.push(performance.now() - began);
        await sender.close();
      }
      results.push({
        target: null,
        name: `first export of ${FINDINGS} findings as ${format} after a start`,
        measured: median(tookMs),
        unit: 'ms',
        bound: null,
        floor: 'one at a time, each in a new process',
        rounds: tookMs,
        details: { bestMs: Math.min(...tookMs) },
      });
    }
    return results;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function makeReport(start: () => ReturnType<typeof startServiceProcess>): Promise<Link> {
  await using service = await start();
  const sender = createSender(service.url, 1);
  try {
    const device = await linkDevice(service);
    return await makeLink(device, await sync(sender, device, reportTemplateOf(FINDINGS).prepare()));
  } finally {
    await sender.close();
  }
}
