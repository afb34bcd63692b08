/**
 * Checks the service against a plain model, for any sequence of uploads, decisions, undone decisions, ends of
 * decisions, expiries and deletions: what reports, lists, trends, the gate and exports say. `SVC_TEST_HISTORIES=1000
 * npm test -- findings/model` tries a thousand histories.
 */
import { createHash } from 'node:crypto';
import {
  CARRIED_TAG,
  findingStatuses,
  isSetAside,
  LAPSED_TAG,
  severities,
  type FindingStatus,
} from '@svc/contract';
import { DAY_MS, MINUTE_MS } from '@svc/contract/durations';
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
import { historiesIn } from '@svc/testkit/lane';
import { ModelDays } from '@svc/testkit/open-model-days';
import { OpenModel, type SyncedReport, type Uploaded } from '@svc/testkit/open-model';
import { filteredBy, inOrder, listOf, setAsideIn, trendsOf } from '@svc/testkit/open-model-views';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';

const NAMES = ['a', 'b', 'c'] as const;
const TOOLS = ['alpha', 'beta'] as const;
const TREND_DAYS = 30;

/** A name stands for a fingerprint. */
const uploaded = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...NAMES),
    severity: fc.constantFrom(...severities),
    status: fc.oneof(
      { weight: 4, arbitrary: fc.constant<FindingStatus>('open') },
      { weight: 1, arbitrary: fc.constantFrom(...findingStatuses) },
    ),
    /** The index of the tool that found it, among those that ran. The agent is the first. */
    by: fc.nat({ max: 2 }),
  }),
  { selector: ({ name }) => name, maxLength: NAMES.length },
);
const rarely = (oneIn: number) =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
const report = fc.nat({ max: 20 });
const renamed = fc.record({ from: fc.constantFrom(...NAMES), to: fc.constantFrom(...NAMES) });
const sync = fc.record({
  kind: fc.constant('sync' as const),
  tools: fc.uniqueArray(fc.record({ name: fc.constantFrom(...TOOLS), hasFailed: rarely(4) }), {
    selector: ({ name }) => name,
    maxLength: TOOLS.length,
  }),
  isOfOtherBranch: rarely(6),
  isRenamed: rarely(3),
  findings: uploaded,
  previous: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(renamed, { minLength: 1, maxLength: 3 }) },
  ),
});
const decide = fc.record({
  kind: fc.constant('decide' as const),
  report,
  finding: fc.nat({ max: 20 }),
  isOfAll: rarely(3),
  to: fc.constantFrom(...findingStatuses),
  ends: fc.boolean(),
});
const one = <const Kind extends string>(kind: Kind) => fc.record({ kind: fc.constant(kind), report });
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: sync },
    { weight: 5, arbitrary: decide },
    { weight: 2, arbitrary: one('undo') },
    { weight: 2, arbitrary: one('delete') },
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

function reportOf({
  tools,
  isOfOtherBranch,
  findings,
  previous,
}: Extract<Step, { kind: 'sync' }>): SyncedReport {
  const ran = [null, ...tools.map(({ name }) => name)];
  return {
    tools: tools.map(({ name, hasFailed }) => ({ name, isComplete: !hasFailed })),
    isOfOtherBranch,
    previous,
    findings: findings.map(({ by, ...finding }) => ({ ...finding, tool: ran[by % ran.length] ?? null })),
  };
}

/** The newest report again, after a file was renamed; null when it has no finding, or uses all names. */
function renamedReport(model: OpenModel): SyncedReport | null {
  const shown = model.reports.get(model.readable().at(-1) ?? '')?.shown ?? [];
  const from = shown[0]?.name;
  const to = NAMES.find((name) => shown.every((finding) => finding.name !== name));
  if (from === undefined || to === undefined) return null;
  const findings = shown.map(({ name, severity }) => {
    return { name: name === from ? to : name, severity, status: 'open' as const, tool: null };
  });
  return { tools: [], isOfOtherBranch: false, findings, previous: [{ from, to }] };
}

