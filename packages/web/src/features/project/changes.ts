/**
 * What has changed between two reports of a project, in the words in which people ask: what is new, what is fixed, what came
 * back. The service says which findings are in both; why one is gone follows from what the newer report looked at.
 */
import type { ProjectedFinding, ReportComparison, ReportProjection } from '@svc/contract';

export interface Pair {
  readonly before: ProjectedFinding;
  readonly now: ProjectedFinding;
}

export interface Changes {
  readonly added: readonly ProjectedFinding[];
  /** Was fixed, or gone, and is there again. */
  readonly reopened: readonly ProjectedFinding[];
  readonly severityChanged: readonly Pair[];
  /** Neither of severity nor of status. */
  readonly unchanged: readonly ProjectedFinding[];
  /** Gone from what the newer report has looked at as a whole. */
  readonly fixed: readonly ProjectedFinding[];
  /** Gone, but where it was, nobody has looked, or not everywhere. */
  readonly notSeen: readonly ProjectedFinding[];
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
  const told = new Set(pairs.filter((pair) => isReopened(pair) || hasMoved(pair)).map((pair) => pair.now.id));
  return {
    added: fresh.filter((finding) => !cameBack(finding)),
    reopened: [
      ...pairs.filter(isReopened).map((pair) => pair.now),
      ...fresh.filter((finding) => cameBack(finding)),
    ],
    severityChanged: pairs.filter((pair) => hasMoved(pair) && !isReopened(pair)),
    unchanged: present(comparison.unchanged, now).filter(({ id }) => !told.has(id)),
    fixed: gone.filter((finding) => isCovered(finding, current)),
    notSeen: gone.filter((finding) => !isCovered(finding, current)),
  };
}

/** Why findings may be new or gone though nothing has changed in the code. */
export function doubtsOf({ base, current }: Pick<Compared, 'base' | 'current'>): string[] {
  const [before, now] = [base.scan, current.scan];
  if (!before || !now) return [];
  const tools = new Set(now.tools?.map(({ name }) => name));
  const missing = (before.tools ?? []).filter(({ name, findings }) => findings !== 0 && !tools.has(name));
  return [
    ...(before.effortResolved === now.effortResolved
      ? []
      : [
          `The newer report was made with effort “${now.effortResolved}”, the older one with “${before.effortResolved}”: what is new or gone may come from that alone.`,
        ]),
    ...(missing.length === 0
      ? []
      : [
          `The newer report was made without ${missing.map(({ name }) => name).join(', ')}: what only that finds can not be seen in it.`,
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

/** What is in both reports bears the same fingerprint in both, whatever its id. */
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

/** Without an area of its own a finding is covered only by a report that leaves none out. */
function isCovered(finding: ProjectedFinding, { coverageAreas = [] }: ReportProjection): boolean {
  const names = new Set(areaNamesOf(finding));
  const own = coverageAreas.filter(({ id, name }) => names.has(plain(id)) || names.has(plain(name)));
  const looked = own.length > 0 ? own : coverageAreas;
  return looked.length > 0 && looked.every(({ status }) => status === 'covered');
}

/** By which names an area may be that of the finding. */
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
