/** The header of a report: one line of identity, the verdict on the open findings, severities and scope. */
import type { ReportProjection, Severity } from '@svc/contract';
import { gapsOf } from '@svc/report/reading/coverage';
import { isOpen, openStatuses, openVerdictOf } from '@svc/report/reading/open-counts';
import { countsOf } from '@svc/report/reading/verdict';
import type { ReactNode } from 'react';
import { InOrder } from '../../ui/in-order.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { SeverityCounts } from '../../ui/severity-bar.tsx';
import { Expiry, Time } from '../../ui/time.tsx';
import type { Filters } from './filters.ts';
import { Scope } from './scope.tsx';
import { SeverityFilter } from './severity-filter.tsx';
import type { Counts } from './view.ts';

export interface ReportHeaderProps {
  readonly report: ReportProjection;
  /** The counts of all findings. */
  readonly counts: Counts;
  /** The counts of open findings; null if the projection hides the findings or their statuses. */
  readonly open: Required<SeverityCounts> | null;
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
  /** What the report changed, given the counts of its open findings. */
  readonly renderChanges?: ((open: Required<SeverityCounts> | null) => ReactNode) | undefined;
  /** Rendered at the bottom, such as support accesses. */
  readonly children?: ReactNode;
}

export function ReportHeader({
  report,
  counts,
  open,
  filters,
  onFilter,
  renderChanges,
  children,
}: ReportHeaderProps) {
  const bySeverity = open ?? countsOf(report)?.bySeverity;
  const verdict = openVerdictOf(report, open);
  const { severity: chosen } = filters.chosen;
  return (
    <div className="flex flex-col gap-2">
      {verdict === undefined ? null : (
        <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <p className="text-title font-strong sm:text-display">{verdict}</p>
          <p className="flex flex-wrap gap-x-2 text-lead text-quiet">
            {renderChanges?.(open)}
            <Decided counts={counts} open={open} />
          </p>
        </div>
      )}
      <IncompleteScan report={report} />
      {bySeverity ? (
        <SeverityFilter
          counts={bySeverity}
          what={open === null ? 'finding' : 'open finding'}
          chosen={chosen.length === 1 ? ((chosen[0] ?? null) as Severity | null) : null}
          onChoose={(severity) => onFilter(filteredBy(filters, severity, counts, open !== null))}
        />
      ) : null}
      <Scope report={report} />
      {report.redactionNotice === undefined ? null : (
        <p dir="auto" className="text-quiet">
          {report.redactionNotice}
        </p>
      )}
      {children}
    </div>
  );
}

/** Selects the severity, and only open findings where the bar counts only those; selecting it again clears both. */
function filteredBy(filters: Filters, severity: Severity, counts: Counts, isOpenOnly: boolean): Filters {
  const { chosen } = filters;
  const isChosen = chosen.severity.length === 1 && chosen.severity[0] === severity;
  const present = openStatuses.filter((status) => counts.status.has(status));
  const isNarrower = isOpenOnly && present.length < counts.status.size;
  return {
    ...filters,
    chosen: {
      ...chosen,
      severity: isChosen ? [] : [severity],
      status: isNarrower ? (isChosen ? [] : present) : chosen.status,
    },
  };
}

/** How many findings are not open, and why. */
function Decided({ counts: { status }, open }: Pick<ReportHeaderProps, 'counts' | 'open'>) {
  if (open === null) return null;
  const closed = [...status].filter(([name]) => !isOpen(name as (typeof openStatuses)[number]));
  const fixed = status.get('fixed_verified') ?? 0;
  const setAside = closed.reduce((sum, [, count]) => sum + count, 0) - fixed;
  return (
    <>
      {fixed > 0 ? <Part>{fixed.toLocaleString('en')} fixed and verified</Part> : null}
      {setAside > 0 ? <Part>{setAside.toLocaleString('en')} set aside</Part> : null}
    </>
  );
}

/** A part of the line beside the verdict, separated by dots. */
function Part({ children }: { readonly children: ReactNode }) {
  return <span className="nums before:mr-2 before:content-['·'] first:before:hidden">{children}</span>;
}

/** Shown before the findings, since they miss what a failed tool would have found. */
function IncompleteScan({ report: { coverageAreas } }: Pick<ReportHeaderProps, 'report'>) {
  const gaps = gapsOf(coverageAreas);
  if (gaps === undefined) return null;
  return (
    <section aria-label="Incomplete scan">
      <Notice tone="warn" title={gaps.title}>
        <ul className="list-disc pl-6">
          <InOrder of={gaps.lines}>{(line) => <li dir="auto">{line}</li>}</InOrder>
        </ul>
      </Notice>
    </section>
  );
}

export interface IdentityProps {
  readonly report: ReportProjection;
  /** When the report expires, if the viewer may know. */
  readonly expiresAt?: string | undefined;
}

/** Which code was scanned, with what, and when. */
export function Identity({ report: { scan }, expiresAt }: IdentityProps) {
  const { commit, branch, agent } = scan ?? {};
  const about = agent && [agent.name, agent.version, agent.model].filter(Boolean).join(' ');
  if (!scan && expiresAt === undefined) return null;
  return (
    <ul
      aria-label="About this report"
      className="flex flex-wrap gap-x-4 gap-y-1 text-quiet frame:h-5 frame:overflow-hidden"
    >
      {commit || branch ? (
        <li>
          {commit ? <code title={commit}>{commit.slice(0, 12)}</code> : null}
          {commit && branch ? ' on ' : null}
          {branch ? <code>{branch}</code> : null}
        </li>
      ) : null}
      {about ? <li dir="auto">{about}</li> : null}
      {scan ? (
        <li>
          scanned <Time at={scan.finishedAt} />
        </li>
      ) : null}
      {expiresAt === undefined ? null : (
        <li>
          <Expiry at={expiresAt} />
        </li>
      )}
    </ul>
  );
}
