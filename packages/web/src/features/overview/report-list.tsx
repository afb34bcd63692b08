/** Reports with project, open findings and time. */
import { Link } from '@tanstack/react-router';
import type { ListedReport, StoppedScan } from '@svc/contract';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { SeverityCountsLine } from '../../ui/severity-counts.tsx';
import { Time } from '../../ui/time.tsx';
import { overviewLine, overviewList } from './line.ts';
import { timeOf } from './queries.ts';
import { ScanState } from './scan-state.tsx';

const SHOWN_AT_FIRST = 8;

export interface ReportListProps {
  readonly reports: readonly ListedReport[];
  /** Undefined while loading. */
  readonly stoppedScans: readonly StoppedScan[] | undefined;
  readonly labelledBy: string;
  /** Replaces the project name. */
  readonly nameOf?: (report: ListedReport) => string;
}

export function ReportList({ reports, stoppedScans, labelledBy, nameOf = projectNameOf }: ReportListProps) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? reports : reports.slice(0, SHOWN_AT_FIRST);
  return (
    <div className="flex flex-col items-start gap-3">
      <ul aria-labelledby={labelledBy} className={overviewList}>
        {shown.map((report) => (
          <ReportLine
            key={report.reportId}
            report={report}
            stopped={stoppedScans?.find(({ reportId }) => reportId === report.reportId)}
            name={nameOf(report)}
          />
        ))}
      </ul>
      {shown.length < reports.length ? (
        <Button look="quiet" onClick={() => setIsWhole(true)}>
          Show all {reports.length.toLocaleString('en')}
        </Button>
      ) : null}
    </div>
  );
}

function projectNameOf({ projectName }: ListedReport): string {
  return projectName || 'Report';
}

interface ReportLineProps {
  readonly report: ListedReport;
  readonly stopped: StoppedScan | undefined;
  readonly name: string;
}

function ReportLine({ report, stopped, name }: ReportLineProps) {
  const { reportId, state, openFindings } = report;
  return (
    <li className={overviewLine}>
      <Link
        to="/reports/$id"
        params={{ id: reportId }}
        title={name}
        className="truncate font-strong group-hover:underline after:absolute after:inset-0"
      >
        {name}
      </Link>
      <div className="col-span-2 row-start-2 md:col-span-1 md:col-start-2 md:row-start-1">
        {state === 'live' ? (
          <ScanState stopped={stopped} />
        ) : (
          <SeverityCountsLine counts={openFindings ?? {}} none="No open findings" />
        )}
      </div>
      <span className="relative text-right text-quiet">
        <Time at={timeOf(report)} />
      </span>
    </li>
  );
}
