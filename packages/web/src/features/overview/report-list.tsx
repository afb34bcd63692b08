/** Reports with project, open findings and time. */
import { Link } from '@tanstack/react-router';
import type { ListedReport } from '@svc/contract';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { SeverityCountsLine } from '../../ui/severity-counts.tsx';
import { Time } from '../../ui/time.tsx';
import { overviewLine, overviewList } from './line.ts';
import { timeOf } from './queries.ts';

const SHOWN_AT_FIRST = 8;

export interface ReportListProps {
  readonly reports: readonly ListedReport[];
  readonly labelledBy: string;
  /** Replaces the project name. */
  readonly nameOf?: (report: ListedReport) => string;
}

export function ReportList({ reports, labelledBy, nameOf = projectNameOf }: ReportListProps) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? reports : reports.slice(0, SHOWN_AT_FIRST);
  return (
    <div className="flex flex-col items-start gap-3">
      <ul aria-labelledby={labelledBy} className={overviewList}>
        {shown.map((report) => (
          <ReportLine key={report.reportId} report={report} name={nameOf(report)} />
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

function ReportLine({ report, name }: { readonly report: ListedReport; readonly name: string }) {
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
          <span className="inline-flex items-center gap-2">
            <span aria-hidden="true" className="size-2 animate-pulse rounded-full bg-accent" />
            Scan running
          </span>
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
