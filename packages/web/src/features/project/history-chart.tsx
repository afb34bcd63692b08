/** What was found open over time: a bar for each report, and the same as a table for those who do not see it. */
import type { ListedReport, Severity, SeverityCounts } from '@svc/contract';
import { severities } from '@svc/contract/words';
import { counted, day } from '../../lib/words.ts';
import { severityLooks, SeverityMark } from '../../ui/severity.tsx';

/** The newest; older ones are in the list of reports. */
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
  /** Final ones, oldest first. */
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
    <figure className="flex w-fit max-w-full min-w-64 flex-col gap-1">
      <figcaption className="text-quiet">
        Open findings of {counted(bars.length, 'report')}, at most {most.toLocaleString('en')} at once
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
      {/* A table is as wide as its words, whatever width it is given. */}
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
    ? 'nothing open'
    : parts.map((severity) => `${counts[severity]} ${severity}`).join(', ');
}

/** The most severe stand on the ground, where their heights are best compared. */
function Bar({ counts, most }: { readonly counts: SeverityCounts; readonly most: number }) {
  let top = HEIGHT;
  return severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => {
      const room = (counts[severity] / most) * HEIGHT;
      top -= room;
      return (
        <rect
          key={severity}
          y={top}
          width={BAR_WIDTH}
          height={Math.max(1, room - GAP)}
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
          <th scope="col">Report of</th>
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