function bodyOfReport({ tools, isOfOtherBranch, findings }: SyncedReport) {
  const scan = {
    startedAt: '2026-03-04T05:06:07.000Z',
    finishedAt: '2026-03-04T05:06:07.000Z',
    effortRequested: 'auto',
    effortResolved: 'high',
    agent: { name: 'agent', version: '1.0.0' },
    host: { osFamily: 'linux', arch: 'x64', cliVersion: '1.0.0' },
    branch: isOfOtherBranch ? 'topic' : 'main',
    ...(tools.length === 0 ? {} : { tools: tools.map(({ name }) => ({ name: name.toUpperCase() })) }),
  };
  return {
    project: { name: 'shop', defaultBranch: 'main' },
    scan,
    coverageAreas: tools.map(({ name, isComplete }) => {
      return { id: `tool:${name}`, name, status: isComplete ? 'covered' : 'not_covered' };
    }),
    findings: findings.map(bodyOfFinding),
  };
}

const printOf = (name: string) => createHash('sha256').update(name).digest('hex');

function bodyOfFinding({ name, severity, status, tool }: Uploaded, index: number) {
  const tags = tool === null ? {} : { tags: [`tool:${tool}`] };
  return {
    ...findingBody(index + 1),
    title: `Finding ${name}`,
    severity,
    status,
    fingerprint: printOf(name),
    ...tags,
  };
}

/**
 * A call that made decisions. It is forgotten when a report ends or changes a name, and when a tool is no longer used.
 */
interface Call {
  readonly undoId: string;
  readonly reportId: string;
  readonly at: number;
}

interface History {
  readonly model: OpenModel;
  readonly project: BoundProject;
  calls: Call[];
}

async function take(history: History, step: Step): Promise<void> {
  const { model, project } = history;
  clock.advance(MINUTE_MS / 3);
  model.lapse(clock.now());
  if (step.kind === 'undo') return undoIn(history, step.report);
  if (step.kind === 'sync') {
    const synced = (step.isRenamed ? renamedReport(model) : null) ?? reportOf(step);
    const previous = synced.previous.map(({ from, to }) => ({ from: printOf(from), to: printOf(to) }));
    const { reportId } = await syncReport(device, { project, body: bodyOfReport(synced), previous });
    if (model.sync(reportId, synced, clock.now()).length > 0) history.calls = [];
    return;
  }
  if (step.kind === 'wait') return waitIn(history, step.report);
  if (step.kind !== 'decide') history.calls = [];
  if (step.kind === 'forget') {
    const name = ['Alpha', 'BETA', 'agent'][step.report % 3] ?? '';
    bodyOf(await owner.api.deleteProjectTool({ params: { id: project.projectId, name } }));
    model.forgetTool(name.toLowerCase(), clock.now());
    return;
  }
  const ids = model.readable();
  const id = ids[step.report % Math.max(1, ids.length)];
  if (id === undefined) return;
  if (step.kind === 'delete') {
    bodyOf(await owner.api.deleteReport({ params: { id } }));
    model.delete(id, clock.now());
  } else if (step.kind === 'expire') {
    const { read } = server.service.database;
    await read.updateTable('reports').set({ expiresAt: clock.now() }).where('id', '=', id).execute();
    await server.runJob('expired reports');
    model.expire(id);
  } else await decideIn(history, id, step);
}

async function waitIn({ model, project }: History, place: number) {
  clock.advance(place % 3 === 0 ? 0.9 * DAY_MS : 5 * MINUTE_MS);
  model.lapse(clock.now());
  // The service caches this list, so the test detects a later read that returns it instead of a newer one.
  expect(await returnedList(project, {})).toEqual(expectedList(model, {}));
}

async function decideIn({ model, calls }: History, id: string, step: Extract<Step, { kind: 'decide' }>) {
  const findings = model.reports.get(id)?.shown ?? [];
  if (findings.length === 0) return;
  const indexes = step.isOfAll ? [...findings.keys()] : [step.finding % findings.length];
  const now = clock.now();
  const until = step.ends && step.to === 'accepted_risk' ? now + 3 * MINUTE_MS : null;
  const answer = await owner.api.changeFindings({
    params: { id },
    body: {
      findingIds: indexes.map((index) => `F-${index + 1}`),
      status: step.to,
      ...(until === null ? {} : { until: isoTime(until) }),
    },
  });
  const from = indexes.map((index) => findings[index]?.status);
  const undoId = answer.ok ? answer.body.undoId : '';
  const isDecided = model.decideAll(id, indexes, step.to, { until, undoId, now });
  expect([from, step.to, answer.ok]).toEqual([from, step.to, isDecided]);
  if (answer.ok && answer.body.changed.length > 0) calls.push({ undoId, reportId: id, at: now });
}

