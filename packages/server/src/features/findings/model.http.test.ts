/**
 * Checks the service against a simple model, for any sequence of uploads, decisions and deletions. The model is a few maps
 * without snapshots, digests, overlays or packed columns.
 */
import { createHash } from 'node:crypto';
import { CARRIED_TAG, findingStatuses, severities, type FindingStatus, type Severity } from '@svc/contract';
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

const NAMES = ['a', 'b', 'c'] as const;
type Name = (typeof NAMES)[number];

interface Uploaded {
  readonly name: Name;
  readonly severity: Severity;
  readonly status: FindingStatus;
}
type Step =
  | { readonly kind: 'sync'; readonly findings: readonly Uploaded[] }
  | { readonly kind: 'move'; readonly report: number; readonly finding: number; readonly to: FindingStatus }
  | { readonly kind: 'delete'; readonly report: number };

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
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('sync' as const), findings: uploaded }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('move' as const),
        report: fc.nat({ max: 20 }),
        finding: fc.nat({ max: 20 }),
        to: fc.constantFrom(...findingStatuses),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('delete' as const), report: fc.nat({ max: 20 }) }),
    },
  ),
  { minLength: 8, maxLength: 20, size: 'max' },
);

interface Shown {
  readonly name: Name;
  readonly severity: Severity;
  readonly since: number | null;
  status: FindingStatus;
  isCarried: boolean;
  readonly actions: string[];
}
interface Remembered {
  readonly since: number;
  status: FindingStatus;
  severity: Severity;
}

const ALLOWED: Readonly<Record<string, string>> = {
  'open fix_suggested': 'suggested',
  'fix_suggested fix_applied': 'applied',
  'fix_applied fixed_verified': 'verified',
  'fix_applied open': 'reverted',
};
const isAside = (status: FindingStatus) => ['accepted_risk', 'false_positive'].includes(status);
const rank = (severity: Severity) => severities.indexOf(severity);

/** The expected state. */
class Model {
  readonly reports = new Map<string, Shown[]>();
  readonly memory = new Map<Name, Remembered>();

  sync(id: string, findings: readonly Uploaded[], now: number): void {
    this.reports.set(
      id,
      findings.map(({ name, severity, status }) => {
        const before = this.memory.get(name);
        const shown: Shown = {
          name,
          severity,
          status,
          since: before?.since ?? null,
          isCarried: false,
          actions: [],
        };
        if (
          before &&
          status === 'open' &&
          isAside(before.status) &&
          rank(severity) >= rank(before.severity)
        ) {
          shown.status = before.status;
          shown.isCarried = true;
          return shown;
        }
        if (before?.status === 'fixed_verified' && status === 'open') shown.actions.push('reverted');
        this.memory.set(name, { since: before?.since ?? now, status, severity });
        return shown;
      }),
    );
  }

  /** False when that change of status is not allowed. */
  move(finding: Shown, to: FindingStatus): boolean {
    const from = finding.status;
    const action = ALLOWED[`${from} ${to}`];
    if (from === to || !(action !== undefined || isAside(from) || isAside(to))) return false;
    if (action !== undefined && !isAside(from) && !isAside(to)) finding.actions.push(action);
    finding.status = to;
    finding.isCarried = false;
    const remembered = this.memory.get(finding.name);
    if (remembered) Object.assign(remembered, { status: to, severity: finding.severity });
    return true;
  }

  openOf(id: string | undefined): Record<Severity, number> | null {
    const report = this.reports.get(id ?? '');
    if (!report) return null;
    const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
    for (const { status, severity } of report) {
      if (['open', 'fix_suggested', 'fix_applied'].includes(status)) counts[severity] += 1;
    }
    return counts;
  }
}

const clock = createFakeClock();
let owner: SessionActor;
let device: DeviceActor;

const server = sharedServer({ clock, generousPlans: true });

beforeAll(async () => {
  owner = await server.signUp();
  device = await server.linkDevice(owner);
});

