/**
 * A report as somebody may see it: its head, what it covers, and its findings to be searched, filtered and read. It shows a
 * projection and nothing else, so it stands on the page of the report's own people and on that of a link alike; what the
 * projection does not have leaves no trace here.
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
  /** False while `report` holds the first of its findings only. */
  readonly isWhole: boolean;
  /** What there is in all, until the whole report has come. */
  readonly totals?: FindingTotals | null;
  /** What the browser calls the page. */
  readonly documentTitle: string;
  readonly expiresAt?: string | undefined;
  readonly exports?: readonly ExportChoice[] | undefined;
  /** For readers who may change the status of findings. */
  readonly triage?: Triage | undefined;
  /** Beside the heading, such as Share. */
  readonly actions?: ReactNode;
  /** Under the head, such as who has read the report. */
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

/** A large report is put on the page bit by bit, and what is done there meanwhile goes first. */
function useGiven({ report, isWhole, totals = null }: ReportReadingProps) {
  const given = useMemo(() => ({ report, isWhole, totals }), [report, isWhole, totals]);
  return useDeferredValue(given);
}

/** The first findings say nothing of how many there are; where no summary is shown, the totals do. */
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
