/** P2: the cost of a projection, compared with a bare function that parses, filters and stringifies the same report. */
import type { SharePolicy } from '@svc/contract';
import { wholePolicy } from '@svc/testkit';
import type { CanonicalReport } from '@svc/report';
import { render, type RenderingTask } from '@svc/server/rendering';
import { linkDevice, sync } from '../data/devices.ts';
import { makeLink, narrowPolicy, throughLink } from '../data/links.ts';
import { reportTemplateOf } from '../data/report-template.ts';
import type { Result, Suite, SuiteOptions } from '../harness/result.ts';
import { interleave, medianOf, ratios } from '../harness/rounds.ts';
import { createSender } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';
import { median } from '../harness/statistics.ts';

const TIMES_FLOOR_MAX = 1.5;
const COUNTS = [1000, 10_000];
const policies = {
  'all of it': { policy: wholePolicy, letsThrough: () => true },
  'narrowed and anonymous': {
    policy: narrowPolicy,
    letsThrough: ({ severity }: CanonicalReport['findings'][number]) => severity !== 'critical',
  },
};

export const projectionsSuite: Suite = {
  name: 'projections',
  async run(options) {
    const counts = options.smoke ? COUNTS.slice(0, 1) : COUNTS;
    const results: Result[] = [];
    for (const count of counts) results.push(...(await measureAlone(count, options)));
    return [...results, ...(await measureFirstReads(counts, options))];
  },
};

/** Measures the path from the stored report body to the bytes of a response: the service's code in this process. */
async function measureAlone(count: number, { smoke }: SuiteOptions): Promise<Result[]> {
  const { bytes } = reportTemplateOf(count).prepare();
  const results: Result[] = [];
  for (const [name, { policy, letsThrough }] of Object.entries(policies)) {
    const compared = await interleave(
      smoke ? 1 : roundsOf(count),
      () => timed(() => render(taskOf(bytes, policy))),
      () => timed(async () => parseFilterStringify(bytes, letsThrough)),
    );
    const rounds = ratios(compared, (tookMs) => tookMs);
    results.push({
      target: 'P2',
      name: `projection of ${count} findings, ${name}`,
      measured: median(rounds),
      unit: '×',
      bound: { sense: 'at most', value: TIMES_FLOOR_MAX },
      floor: 'parse, filter, stringify',
      rounds,
      details: {
        tookMs: medianOf(compared.a, (tookMs) => tookMs),
        floorMs: medianOf(compared.b, (tookMs) => tookMs),
        timesFloorAtBest: Math.min(...compared.a) / Math.min(...compared.b),
      },
    });
  }
  return results;
}

/** Each read uses a share of its own whose rendering is not cached. */
async function measureFirstReads(counts: readonly number[], options: SuiteOptions): Promise<Result[]> {
  const service = await startService(options);
  const sender = createSender(service.url, 1);
  try {
    const device = await linkDevice(service);
    const results: Result[] = [];
    for (const count of counts) {
      const reportId = await sync(sender, device, reportTemplateOf(count).prepare());
      for (const [name, { policy }] of Object.entries(policies)) {
        const rounds: number[] = [];
        for (let round = 0; round < (options.smoke ? 1 : 9); round += 1) {
          const request = throughLink(await makeLink(device, reportId, { policy }));
          rounds.push(await timed(() => sender.swallow(200, request)));
        }
        results.push({
          target: null,
          name: `first read of ${count} findings, ${name}`,
          measured: median(rounds),
          unit: 'ms',
          bound: null,
          floor: 'one at a time, each through a new link',
          rounds,
          details: {},
        });
      }
    }
    return results;
  } finally {
    await sender.close();
    await service.stop();
  }
}

const roundsOf = (count: number) => (count > 1000 ? 15 : 41);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function taskOf(bytes: Uint8Array, policy: SharePolicy): RenderingTask {
  return {
    bytes,
    overlays: {},
    form: 'data',
    projectionInput: {
      reportId: 'rep_00000000000000000000000000',
      projectedFor: { principalType: 'anonymous' },
      share: { policy, projectNames: ['Project', 'shop'], fingerprintKey: new Uint8Array(32) },
    },
  };
}

function parseFilterStringify(
  bytes: Uint8Array,
  letsThrough: (finding: CanonicalReport['findings'][number]) => boolean,
): Uint8Array {
  const report = JSON.parse(Buffer.from(bytes).toString()) as CanonicalReport;
  return Buffer.from(JSON.stringify({ ...report, findings: report.findings.filter(letsThrough) }));
}