function bodyOfFinding({ name, severity, status }: Uploaded, index: number): Record<string, unknown> {
  const fingerprint = createHash('sha256').update(name).digest('hex');
  return { ...findingBody(index + 1), severity, status, fingerprint };
}

async function take(model: Model, project: BoundProject, step: Step): Promise<void> {
  if (step.kind === 'sync') {
    const findings = step.findings.map(bodyOfFinding);
    const { reportId } = await syncReport(device, { project, body: { findings } });
    model.sync(reportId, step.findings, clock.now());
    return;
  }
  const ids = [...model.reports.keys()];
  const id = ids[step.report % Math.max(1, ids.length)];
  const findings = model.reports.get(id ?? '') ?? [];
  if (id === undefined) return;
  if (step.kind === 'delete') {
    bodyOf(await owner.api.deleteReport({ params: { id } }));
    model.reports.delete(id);
    return;
  }
  const index = step.finding % Math.max(1, findings.length);
  const finding = findings[index];
  if (!finding) return;
  const answer = await owner.api.changeFindingStatus({
    params: { id, findingId: `F-${index + 1}` },
    body: { status: step.to },
  });
  expect([finding.status, step.to, answer.ok]).toEqual([
    finding.status,
    step.to,
    model.move({ ...finding, actions: [] }, step.to),
  ]);
  if (answer.ok) model.move(finding, step.to);
}

/** Each report of the model with the one before it; the first with itself. */
function pairsOf(model: Model): [id: string, base: string][] {
  const ids = [...model.reports.keys()];
  return ids.map((id, index) => [id, ids[index - 1] ?? id]);
}

async function findingsOf(id: string) {
  const { report } = bodyOf(await owner.api.getReport({ params: { id } }));
  return report?.findings?.map(({ status, severity, firstSeenAt, tags = [], fixHistory = [] }) => ({
    status,
    severity,
    since: firstSeenAt === undefined ? null : Date.parse(firstSeenAt),
    isCarried: tags.includes(CARRIED_TAG),
    actions: fixHistory.map(({ action }) => action),
  }));
}

async function returned(model: Model, { workspaceId, projectId }: BoundProject) {
  const reports: unknown[] = [];
  for (const [id, base] of pairsOf(model)) {
    const compared = await owner.api.compareReports({ params: { id }, query: { with: base } });
    reports.push({ findings: await findingsOf(id), compared: bodyOf(compared) });
  }
  const { projects } = bodyOf(await owner.api.listProjects({ query: { workspaceId } }));
  return { reports, open: projects.find((project) => project.projectId === projectId)?.openFindings };
}

function expected(model: Model) {
  const namesOf = (id: string) => (model.reports.get(id) ?? []).map(({ name }) => name);
  const idsIn = (names: readonly Name[], isWanted: (name: Name) => boolean) =>
    names.flatMap((name, place) => (isWanted(name) ? [`F-${place + 1}`] : []));
  const reports = pairsOf(model).map(([id, base]) => {
    const [before, now] = [namesOf(base), namesOf(id)];
    return {
      findings: model.reports.get(id)?.map(({ name: _, ...shown }) => shown),
      compared: {
        baseReportId: base,
        new: idsIn(now, (name) => !before.includes(name)),
        fixed: idsIn(before, (name) => !now.includes(name)),
        unchanged: idsIn(now, (name) => before.includes(name)),
      },
    };
  });
  return { reports, open: model.openOf([...model.reports.keys()].at(-1)) };
}

test(
  '[D12] any sequence of reports, decisions and deletions is returned as a simple model returns it',
  { tags: 'repeated', timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const model = new Model();
        const project = await bindProject(owner);
        for (const step of sequence) {
          clock.advance(60_000);
          await take(model, project, step);
        }
        expect(await returned(model, project)).toEqual(expected(model));
      }),
      { numRuns: inLane(12, 60) },
    );
  },
);
