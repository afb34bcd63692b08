/**
 * A report for one viewer: header, scope, and findings with search and filters. It shows only a projection, so both
 * the report page and the share page use it. What the projection does not contain leaves no trace here.
 */
import type { FindingTotals, ReportProjection } from '@svc/contract';
import { useDeferredValue, useMemo, type ReactNode } from 'react';
import { Page } from '../../ui/page.tsx';
import { ShortcutHelp } from '../../ui/shortcuts.tsx';
import { ExportsMenu, type ExportChoice } from './exports-menu.tsx';
import { Findings } from './findings.tsx';
import { noFilters } from './filters.ts';
import { ReportHeader, Scope } from './report-header.tsx';
import type { Triage } from './triage.ts';
import { useAddress } from './use-address.ts';
import { useReading } from './use-view.ts';
import { firstViewOf, viewOf } from './view.ts';

export interface ReportReadingProps {
  readonly report: ReportProjection;
  /** False while `report` contains only the first findings. */
  readonly isWhole: boolean;
  /** The totals, until the whole report is loaded. */
  readonly totals?: FindingTotals | null;
  /** The document title. */
  readonly documentTitle: string;
  readonly expiresAt?: string | undefined;
  readonly exports?: readonly ExportChoice[] | undefined;
  /** Set for viewers who may change the status of findings. */
  readonly triage?: Triage | undefined;
  /** Rendered beside the heading, such as Share. */
  readonly actions?: ReactNode;
  /** Rendered under the header, such as support accesses. */
  readonly notes?: ReactNode;
}

export function ReportReading(props: ReportReadingProps) {
  const { documentTitle, expiresAt, exports = [], triage, actions, notes } = props;
  const given = useGiven(props);
  const { report, isWhole, totals } = given;
  const state = useAddress();
  const { chosen } = state.address;
  const reading = useReading(report, given, state.address.filters);
  const { entries } = reading;
  const allCounts = useMemo(
    () => (isWhole || totals === null ? viewOf(entries, noFilters) : firstViewOf(entries, totals)).counts,
    [entries, isWhole, totals],
  );
  return (
    <Page
      title={documentTitle}
      heading={<bdi>{report.project?.name || 'Security report'}</bdi>}
      width="wide"
      actions={
        <div className="flex flex-wrap items-center gap-2 print:hidden">
          {exports.length > 0 ? <ExportsMenu choices={exports} /> : null}
          {actions}
        </div>
      }
    >
      <div className={`-mt-2 flex flex-col gap-4 ${chosen === null ? '' : 'max-lg:hidden'}`}>
        <ReportHeader
          report={withTotals(report, isWhole ? null : totals)}
          counts={allCounts}
          expiresAt={expiresAt}
        >
          {notes}
        </ReportHeader>
        <Scope report={report} />
      </div>
      {report.findings && reading.view.total > 0 ? (
        <Findings
          state={state}
          reading={reading}
          isWhole={isWhole}
          triage={isWhole ? triage : undefined}
          hasExports={exports.length > 0}
        />
      ) : null}
      <ShortcutHelp />
    </Page>
  );
}

/** Renders a large report in the background, so that user input takes precedence. */
function useGiven({ report, isWhole, totals = null }: ReportReadingProps) {
  const given = useMemo(() => ({ report, isWhole, totals }), [report, isWhole, totals]);
  return useDeferredValue(given);
}

/** The first findings do not show how many there are; without a summary, the totals do. */
function withTotals(report: ReportProjection, totals: FindingTotals | null): ReportProjection {
  if (totals === null || report.summary) return report;
  const { findings: findingCount, facets } = totals;
  const severityCounts = {
    critical: 0,
    high: 0,
    medium: 0,
    low: 0,
    info: 0,
    ...Object.fromEntries(facets.severity),
  };
  const verificationCounts = {
    verified: 0,
    strong_evidence: 0,
    needs_review: 0,
    ...Object.fromEntries(facets.verification),
  };
  return { ...report, summary: { findingCount, severityCounts, verificationCounts } };
}
