/**
 * T30: whether the time of a read through a share reveals findings that the share hides. Samples of both sides are
 * taken alternately and compared with Welch's t; below 4.5 they count as equal.
 *
 * `SVC_SECRECY_SAMPLES` and `SVC_SECRECY_RESTARTS` set how many samples of each side are taken.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  findingBody,
  interleavedTimes,
  newLocalId,
  reportBytes,
  startServiceProcess,
  welch,
  type ServiceProcess,
} from '@svc/testkit';
import type { SharePolicy } from '@svc/contract';
import { createHash } from 'node:crypto';
import { linkDevice, sync, type SyncingDevice } from '../data/devices.ts';
import { makeLink, throughLink } from '../data/links.ts';
import type { Result, Suite } from '../harness/result.ts';
import { createSender, type Sender } from '../harness/sender.ts';

const T_MAX = 4.5;
const SAMPLES = 1000;
const SMOKE_SAMPLES = 2;
const HIDDEN = 1500;
/** Reads before the samples. A smoke run needs none. */
const WARM_UP = 20;
const forms = ['report', 'export/html', 'export/json', 'export/markdown', 'export/sarif'];
const policy: SharePolicy = {
  version: 1,
  sections: { mode: 'allow_all' },
  findings: { mode: 'allow_all', maxSeverity: 'high' },
  fields: { evidence: true, code: true, reproduction: true, remediation: true, metadata: true },
};
const TWO_SIDES = { none: 0, many: HIDDEN };
type Side = keyof typeof TWO_SIDES;
const sides = Object.keys(TWO_SIDES) as Side[];
type Reports = Readonly<Record<Side, string>>;

