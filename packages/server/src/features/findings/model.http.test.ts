/**
 * Checks the service against a plain model, for any sequence of uploads, decisions, ends of decisions, expiries and deletions:
 * the statuses of findings, and the counts of reports, projects and days.
 */
import { createHash } from 'node:crypto';
import { CARRIED_TAG, findingStatuses, LAPSED_TAG, severities, type FindingStatus } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  createFakeClock,
  findingBody,
  syncReport,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { inLane } from '@svc/testkit/lane';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { OpenModel, type SyncedReport, type Uploaded } from '@svc/testkit/open-model';

const NAMES = ['a', 'b', 'c'] as const;
const MINUTE_MS = 60_000;

const uploaded = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...NAMES),
    severity: fc.constantFrom(...severities),
    status: fc.oneof(
      { weight: 4, arbitrary: fc.constant<FindingStatus>('open') },
      { weight: 1, arbitrary: fc.constantFrom(...findingStatuses) },
    ),
  }),
  { selector: ({ name }) => name, maxLength: NAMES.length },
);
const report = fc.nat({ max: 20 });
const sync = fc.record({
  kind: fc.constant('sync' as const),
  tool: fc.constantFrom(null, 'alpha', 'beta'),
  isComplete: fc.oneof(
    { weight: 3, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  isOfOtherBranch: fc.oneof(
    { weight: 5, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  findings: uploaded,
});
const decide = fc.record({
  kind: fc.constant('decide' as const),
  report,
  finding: fc.nat({ max: 20 }),
  to: fc.constantFrom(...findingStatuses),
  ends: fc.boolean(),
});
const one = <const Kind extends string>(kind: Kind) => fc.record({ kind: fc.constant(kind), report });
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: sync },
    { weight: 5, arbitrary: decide },
    { weight: 1, arbitrary: one('delete') },
    { weight: 1, arbitrary: one('expire') },
    { weight: 1, arbitrary: one('wait') },
    { weight: 1, arbitrary: one('forget') },
  ),
  { minLength: 8, maxLength: 20, size: 'max' },
);
type Step = typeof steps extends fc.Arbitrary<(infer Each)[]> ? Each : never;

const clock = createFakeClock();
let owner: SessionActor;
let device: DeviceActor;

const server = sharedServer({ clock, generousPlans: true });

beforeAll(async () => {
  owner = await server.signUp();
  device = await server.linkDevice(owner);
});

function bodyOfReport({ tool, isComplete, isOfOtherBranch, findings }: SyncedReport) {
  const scan = {
    startedAt: '2026-03-04T05:06:07.000Z',
    finishedAt: '2026-03-04T05:06:07.000Z',
    effortRequested: 'auto',
    effortResolved: 'high',
    agent: { name: 'agent', version: '1.0.0' },
    host: { osFamily: 'linux', arch: 'x64', cliVersion: '1.0.0' },
    branch: isOfOtherBranch ? 'topic' : 'main',
    ...(tool === null ? {} : { tools: [{ name: tool.toUpperCase() }] }),
  };
  const status = isComplete ? 'covered' : 'not_covered';
  return {
    project: { name: 'shop', defaultBranch: 'main' },
    scan,
    coverageAreas: tool === null ? [] : [{ id: `tool:${tool}`, name: tool, status }],
    findings: findings.map((finding, index) => bodyOfFinding(finding, index, tool)),
  };
}

function bodyOfFinding({ name, severity, status }: Uploaded, index: number, tool: string | null) {
  const fingerprint = createHash('sha256').update(name).digest('hex');
  const tags = tool === null ? {} : { tags: [`tool:${tool}`] };
  return { ...findingBody(index + 1), severity, status, fingerprint, ...tags };
}

async function take(model: OpenModel, project: BoundProject, step: Step): Promise<void> {
  clock.advance(MINUTE_MS / 2);
  model.lapse(clock.now());
  if (step.kind === 'sync') {
    const { reportId } = await syncReport(device, { project, body: bodyOfReport(step) });
    model.sync(reportId, step, clock.now());
    return;
  }
  if (step.kind === 'wait') {
    clock.advance(5 * MINUTE_MS);
    model.lapse(clock.now());
    return;
  }
  if (step.kind === 'forget') {
    const name = ['Alpha', 'BETA', 'agent'][step.report % 3] ?? '';
    bodyOf(await owner.api.deleteProjectTool({ params: { id: project.projectId, name } }));
    model.forgetTool(name.toLowerCase());
    return;
  }
  const ids = model.readable();
  const id = ids[step.report % Math.max(1, ids.length)];
  if (id === undefined) return;
  if (step.kind === 'delete') {
    bodyOf(await owner.api.deleteReport({ params: { id } }));
    model.delete(id);
  } else if (step.kind === 'expire') {
    const { read } = server.service.database;
    await read.updateTable('reports').set({ expiresAt: clock.now() }).where('id', '=', id).execute();
    await server.runJob('expired reports');
    model.expire(id);
  } else await decideIn(model, id, step);
}

async function decideIn(model: OpenModel, id: string, step: Extract<Step, { kind: 'decide' }>) {
  const findings = model.reports.get(id)?.shown ?? [];
  const index = step.finding % Math.max(1, findings.length);
  if (findings.length === 0) return;
  const until = step.ends && step.to === 'accepted_risk' ? clock.now() + 3 * MINUTE_MS : null;
  const answer = await owner.api.changeFindingStatus({
    params: { id, findingId: `F-${index + 1}` },
    body: { status: step.to, ...(until === null ? {} : { until: new Date(until).toISOString() }) },
  });
  const from = findings[index]?.status;
  expect([from, step.to, answer.ok]).toEqual([from, step.to, model.decide(id, index, step.to, until)]);
}

async function returned(model: OpenModel, { workspaceId, projectId }: BoundProject) {
  const { reports } = bodyOf(await owner.api.listReports({ query: { projectId } }));
  const open = new Map(reports.map((each) => [each.reportId, 'openFindings' in each && each.openFindings]));
  const shown: unknown[] = [];
  for (const id of model.readable()) {
    const read = bodyOf(await owner.api.getReport({ params: { id } }));
    const findings = read.report?.findings?.map(
      ({ status, severity, firstSeenAt, tags = [], fixHistory = [] }) => ({
        status,
        severity,
        since: firstSeenAt === undefined ? null : Date.parse(firstSeenAt),
        isCarried: tags.includes(CARRIED_TAG),
        isLapsed: tags.includes(LAPSED_TAG),
        actions: fixHistory.map(({ action }) => action),
      }),
    );
    shown.push({ findings, open: open.get(id) });
  }
  const { projects } = bodyOf(await owner.api.listProjects({ query: { workspaceId } }));
  const project = projects.find((each) => each.projectId === projectId);
  const day = await server.service.database.read
    .selectFrom('findingDays')
    .select(['critical', 'high', 'medium', 'low', 'info'])
    .where('projectId', '=', projectId)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { shown, project: project?.openFindings, day: day ?? null };
}

function expected(model: OpenModel) {
  const shown = model.readable().map((id) => ({
    findings: model.reports.get(id)?.shown.map(({ name: _, until: __, ...finding }) => finding),
    open: model.openOfReport(id),
  }));
  const open = model.reports.size === 0 && !model.wasSynced ? null : model.openOfProject();
  return { shown, project: open, day: open };
}

test(
  '[D12] [D19] [D26] any sequence of reports, decisions and deletions is returned as a plain model returns it',
  { tags: 'repeated', timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const model = new OpenModel();
        const project = await bindProject(owner);
        for (const step of sequence) await take(model, project, step);
        expect(await returned(model, project)).toEqual(expected(model));
      }),
      { numRuns: inLane(12, 60) },
    );
  },
);