async function undoIn({ model, calls }: History, place: number) {
  const now = clock.now();
  const recent = calls.filter(({ at }) => now - at <= MINUTE_MS);
  const call = recent[place % Math.max(1, recent.length)];
  if (!call) return;
  calls.splice(calls.indexOf(call), 1);
  const { undoId, reportId } = call;
  bodyOf(await owner.api.undoDecisions({ params: { id: reportId }, body: { undoId } }));
  model.undo(reportId, undoId, now);
}

const isoTime = (at: number) => new Date(at).toISOString();
const timeOf = (at: string) => Date.parse(at);

async function returnedTrends({ workspaceId, projectId }: BoundProject) {
  const query = { days: '30', projectId } as const;
  const trends = bodyOf(await owner.api.getWorkspaceTrends({ params: { id: workspaceId }, query }));
  const oldestOpen = trends.oldestOpen.map(({ reportId, findingId, severity, firstSeenAt }) => {
    return { reportId, findingId, severity, firstSeenAt: timeOf(firstSeenAt) };
  });
  return { ...trends, oldestOpen: inOrder(oldestOpen) };
}

/** What is open of each tool at the end of each day. */
async function returnedByTool({ workspaceId, projectId }: BoundProject) {
  const open: Record<string, unknown> = {};
  for (const tool of ['agent', ...TOOLS]) {
    const query = { days: '30', projectId, tool: tool.toUpperCase() } as const;
    const { days } = bodyOf(await owner.api.getWorkspaceTrends({ params: { id: workspaceId }, query }));
    open[tool] = days.map((day) => day.open);
  }
  return open;
}

function expectedByTool(model: OpenModel) {
  const ofTool = (tool: string) =>
    (model.toolDays.get(tool) ?? new ModelDays()).upTo(clock.now(), TREND_DAYS);
  return Object.fromEntries(['agent', ...TOOLS].map((tool) => [tool, ofTool(tool).map(({ open }) => open)]));
}

async function returnedReports(model: OpenModel, { projectId }: BoundProject) {
  const { reports } = bodyOf(await owner.api.listReports({ query: { projectId } }));
  const open = new Map(reports.map((each) => [each.reportId, 'openFindings' in each && each.openFindings]));
  const shown: unknown[] = [];
  for (const id of model.readable()) {
    const read = bodyOf(await owner.api.getReport({ params: { id } }));
    const findings = read.report?.findings?.map(
      ({ status, severity, firstSeenAt, tags = [], fixHistory = [] }) => ({
        status,
        severity,
        since: firstSeenAt === undefined ? null : timeOf(firstSeenAt),
        isCarried: tags.includes(CARRIED_TAG),
        isLapsed: tags.includes(LAPSED_TAG),
        actions: fixHistory.map(({ action }) => action),
      }),
    );
    shown.push({ findings, open: open.get(id) });
  }
  return shown;
}

const expectedReports = (model: OpenModel) =>
  model.readable().map((id) => ({
    findings: model.reports.get(id)?.shown.map(({ name: _, until: __, ...finding }) => finding),
    open: model.openOfReport(id),
  }));

/** The reports that each finding of the reports is seen in. */
async function returnedAppearances(model: OpenModel) {
  const seen: unknown[] = [];
  for (const id of model.readable()) {
    for (const [index, { name }] of (model.reports.get(id)?.shown ?? []).entries()) {
      if (model.seenIn(name) === null) continue;
      const params = { id, findingId: `F-${index + 1}` };
      const { total, reports } = bodyOf(await owner.api.listAppearances({ params }));
      seen.push([id, index, total, reports.map(({ reportId }) => reportId)]);
    }
  }
  return seen;
}

const expectedAppearances = (model: OpenModel) =>
  model.readable().flatMap((id) =>
    (model.reports.get(id)?.shown ?? []).flatMap(({ name }, index) => {
      const reports = model.seenIn(name);
      return reports === null ? [] : [[id, index, reports.length, reports]];
    }),
  );

async function returnedProject({ workspaceId, projectId }: BoundProject) {
  const { projects } = bodyOf(await owner.api.listProjects({ query: { workspaceId } }));
  return projects.find((each) => each.projectId === projectId)?.openFindings;
}

async function openInOverview({ workspaceId, projectId }: BoundProject) {
  const { projects } = bodyOf(await owner.api.getWorkspaceOverview({ params: { id: workspaceId } }));
  return projects.find((each) => each.projectId === projectId)?.openByWeek.at(-1);
}

