/** P14: search in 50,000 findings of 200 projects, and a gate's query of 10,000 fingerprints. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bindProject, startServiceProcess, type BoundProject, type ServiceProcess } from '@svc/testkit';
import { linkDevice, sync, type SyncingDevice } from '../data/devices.ts';
import { reportTemplateOf } from '../data/report-template.ts';
import { peakResidentBytes, processorTimeMs, residentBytes } from '../harness/process-usage.ts';
import type { Result, Suite, SuiteOptions } from '../harness/result.ts';
import { createSender, type SentRequest } from '../harness/sender.ts';
import { median } from '../harness/statistics.ts';

const MIB = 1024 * 1024;
const WARM_MS_MAX = 150;
const FIRST_MS_MAX = 1000;
const GATE_MS_MAX = 200;
const FINGERPRINTS = 10_000;
const SYNCED_AT_ONCE = 4;

const sizeOf = ({ smoke }: SuiteOptions) =>
  smoke ? { projects: 5, findingsEach: 20, rounds: 2 } : { projects: 200, findingsEach: 250, rounds: 21 };

/** What people ask: the first page, terms that many findings have, terms that no finding has, and another order. */
const queries: Readonly<Record<string, string>> = {
  'the first page': '',
  'terms with filters': 'q=handler+service&severity=critical,high&status=open',
  'terms that no finding has': 'q=handler+nowhere-at-all',
  'the newest, 200 of them': 'sort=newest&limit=200',
};

interface Filled {
  readonly dataDir: string;
  readonly cookie: string;
  readonly device: SyncingDevice;
  readonly firstProject: BoundProject;
  readonly total: number;
}

export const workspaceFindingsSuite: Suite = {
  name: 'workspace-findings',
  async run(options) {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'svc-bench-workspace-'));
    try {
      const filled = await fill(dataDir, options);
      return [
        await measureFirst(filled, options),
        ...(await withService(dataDir, (service) => measureWarm(service, filled, options))),
      ];
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

const start = (dataDir: string) =>
  startServiceProcess({ program: 'bundle', generousThrottles: true, generousPlans: true, dataDir });

async function withService<Value>(dataDir: string, work: (service: ServiceProcess) => Promise<Value>) {
  const service = await start(dataDir);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

/** One workspace, filled as scans fill it: each project has one report. */
function fill(dataDir: string, options: SuiteOptions): Promise<Filled> {
  const { projects, findingsEach } = sizeOf(options);
  return withService(dataDir, async (service) => {
    const device = await linkDevice(service);
    const sender = createSender(service.url, SYNCED_AT_ONCE);
    const template = reportTemplateOf(findingsEach);
    const { workspaceId } = device.project;
    const bound = [device.project];
    while (bound.length < projects) bound.push(await bindProject(device.owner, workspaceId));
    let next = 0;
    const syncNext = async () => {
      for (let project = bound[next++]; project; project = bound[next++])
        await sync(sender, { headers: device.headers, project }, template.prepare());
    };
    await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, syncNext));
    await sender.close();
    const { cookie } = device.owner;
    return { dataDir, cookie, device, firstProject: device.project, total: projects * findingsEach };
  });
}

const listRequest = ({ cookie, firstProject }: Filled, query: string): SentRequest => ({
  path: `/api/v1/workspaces/${firstProject.workspaceId}/findings?${query}`,
  headers: { cookie },
});

/** The first query after a start has to read everything. */
async function measureFirst(filled: Filled, options: SuiteOptions): Promise<Result> {
  const rounds: number[] = [];
  const [idle, after, peak, processor]: number[][] = [[], [], [], []];
  for (let round = 0; round < (options.smoke ? 1 : 5); round += 1) {
    await withService(filled.dataDir, async (service) => {
      const sender = createSender(service.url, 1);
      // Loads the code, and nothing of the workspace.
      await sender.expect(200, { path: '/api/v1/session', headers: { cookie: filled.cookie } });
      idle?.push(residentBytes(service.pid) / MIB);
      const [began, usedBefore] = [performance.now(), processorTimeMs(service.pid)];
      const text = await sender.expect(200, listRequest(filled, queries['terms with filters'] ?? ''));
      rounds.push(performance.now() - began);
      processor?.push(processorTimeMs(service.pid) - usedBefore);
      after?.push(residentBytes(service.pid) / MIB);
      peak?.push(peakResidentBytes(service.pid) / MIB);
      if ((JSON.parse(text) as { total: number }).total === 0) throw new Error('The search found nothing.');
      await sender.close();
    });
  }
  return {
    target: 'P14',
    name: `first search in ${filled.total} findings after a start`,
    measured: median(rounds),
    unit: 'ms',
    bound: { sense: 'at most', value: FIRST_MS_MAX },
    floor: 'none; one connection',
    rounds,
    details: {
      processorMs: median(processor ?? []),
      idleMB: median(idle ?? []),
      afterMB: median(after ?? []),
      peakMB: median(peak ?? []),
    },
  };
}

async function measureWarm(
  service: ServiceProcess,
  filled: Filled,
  options: SuiteOptions,
): Promise<Result[]> {
  const { rounds: count } = sizeOf(options);
  const sender = createSender(service.url, 1);
  const all = JSON.parse(await sender.expect(200, listRequest(filled, ''))) as { total: number };
  if (all.total !== filled.total) throw new Error(`The list has ${all.total} of ${filled.total} findings.`);
  const results: Result[] = [];
  const measure = async (name: string, most: number, request: SentRequest) => {
    const rounds: number[] = [];
    for (let round = 0; round < count + 1; round += 1) {
      const began = performance.now();
      await sender.swallow(200, request);
      if (round > 0) rounds.push(performance.now() - began);
    }
    results.push({
      target: 'P14',
      name,
      measured: median(rounds),
      unit: 'ms',
      bound: { sense: 'at most', value: most },
      floor: 'none; one connection',
      rounds,
      details: { residentMB: residentBytes(service.pid) / MIB, peakMB: peakResidentBytes(service.pid) / MIB },
    });
  };
  for (const [name, query] of Object.entries(queries))
    await measure(`search in ${filled.total} findings: ${name}`, WARM_MS_MAX, listRequest(filled, query));
  await measure(`gate query of ${FINGERPRINTS} fingerprints`, GATE_MS_MAX, gateRequest(filled));
  await sender.close();
  return results;
}

/** Most fingerprints belong to no finding. */
function gateRequest({ device, firstProject }: Filled): SentRequest {
  const printOf = (number: number) => createHash('sha256').update(`finding ${number}`).digest('hex');
  const fingerprints = Array.from({ length: FINGERPRINTS }, (_, index) => printOf(index + 1));
  return {
    method: 'POST',
    path: `/api/v1/projects/${firstProject.projectId}/decisions/query`,
    headers: device.headers,
    body: JSON.stringify({ fingerprints }),
  };
}
