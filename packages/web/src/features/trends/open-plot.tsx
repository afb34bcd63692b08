/** Open findings by severity, day by day. */
import type { ListedReport, Severity, TrendDay } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { Link, useRouter } from '@tanstack/react-router';
import { counted, listed } from '../../lib/format.ts';
import { severityLooks, SeverityMark } from '../../ui/severity.tsx';
import { reportDate } from './report-date.ts';
import { noMarks, PlotFrame, type PlotFrameProps, type PlotMark } from './plot-frame.tsx';
import { areasOf, axisTop, dayText, totalOf } from './shapes.ts';

const fills: Readonly<Record<Severity, string>> = {
  critical: 'fill-critical',
  high: 'fill-high',
  medium: 'fill-medium',
  low: 'fill-low',
  info: 'fill-info',
};

export interface OpenPlotProps {
  readonly days: readonly TrendDay[];
  readonly caption?: string;
  readonly size?: PlotFrameProps['size'];
  /** The report that a click on a day opens: the newest of that day or of an earlier one. */
  readonly reportOf?: ((date: string) => ListedReport | undefined) | undefined;
  readonly marks?: readonly PlotMark[];
  /** False where the page has the severities beside the plot. */
  readonly hasLegend?: boolean;
}

export function OpenPlot({
  days,
  caption = 'Open findings',
  size = 'usual',
  reportOf,
  marks = noMarks,
  hasLegend = true,
}: OpenPlotProps) {
  const router = useRouter();
  const top = axisTop(Math.max(0, ...days.map(({ open }) => totalOf(open))));
  return (
    <PlotFrame
      caption={caption}
      size={size}
      top={top}
      dates={days.map(({ date }) => date)}
      marks={marks}
      textOf={(at) => sentenceOf(days[at])}
      onPick={
        reportOf
          ? (at) => {
              const report = reportOf(days[at]?.date ?? '');
              if (report) void router.navigate({ to: '/reports/$id', params: { id: report.reportId } });
            }
          : undefined
      }
      legend={
        hasLegend ? (
          <ul aria-hidden="true" className="flex flex-wrap gap-x-4 text-small text-quiet">
            {severities.map((severity) => (
              <li key={severity}>
                <SeverityMark severity={severity} />
              </li>
            ))}
          </ul>
        ) : null
      }
      table={<OpenTable days={days} reportOf={reportOf} />}
    >
      {areasOf(days, top).map(({ severity, points }) => (
        <polygon key={severity} points={points} className={fills[severity]} />
      ))}
    </PlotFrame>
  );
}

function sentenceOf(day: TrendDay | undefined): string {
  if (!day) return '';
  const parts = severities.filter((severity) => day.open[severity] > 0);
  if (parts.length === 0) return 'nothing open';
  const of = listed(parts.map((severity) => `${day.open[severity].toLocaleString('en')} ${severity}`));
  return `${counted(totalOf(day.open), 'open finding')}, ${of}`;
}

function OpenTable({ days, reportOf }: Pick<OpenPlotProps, 'days' | 'reportOf'>) {
  return (
    <table className="w-full nums">
      <caption className="sr-only">Open findings by day and severity, newest first</caption>
      <thead>
        <tr>
          <th scope="col" className="text-left">
            Day
          </th>
          {severities.map((severity) => (
            <th key={severity} scope="col" className="text-right">
              {severityLooks[severity].word}
            </th>
          ))}
          {reportOf ? (
            <th scope="col" className="pl-4 text-left">
              Newest report
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ date, open }) => (
          <tr key={date}>
            <th scope="row" className="text-left font-normal whitespace-nowrap">
              {dayText(date)}
            </th>
            {severities.map((severity) => (
              <td key={severity} className="text-right">
                {open[severity].toLocaleString('en')}
              </td>
            ))}
            {reportOf ? (
              <td className="pl-4">
                <ReportLink report={reportOf(date)} date={date} />
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shown only on days with a report: later days repeat that report's counts. */
function ReportLink({ report, date }: { readonly report: ListedReport | undefined; readonly date: string }) {
  if (report === undefined || reportDate(report) !== date) return null;
  return (
    <Link
      to="/reports/$id"
      params={{ id: report.reportId }}
      aria-label={`Report of ${dayText(date)}`}
      className="text-accent-text underline"
    >
      Report
    </Link>
  );
}