const filters = [
  {},
  { severity: 'high' },
  { status: 'open' },
  { severity: 'low', status: 'accepted_risk' },
] as const;

async function returnedList({ workspaceId, projectId }: BoundProject, filter: (typeof filters)[number]) {
  const query = { ...filter, projectId, q: 'finding' };
  const list = bodyOf(await owner.api.listWorkspaceFindings({ params: { id: workspaceId }, query }));
  const { total, counts, inExpiredReports } = list;
  const findings = list.findings.map(({ reportId, findingId, severity, status, firstSeenAt, until }) => ({
    reportId,
    findingId,
    severity,
    status,
    firstSeenAt: timeOf(firstSeenAt),
    until: until === undefined ? null : timeOf(until),
  }));
  return { findings: inOrder(findings), total, counts, inExpiredReports };
}

function expectedList(model: OpenModel, filter: (typeof filters)[number]) {
  const { findings, inExpiredReports } = listOf(model);
  return { ...filteredBy(findings, filter), inExpiredReports };
}

async function returnedGate(model: OpenModel, { projectId: id }: BoundProject) {
  const body = { fingerprints: NAMES.map(printOf) };
  const { decisions } = bodyOf(await device.api.queryDecisions({ params: { id }, body }));
  return NAMES.flatMap((name) =>
    decisions
      .filter(({ fingerprint }) => fingerprint === printOf(name))
      .map(({ status, severity, until, decidedAt }) => ({
        name,
        status,
        severity,
        until: until === null ? null : timeOf(until),
        // The model does not know when a report first had a decision.
        decidedAt: model.memory.get(name)?.decidedAt === null ? null : timeOf(decidedAt),
      })),
  );
}

/** The statuses of the newest report's findings in its export, and how many of its SARIF results are suppressed. */
async function returnedExports(model: OpenModel) {
  const id = model.readable().at(-1);
  if (id === undefined) return null;
  const exported = async (format: 'json' | 'sarif') =>
    (await owner.fetch(`/api/v1/reports/${id}/export/${format}`)).json() as unknown;
  const { findings } = (await exported('json')) as { findings?: { status: FindingStatus }[] };
  const { runs } = (await exported('sarif')) as {
    runs: { results: { suppressions?: unknown[] }[] }[];
  };
  const results = runs.flatMap((run) => run.results);
  return {
    statuses: findings?.map(({ status }) => status).toSorted(),
    suppressed: results.filter(({ suppressions = [] }) => suppressions.length > 0).length,
    results: results.length,
  };
}

function expectedExports(model: OpenModel) {
  const shown = model.reports.get(model.readable().at(-1) ?? '')?.shown;
  if (!shown) return null;
  const statuses = shown.map(({ status }) => status).toSorted();
  return { statuses, suppressed: statuses.filter(isSetAside).length, results: statuses.length };
}

test(
  '[D12] [D19] [D20] [D21] [D26] after any history, the service returns the same as a plain model',
  { tags: 'repeated', timeout: 7_200_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        // Sessions end before a thousand histories do.
        owner = { ...owner, ...server.withCookie(await server.logIn(owner)) };
        const model = new OpenModel();
        const project = await bindProject(owner);
        const history: History = { model, project, calls: [] };
        for (const step of sequence) await take(history, step);
        // Trends come first, because other reads record the ends of decisions.
        expect(await returnedTrends(project)).toEqual(trendsOf(model, clock.now(), TREND_DAYS));
        expect(await returnedByTool(project)).toEqual(expectedByTool(model));
        for (const filter of filters)
          expect(await returnedList(project, filter)).toEqual(expectedList(model, filter));
        expect(await returnedGate(model, project)).toEqual(
          NAMES.flatMap((name) => setAsideIn(model).filter((each) => each.name === name)),
        );
        expect(await returnedProject(project)).toEqual(model.wasSynced ? model.openOfProject() : null);
        expect(await openInOverview(project)).toBe(
          Object.values(model.openOfProject()).reduce((sum, count) => sum + count, 0),
        );
        expect(await returnedReports(model, project)).toEqual(expectedReports(model));
        expect(await returnedAppearances(model)).toEqual(expectedAppearances(model));
        expect(await returnedExports(model)).toEqual(expectedExports(model));
      }),
      { numRuns: historiesIn(12, 60) },
    );
  },
);