export const secrecySuite: Suite = {
  name: 'secrecy',
  async run({ smoke }) {
    const samples = smoke ? SMOKE_SAMPLES : countFrom('SVC_SECRECY_SAMPLES');
    const restarts = smoke ? SMOKE_SAMPLES : countFrom('SVC_SECRECY_RESTARTS');
    const dataDir = await mkdtemp(path.join(tmpdir(), 'svc-bench-secrecy-'));
    try {
      const first = await start(dataDir);
      const device = await linkDevice(first);
      const sender = createSender(first.url, 1);
      const reports = await syncBoth(sender, device);
      const slugs = await linksTo(device, reports);
      const results = [
        ...(await warmReads(first, slugs, samples)),
        ...(await firstReadsOfLinks(sender, device, reports, samples)),
        ...(await readsAroundDecisions(sender, device, samples)),
      ];
      await sender.close();
      await first.stop();
      return [...results, await readsAfterRestarts(dataDir, slugs, restarts)];
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

function countFrom(variable: string): number {
  return Number(process.env[variable] ?? SAMPLES);
}

function warmUpBefore(samples: number): number {
  return samples > SMOKE_SAMPLES ? WARM_UP : 0;
}

function start(dataDir: string): Promise<ServiceProcess> {
  return startServiceProcess({ program: 'bundle', generousThrottles: true, generousPlans: true, dataDir });
}

async function syncBoth(sender: Sender, device: SyncingDevice): Promise<Reports> {
  const [none, many] = [
    await syncWith(sender, device, TWO_SIDES.none),
    await syncWith(sender, device, TWO_SIDES.many),
  ];
  return { none, many };
}

/** Syncs a report with twenty findings that the share lists, and this many that it hides. */
async function syncWith(sender: Sender, device: SyncingDevice, hidden: number): Promise<string> {
  const findings = [
    ...Array.from({ length: 20 }, (_, index) => findingBody(index + 1)),
    ...Array.from({ length: hidden }, (_, index) => ({ ...findingBody(index + 100), severity: 'critical' })),
  ];
  const localReportId = newLocalId();
  const bytes = reportBytes({ localReportId, findings });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return sync(sender, device, { localReportId, bytes, sha256 });
}

async function linksTo(device: SyncingDevice, reports: Reports): Promise<Record<Side, string>> {
  const slugOf = async (side: Side) => (await makeLink(device, reports[side], { policy })).slug;
  return { none: await slugOf('none'), many: await slugOf('many') };
}

async function warmReads(service: ServiceProcess, slugs: Record<Side, string>, samples: number) {
  const results: Result[] = [];
  for (const form of forms) {
    const ask = (side: Side) => () => service.anonymous.fetch(throughLink({ slug: slugs[side] }, form).path);
    const times = await interleavedTimes(
      { none: ask('none'), many: ask('many') },
      samples,
      warmUpBefore(samples),
    );
    results.push(resultOf(`warm reads of ${form}, 0 and ${HIDDEN} hidden findings`, times.none, times.many));
  }
  return results;
}

/** Each read uses a new share, whose report is not rendered yet. */
async function firstReadsOfLinks(sender: Sender, device: SyncingDevice, reports: Reports, samples: number) {
  const times: Record<Side, number[]> = { none: [], many: [] };
  for (let round = 0; round < samples + warmUpBefore(samples); round += 1) {
    const slugs = await linksTo(device, reports);
    for (const side of inChanceOrder()) {
      const took = await timed(() => sender.swallow(200, throughLink({ slug: slugs[side] })));
      if (round >= warmUpBefore(samples)) times[side].push(took);
    }
    await Promise.all(sides.map((side) => endLinks(device, reports[side])));
  }
  return [resultOf(`first reads of a link, 0 and ${HIDDEN} hidden findings`, times.none, times.many)];
}

/** Keeps a report within its plan's limit of active shares. The oldest share stays. */
async function endLinks({ owner }: SyncingDevice, reportId: string): Promise<void> {
  const listed = await owner.api.listShares({ params: { id: reportId } });
  if (!listed.ok) throw new Error(listed.error.code);
  for (const { id: shareId } of listed.body.shares.slice(1).filter(({ revokedAt }) => revokedAt === null))
    await owner.api.revokeShare({ params: { shareId }, query: { reportId } });
}

/**
 * Two equal reports, and a third that is never read. Before each read, a triage decision is made about a hidden
 * finding: of the report that is read, or of the third. So both reads follow the same work, but only one reads a report
 * that has changed.
 */
async function readsAroundDecisions(sender: Sender, device: SyncingDevice, samples: number) {
  const [untouched, decidedOn, third] = [
    await syncWith(sender, device, 5),
    await syncWith(sender, device, 5),
    await syncWith(sender, device, 5),
  ];
  const slugs = await linksTo(device, { none: untouched, many: decidedOn });
  const times: Record<Side, number[]> = { none: [], many: [] };
  for (let round = 0; round < samples + warmUpBefore(samples); round += 1) {
    const status = round % 2 === 0 ? 'accepted_risk' : 'open';
    for (const side of inChanceOrder()) {
      await decide(device, side === 'many' ? decidedOn : third, status);
      const took = await timed(() => sender.swallow(200, throughLink({ slug: slugs[side] })));
      if (round >= warmUpBefore(samples)) times[side].push(took);
    }
  }
  return [resultOf('reads before and after a decision about a hidden finding', times.none, times.many)];
}

async function decide({ owner }: SyncingDevice, id: string, status: 'accepted_risk' | 'open'): Promise<void> {
  const params = { id, findingId: 'F-101' };
  const decided = await owner.api.changeFindingStatus({ params, body: { status } });
  if (!decided.ok) throw new Error(decided.error.code);
}

async function readsAfterRestarts(
  dataDir: string,
  slugs: Record<Side, string>,
  restarts: number,
): Promise<Result> {
  const times: Record<Side, number[]> = { none: [], many: [] };
  for (let round = 0; round < restarts; round += 1) {
    for (const side of inChanceOrder()) {
      const service = await start(dataDir);
      const sender = createSender(service.url, 1);
      await sender.swallow(200, { path: '/api/v1/health' });
      times[side].push(await timed(() => sender.swallow(200, throughLink({ slug: slugs[side] }))));
      await sender.close();
      await service.stop();
    }
  }
  return resultOf(`first reads after a restart, 0 and ${HIDDEN} hidden findings`, times.none, times.many);
}

/** A random side goes first, so that other work of the machine affects both equally. */
function inChanceOrder(): readonly Side[] {
  return Math.random() < 0.5 ? sides : sides.toReversed();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function resultOf(name: string, one: readonly number[], other: readonly number[]): Result {
  const t = Math.abs(welch(one, other));
  // Prints intermediate results, because a run takes long.
  console.error(`${name}: |t| ${t.toFixed(2)}, ${one.length} samples of each`);
  return {
    target: 'T30',
    name,
    measured: t,
    unit: '|t|',
    bound: { sense: 'at most', value: T_MAX },
    floor: `${one.length} samples of each, in turns`,
    rounds: [t],
    details: {
      samples: one.length,
      oneMedianMs: medianOf(one),
      otherMedianMs: medianOf(other),
      oneMeanMs: meanOf(one),
      otherMeanMs: meanOf(other),
    },
  };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
