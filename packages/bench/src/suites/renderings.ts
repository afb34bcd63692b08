/** The cost of the most expensive reports in each format, one at a time; without a target. */
import { exportFormats } from '@svc/contract';
import { costlyReport, costlyReports } from '../data/costly-reports.ts';
import { linkDevice, sync } from '../data/devices.ts';
import { makeLink, narrowPolicy, throughLink, type Link } from '../data/links.ts';
import { processorTimeMs } from '../harness/process-usage.ts';
import type { Result, Suite } from '../harness/result.ts';
import { createSender } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';

const LARGEST_BYTES = 12 * 1024 * 1024 - 100;
const MIB = 1024 * 1024;

export const renderingsSuite: Suite = {
  name: 'renderings',
  async run(options) {
    const { smoke } = options;
    const service = await startService(options);
    const sender = createSender(service.url, 1);
    try {
      const device = await linkDevice(service);
      const results: Result[] = [];
      for (const costly of smoke ? costlyReports.slice(0, 1) : costlyReports) {
        const report = costlyReport(costly, smoke ? MIB : LARGEST_BYTES);
        const link = await makeLink(device, await sync(sender, device, report), { policy: narrowPolicy });
        for (const [form, path] of formsOf(link)) {
          const before = processorTimeMs(service.pid);
          const { status, text } = await sender.send({ path, headers: { 'sec-fetch-dest': 'document' } });
          const spentMs = processorTimeMs(service.pid) - before;
          results.push({
            target: null,
            name: `${costly.name} as ${form}`,
            measured: spentMs,
            unit: 'ms',
            bound: null,
            floor: 'processor time of all threads, for the largest report',
            rounds: [spentMs],
            details: { status, outputMB: text.length / 1_000_000 },
          });
        }
      }
      return results;
    } finally {
      await sender.close();
      await service.stop();
    }
  },
};

function formsOf(link: Link): readonly (readonly [form: string, path: string])[] {
  return [
    ['data', throughLink(link).path],
    ['firstScreen', `/s/${link.slug}`],
    ...exportFormats.map((format) => [format, throughLink(link, `export/${format}`).path] as const),
  ];
}
