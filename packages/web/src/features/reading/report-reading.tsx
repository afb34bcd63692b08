/**
 * A report for one viewer: header, scope, and findings with search and filters. It shows only a projection, so both
 * the report page and the share page use it. What the projection does not contain leaves no trace here. If the window
 * is large enough, the report fills it, and the list and the selected finding scroll separately.
 */
import type { FindingTotals, ReportProjection } from '@svc/contract';
import { openCountsOf } from '@svc/report/reading/open-counts';
import { useMemo, type ReactNode } from 'react';
import { useNextTask } from '../../ui/next-task.ts';
import { PageHeading, usePageTitle } from '../../ui/page.tsx';
import { ShortcutHelp } from '../../ui/shortcuts.tsx';
import type { Entry } from './entries.ts';
import { ExportsMenu, type ExportChoice } from './exports-menu.tsx';
import { Findings } from './findings.tsx';
import { isFiltered, noFilters } from './filters.ts';
import { Identity, ReportHeader, type ReportHeaderProps } from './report-header.tsx';
import type { Triage } from './triage.ts';
import { useAddress, type AddressState } from './use-address.ts';
import { useReading } from './use-view.ts';
import { firstViewOf, viewOf } from './view.ts';

const FINGERPRINT_LENGTH = 64;

export interface ReportReadingProps {
  readonly report: ReportProjection;
  /** False while `report` contains only the first findings. */
  readonly isWhole: boolean;
  /** The totals, until the whole report is loaded. */
  readonly totals?: FindingTotals | null;
  /** The document title. */
  readonly documentTitle: string;
  /** Rendered above everything, such as who shared the report. */
  readonly cover?: ReactNode;
  readonly expiresAt?: string | undefined;
  readonly exports?: readonly ExportChoice[] | undefined;
  /** Set for viewers who may change the status of findings. */
  readonly triage?: Triage | undefined;
  /** Rendered beside the heading, such as Share. */
  readonly actions?: ReactNode;
  /** Rendered under the header, such as support accesses. */
  readonly notes?: ReactNode;
  /** The default is the name of the project. */
  readonly heading?: ReactNode;
  /** The path to the report, before the heading. */
  readonly breadcrumbs?: ReactNode;
  /** Switches to the siblings of the report. */
  readonly switcher?: ReactNode;
  /** What changed since an earlier report, beside the verdict. */
  readonly renderChanges?: ReportHeaderProps['renderChanges'];
}

export function ReportReading(props: ReportReadingProps) {
  const {
    report,
    isWhole,
    totals = null,
    documentTitle,
    cover,
    expiresAt,
    exports = [],
    triage,
    actions,
    notes,
    heading,
    breadcrumbs,
    switcher,
    renderChanges,
  } = props;
  usePageTitle(documentTitle);
  const areFindingsNext = useNextTask();
  const address = useAddress();
  const { filters } = address.address;
  const reading = useReading(report, { isWhole, totals }, filters);
  const { entries, view } = reading;
  const state = withId(address, entries);
  const { chosen } = state.address;
  /** The counts without filters. */
  const allCounts = useMemo(() => {
    if (!isFiltered(filters)) return view.counts;
    return (isWhole || totals === null ? viewOf(entries, noFilters) : firstViewOf(entries, totals)).counts;
  }, [view, filters, entries, isWhole, totals]);
  const open = useMemo(
    () => (isWhole || totals === null ? report.findings && openCountsOf(report.findings) : totals.open),
    [report, isWhole, totals],
  );
  const hidden = chosen === null ? '' : 'stacked:hidden';
  return (
    <>
      {cover === undefined ? null : <div className={hidden}>{cover}</div>}
      <div
        data-fills-window=""
        className="mx-auto flex w-full max-w-[100rem] flex-col gap-3 px-4 py-4 sm:px-6 frame:min-h-0 frame:flex-1 frame:pt-3 frame:pb-4"
      >
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2 frame:flex-nowrap">
          <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 frame:max-w-[60%] frame:shrink-0">
            {breadcrumbs}
            <PageHeading className="text-lead font-strong">
              {heading ?? <bdi>{report.project?.name || 'Security report'}</bdi>}
            </PageHeading>
            {switcher}
          </div>
          <div className={`min-w-0 grow frame:basis-40 stacked:order-last stacked:basis-full ${hidden}`}>
            <Identity report={report} expiresAt={expiresAt} />
          </div>
          <div className="ml-auto flex shrink-0 flex-wrap items-center gap-2 print:hidden">
            {exports.length > 0 ? <ExportsMenu choices={exports} /> : null}
            {actions}
          </div>
        </div>
        <div className={hidden}>
          <ReportHeader
            report={withTotals(report, isWhole ? null : totals)}
            counts={allCounts}
            open={open ?? null}
            filters={filters}
            onFilter={(next) => state.replace({ filters: next })}
            renderChanges={renderChanges}
          >
            {notes}
          </ReportHeader>
        </div>
        {areFindingsNext && report.findings && view.total > 0 ? (
          <Findings
            state={state}
            reading={reading}
            isWhole={isWhole}
            totals={isWhole ? null : totals}
            triage={isWhole ? triage : undefined}
            isToSelect={triage !== undefined}
            hasExports={exports.length > 0}
          />
        ) : null}
        <ShortcutHelp />
      </div>
    </>
  );
}

/** The address can name a finding by its fingerprint, since the same finding has other ids in other reports. */
function withId(state: AddressState, entries: readonly Entry[]): AddressState {
  const { chosen } = state.address;
  if (chosen === null || chosen.length !== FINGERPRINT_LENGTH) return state;
  const id = entries.find(({ finding }) => finding.fingerprint === chosen)?.finding.id;
  return id === undefined ? state : { ...state, address: { ...state.address, chosen: id } };
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
