/** Open findings over time: a bar per report, and the same data as a table for screen readers. */
import type { ListedReport, Severity, SeverityCounts } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { counted, day } from '../../lib/format.ts';
import { severityLooks, SeverityMark } from '../../ui/severity.tsx';

/** Only the newest reports; the list of reports has all of them. */
const BARS_MAX = 40;
const HEIGHT = 96;
const BAR_WIDTH = 20;
const STEP = 28;
const GAP = 2;

const fills: Readonly<Record<Severity, string>> = {
  critical: 'fill-critical',
  high: 'fill-high',
  medium: 'fill-medium',
  low: 'fill-low',
  info: 'fill-info',
};

export interface HistoryChartProps {
  /** Final reports, oldest first. */
  readonly reports: readonly ListedReport[];
}

export function HistoryChart({ reports }: HistoryChartProps) {
  const bars = reports.slice(-BARS_MAX).map(({ reportId, createdAt, openFindings }) => ({
    reportId,
    at: day(new Date(createdAt)),
    counts: openFindings ?? none,
  }));
  const most = Math.max(1, ...bars.map(({ counts }) => totalOf(counts)));
  return (
    <figure className="card flex w-full flex-col gap-2 p-4">
      <figcaption className="text-quiet">
        Open findings in {counted(bars.length, 'report')}, at most {most.toLocaleString('en')} in one
      </figcaption>
      <div aria-hidden="true" className="overflow-x-auto border-b border-line">
        <svg
          viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
          width={bars.length * STEP}
          height={HEIGHT}
          className="block"
        >
          {bars.map(({ reportId, at, counts }, index) => (
            <g key={reportId} transform={`translate(${index * STEP} 0)`}>
              <title>{`${at}: ${sentenceOf(counts)}`}</title>
              <rect width={STEP} height={HEIGHT} className="fill-transparent" />
              <Bar counts={counts} most={most} />
            </g>
          ))}
        </svg>
      </div>
      <div aria-hidden="true" className="flex justify-between text-small text-quiet">
        <span>{bars[0]?.at}</span>
        {bars.length > 1 ? <span>{bars.at(-1)?.at}</span> : null}
      </div>
      <Legend />
      {/* A table ignores a given width smaller than its content, so a wrapper hides it. */}
      <div className="sr-only">
        <HistoryTable bars={bars} />
      </div>
    </figure>
  );
}

interface Counted {
  readonly reportId: string;
  readonly at: string;
  readonly counts: SeverityCounts;
}

const none: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

function totalOf(counts: SeverityCounts): number {
  return severities.reduce((sum, severity) => sum + counts[severity], 0);
}

function sentenceOf(counts: SeverityCounts): string {
  const parts = severities.filter((severity) => counts[severity] > 0);
  return parts.length === 0
    ? 'no open findings'
    : parts.map((severity) => `${counts[severity]} ${severity}`).join(', ');
}

/** The most severe are at the bottom, where heights are easiest to compare. */
function Bar({ counts, most }: { readonly counts: SeverityCounts; readonly most: number }) {
  let top = HEIGHT;
  return severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => {
      const height = (counts[severity] / most) * HEIGHT;
      top -= height;
      return (
        <rect
          key={severity}
          y={top}
          width={BAR_WIDTH}
          height={Math.max(1, height - GAP)}
          className={fills[severity]}
        />
      );
    });
}

function Legend() {
  return (
    <ul aria-hidden="true" className="flex flex-wrap gap-x-4 text-small text-quiet">
      {severities.map((severity) => (
        <li key={severity}>
          <SeverityMark severity={severity} />
        </li>
      ))}
    </ul>
  );
}

function HistoryTable({ bars }: { readonly bars: readonly Counted[] }) {
  return (
    <table>
      <caption>Open findings by report, oldest first</caption>
      <thead>
        <tr>
          <th scope="col">Report date</th>
          {severities.map((severity) => (
            <th key={severity} scope="col">
              {severityLooks[severity].word}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ reportId, at, counts }) => (
          <tr key={reportId}>
            <th scope="row">{at}</th>
            {severities.map((severity) => (
              <td key={severity}>{counts[severity]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
