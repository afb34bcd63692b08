/** The trends of a workspace or of one project: plots, time to fix, and the oldest open findings. */
import type { WorkspaceTrends } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { SECOND_MS } from '@svc/contract/durations';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '../../lib/api.ts';
import { durationText } from '../../lib/format.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import { Time } from '../../ui/time.tsx';
import { FlowPlot } from './flow-plot.tsx';
import { OpenPlot, type OpenPlotProps } from './open-plot.tsx';
import type { PlotMark } from './plot-frame.tsx';

const spans = { '30': '30 days', '90': '90 days', '365': 'One year' } as const;
type Span = keyof typeof spans;

export interface TrendsProps {
  readonly workspaceId: string;
  readonly projectId?: string;
  readonly reportOf?: OpenPlotProps['reportOf'];
  /** Gets the days of the plot, and returns the marks on them. */
  readonly marksOf?: (dates: readonly string[]) => readonly PlotMark[];
}

export function Trends({ workspaceId, projectId, reportOf, marksOf }: TrendsProps) {
  const [days, setDays] = useState<Span>('90');
  const found = useQuery({
    ...query('getWorkspaceTrends', {
      params: { id: workspaceId },
      query: projectId === undefined ? { days } : { days, projectId },
    }),
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  return (
    <div className="flex flex-col gap-4">
      <label className="flex items-center gap-2 self-end text-quiet print:hidden">
        Period
        <select
          value={days}
          onChange={(event) => setDays(event.currentTarget.value as Span)}
          className="min-h-8 rounded border border-edge bg-page px-2 text-text"
        >
          {Object.entries(spans).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <QueryResult of={found} what="the trends">
        {(trends) => (
          <>
            <div className="card p-4">
              <OpenPlot
                days={trends.days}
                size="large"
                reportOf={reportOf}
                marks={marksOf?.(trends.days.map(({ date }) => date)) ?? []}
              />
            </div>
            <div className="grid items-start gap-6 lg:grid-cols-3">
              <FlowPlot days={trends.days} />
              <TimesToFix of={trends.timeToFix} />
              <Oldest of={trends.oldestOpen} />
            </div>
          </>
        )}
      </QueryResult>
    </div>
  );
}

function TimesToFix({ of }: { readonly of: WorkspaceTrends['timeToFix'] }) {
  return (
    <table className="self-start nums">
      <caption className="text-left font-strong">Time to fix</caption>
      <thead className="text-small text-quiet">
        <tr>
          <th scope="col" className="text-left font-normal">
            Severity
          </th>
          <th scope="col" className="text-right font-normal">
            Fixed
          </th>
          <th scope="col" className="text-right font-normal">
            Median
          </th>
          <th scope="col" className="text-right font-normal">
            90 % within
          </th>
        </tr>
      </thead>
      <tbody>
        {severities.map((severity) => {
          const { n, median, p90 } = of[severity];
          return (
            <tr key={severity} className="border-t border-line">
              <th scope="row" className="py-1 text-left font-normal">
                <SeverityMark severity={severity} />
              </th>
              <td className="text-right">{n.toLocaleString('en')}</td>
              <td className="text-right">{timeText(median)}</td>
              <td className="text-right">{timeText(p90)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const DAY_SECONDS = 86_400;

function timeText(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 2 * DAY_SECONDS) return durationText(seconds * SECOND_MS);
  return `${Math.round(seconds / DAY_SECONDS).toLocaleString('en')} days`;
}

function Oldest({ of }: { readonly of: WorkspaceTrends['oldestOpen'] }) {
  return (
    <section aria-labelledby="oldest" className="flex flex-col gap-1">
      <h2 id="oldest" className="font-strong">
        Oldest open findings
      </h2>
      {of.length === 0 ? <p className="text-quiet">Nothing is open.</p> : null}
      <ol>
        {of.map(({ findingKey, projectId, findingId, severity, firstSeenAt }) => (
          <li key={findingKey} className="flex items-center gap-3 border-t border-line py-1">
            <span className="w-20 shrink-0">
              <SeverityMark severity={severity} />
            </span>
            <a
              href={`/projects/${projectId}/findings/${findingKey}`}
              className="underline underline-offset-2"
            >
              {findingId}
            </a>
            <span className="ml-auto text-quiet">
              first seen <Time at={firstSeenAt} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
