/**
 * Classifies the differences between two reports of a project: new, fixed, reopened and so on. The service says which
 * findings are in both. Whether a missing one is fixed depends on what the newer report covered.
 */
import type { Area } from '@svc/report/reading/coverage';
import { whyUnknown } from '@svc/report/reading/looked-again';
import { toolIn } from '@svc/report/reading/tags';
import type { ProjectedFinding, ReportComparison, ReportProjection } from '@svc/contract';

export interface Pair {
  readonly before: ProjectedFinding;
  readonly now: ProjectedFinding;
}

export interface Changes {
  readonly added: readonly ProjectedFinding[];
  /** The finding was fixed or missing, and is present again. */
  readonly reopened: readonly ProjectedFinding[];
  readonly severityChanged: readonly Pair[];
  /** The finding is present in both reports, with the same severity, and was not reopened. */
  readonly unchanged: readonly ProjectedFinding[];
  /** The finding is missing, and the scan of the newer report looked for it again. */
  readonly fixed: readonly ProjectedFinding[];
  /** The finding is missing, but the newer scan may not have looked for it, so it may not be fixed. */
  readonly notSeen: readonly { readonly finding: ProjectedFinding; readonly reason: string }[];
}

export interface Compared {
  readonly comparison: ReportComparison;
  readonly base: ReportProjection;
  readonly current: ReportProjection;
}

export function changesOf({ comparison, base, current }: Compared): Changes {
  const now = byId(current);
  const before = byId(base);
  const pairs = pairsOf(comparison, base, now);
  const since = base.generatedAt;
  const cameBack = ({ firstSeenAt }: ProjectedFinding) =>
    since !== undefined && firstSeenAt !== undefined && firstSeenAt.slice(0, 10) < since.slice(0, 10);
  const fresh = present(comparison.new, now);
  const gone = present(comparison.fixed, before);
  const isReopened = ({ before: was, now: is }: Pair) => isFixed(was) && !isFixed(is);
  const hasMoved = ({ before: was, now: is }: Pair) => was.severity !== is.severity;
  const listedElsewhere = new Set(
    pairs.filter((pair) => isReopened(pair) || hasMoved(pair)).map((pair) => pair.now.id),
  );
  return {
    added: fresh.filter((finding) => !cameBack(finding)),
    reopened: [
      ...pairs.filter(isReopened).map((pair) => pair.now),
      ...fresh.filter((finding) => cameBack(finding)),
    ],
    severityChanged: pairs.filter((pair) => hasMoved(pair) && !isReopened(pair)),
    unchanged: present(comparison.unchanged, now).filter(({ id }) => !listedElsewhere.has(id)),
    fixed: gone.filter((finding) => whyNotSeen(finding, base, current) === undefined),
    notSeen: gone.flatMap((finding) => {
      const reason = whyNotSeen(finding, base, current);
      return reason === undefined ? [] : [{ finding, reason }];
    }),
  };
}

/** Reasons why findings may be new or missing although the code has not changed. */
export function caveatsOf({ base, current }: Pick<Compared, 'base' | 'current'>): string[] {
  const [before, now] = [base.scan, current.scan];
  if (!before || !now) return [];
  const tools = new Set(now.tools?.map(({ name }) => name));
  const missing = (before.tools ?? []).filter(({ name, findings }) => findings !== 0 && !tools.has(name));
  return [
    ...(before.effortResolved === now.effortResolved
      ? []
      : [
          `The newer report used effort “${now.effortResolved}”, the older one “${before.effortResolved}”. That alone may explain new or missing findings.`,
        ]),
    ...(missing.length === 0
      ? []
      : [
          `The newer report was created without ${missing.map(({ name }) => name).join(', ')}. It can’t show findings that only these tools detect.`,
        ]),
  ];
}

function byId({ findings = [] }: ReportProjection): ReadonlyMap<string, ProjectedFinding> {
  return new Map(findings.map((finding) => [finding.id, finding]));
}

function present(
  ids: readonly string[],
  findings: ReadonlyMap<string, ProjectedFinding>,
): ProjectedFinding[] {
  return ids.flatMap((id) => findings.get(id) ?? []);
}

/** Findings in both reports have the same fingerprint, but may have different ids. */
function pairsOf(
  { unchanged }: ReportComparison,
  base: ReportProjection,
  now: ReadonlyMap<string, ProjectedFinding>,
): Pair[] {
  const before = new Map(base.findings?.map((finding) => [finding.fingerprint, finding]));
  return present(unchanged, now).flatMap((finding) => {
    const was = finding.fingerprint === undefined ? undefined : before.get(finding.fingerprint);
    return was ? [{ before: was, now: finding }] : [];
  });
}

function isFixed({ status }: ProjectedFinding): boolean {
  return status === 'fixed_verified';
}

/** Why a missing finding may not be fixed; undefined if it is fixed. */
function whyNotSeen(finding: ProjectedFinding, base: ReportProjection, current: ReportProjection) {
  const { coverageAreas = [], scan } = current;
  const agent = base.scan?.agent?.name;
  if (agent !== undefined) {
    const later = { tools: scan?.tools ?? [], agent: scan?.agent?.name, coverageAreas };
    const reason = whyUnknown(later, finding, agent);
    if (reason !== undefined || toolIn(finding.tags) !== undefined) return reason;
  }
  return isCovered(finding, coverageAreas) ? undefined : 'its area was not fully covered';
}

/** An agent's finding without a matching area is covered only if the report covers all areas. */
function isCovered(finding: ProjectedFinding, areas: readonly Area[]): boolean {
  const names = new Set(areaNamesOf(finding));
  const own = areas.filter(({ id, name }) => names.has(plain(id)) || names.has(plain(name)));
  const looked = own.length > 0 ? own : areas;
  return looked.length > 0 && looked.every(({ status }) => status === 'covered');
}

/** The names by which an area matches the finding. */
function areaNamesOf({
  category,
  affected,
  evidence,
  secretReferences,
  tags = [],
}: ProjectedFinding): string[] {
  const isSecret = (secretReferences?.length ?? 0) > 0;
  const isDependency = evidence.some(({ kind }) => kind === 'dependency');
  return [
    ...(isSecret ? ['secrets'] : isDependency ? ['dependencies'] : []),
    ...[category, affected.component, ...tags].map(plain),
  ];
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
