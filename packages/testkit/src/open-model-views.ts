/** What a plain model expects of the lists, the gate and the trends of a project. */
import {
  findingStatuses,
  isSetAside,
  severities,
  type FindingStatus,
  type Severity,
  type SeverityCounts,
} from '@svc/contract';
import { noneOpen } from './open-model-days.ts';
import type { OpenModel } from './open-model.ts';

export interface ModelListed {
  readonly reportId: string;
  readonly findingId: string;
  readonly severity: Severity;
  readonly status: FindingStatus;
  readonly firstSeenAt: number;
  readonly until: number | null;
}

/** The present findings, each in the newest readable report that has it, and the number of those in no such report. */
export function listOf(model: OpenModel) {
  const readable = model.readable().toReversed();
  const shownIn = (id: string) => model.reports.get(id)?.shown ?? [];
  const rows = [...model.present].map(([name, { severity }]): ModelListed | null => {
    const known = model.memory.get(name);
    const newest = readable.find((id) => shownIn(id).some((finding) => finding.name === name));
    if (newest === undefined || !known) return null;
    const shown = shownIn(newest);
    const place = shown.findIndex((finding) => finding.name === name);
    const { status, since, until } = known;
    return {
      reportId: newest,
      findingId: `F-${place + 1}`,
      severity,
      status,
      firstSeenAt: since,
      until,
    };
  });
  const findings = inOrder(rows.filter((row) => row !== null));
  return { findings, inExpiredReports: rows.length - findings.length };
}

/** The filtered list, with its counts. The counts of a field ignore the filter on that field. */
export function filteredBy(
  findings: readonly ModelListed[],
  filter: { readonly severity?: Severity; readonly status?: FindingStatus },
) {
  const hasSeverity = ({ severity }: ModelListed) => severity === (filter.severity ?? severity);
  const hasStatus = ({ status }: ModelListed) => status === (filter.status ?? status);
  const severity: SeverityCounts = noneOpen();
  const status = Object.fromEntries(findingStatuses.map((name) => [name, 0]));
  for (const each of findings.filter(hasStatus)) severity[each.severity] += 1;
  for (const each of findings.filter(hasSeverity)) status[each.status] = (status[each.status] ?? 0) + 1;
  const listed = findings.filter((each) => hasSeverity(each) && hasStatus(each));
  return { findings: listed, total: listed.length, counts: { severity, status } };
}

export function inOrder<Listed extends Pick<ModelListed, 'reportId' | 'findingId'>>(
  findings: readonly Listed[],
): Listed[] {
  const keyOf = ({ reportId, findingId }: Listed) => `${reportId} ${findingId}`;
  return findings.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** The findings that are set aside, whether present or not. */
export function setAsideIn(model: OpenModel) {
  return [...model.memory].flatMap(([name, { status, severity, until, decidedAt }]) =>
    isSetAside(status) ? [{ name, status, severity, until, decidedAt }] : [],
  );
}

export function trendsOf(model: OpenModel, now: number, days: number) {
  const times = model.days.timesToFix();
  const isOpen = ({ status }: ModelListed) => status !== 'fixed_verified' && !isSetAside(status);
  return {
    days: model.days.upTo(now, days),
    timeToFix: Object.fromEntries(
      severities.map((severity) => {
        const took = times[severity];
        const middle = (took.length - 1) / 2;
        const [low, high] = [took[Math.floor(middle)], took[Math.ceil(middle)]];
        const median = low === undefined || high === undefined ? null : (low + high) / 2;
        return [severity, { median, p90: took[Math.ceil(took.length * 0.9) - 1] ?? null, n: took.length }];
      }),
    ),
    oldestOpen: listOf(model)
      .findings.filter(isOpen)
      .map(({ reportId, findingId, severity, firstSeenAt }) => ({
        reportId,
        findingId,
        severity,
        firstSeenAt,
      })),
  };
}
