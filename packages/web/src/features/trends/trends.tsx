/** The trends of a workspace or of one project: plots, time to fix, and the oldest open findings. */
import type { WorkspaceTrends } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { SECOND_MS } from '@svc/contract/durations';
import { visibleLine } from '@svc/report/reading/visible-text';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '../../lib/api.ts';
import { durationText } from '../../lib/format.ts';
import { Choice } from '../../ui/choice.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import { SkeletonLine } from '../../ui/skeleton.tsx';
import { FlowPlot } from './flow-plot.tsx';
import { Oldest } from './oldest.tsx';
import { OpenPlot, type OpenPlotProps } from './open-plot.tsx';
import type { PlotMark } from './plot-frame.tsx';
import { TrendsSkeleton } from './trends-skeleton.tsx';

const spans = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'One year'],
] as const;
type Span = (typeof spans)[number][0];

/** No tool has an empty name here. */
const ALL_TOOLS = '';

export interface TrendsProps {
  readonly workspaceId: string;
  readonly projectId?: string;
  /** The names of the tools to choose from, of a project; null while loading. */
  readonly tools?: readonly string[] | null;
  /** The number of open findings, if the page knows it: how many rows are reserved while loading. */
  readonly openCount?: number | undefined;
  readonly reportOf?: OpenPlotProps['reportOf'];
  /** Gets the days of the plot, and returns the marks on them. */
  readonly marksOf?: (dates: readonly string[]) => readonly PlotMark[];
}

const noTools: readonly string[] = [];

export function Trends(props: TrendsProps) {
  const { workspaceId, projectId, tools = noTools, openCount, reportOf, marksOf } = props;
  const [days, setDays] = useState<Span>('90');
  const [tool, setTool] = useState(ALL_TOOLS);
  const found = useQuery({
    ...query('getWorkspaceTrends', {
      params: { id: workspaceId },
      query: {
        days,
        ...(projectId === undefined ? {} : { projectId }),
        ...(tool === ALL_TOOLS ? {} : { tool }),
      },
    }),
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        {tools === null ? <SkeletonLine className="h-8 w-36 pointer-coarse:h-11" /> : null}
        {tools !== null && tools.length > 1 ? (
          <Choice
            label="Tool"
            value={tool}
            options={[[ALL_TOOLS, 'All tools'], ...tools.map((each) => [each, visibleLine(each)] as const)]}
            onChoose={setTool}
          />
        ) : null}
        <Choice label="Period" value={days} options={spans} onChoose={setDays} />
      </div>
      <QueryResult
        // The marks depend on the tools, too.
        of={tools === null ? { ...found, data: undefined } : found}
        what="the trends"
        skeleton={<TrendsSkeleton openCount={openCount} />}
      >
        {(trends) => (
          <>
            <div className="card p-4">
              <OpenPlot
                days={trends.days}
                caption={tool === ALL_TOOLS ? 'Open findings' : `Open findings of ${visibleLine(tool)}`}
                size="large"
                reportOf={reportOf}
                marks={marksOf?.(trends.days.map(({ date }) => date)) ?? []}
              />
            </div>
            <div className="grid gap-6 lg:grid-cols-2">
              <div className="card p-4">
                <FlowPlot days={trends.days} />
              </div>
              <div className="card p-4">
                <TimesToFix of={trends.timeToFix} />
              </div>
              <Oldest
                workspaceId={workspaceId}
                projectId={projectId}
                isOfTool={tool !== ALL_TOOLS}
                of={trends.oldestOpen}
              />
            </div>
          </>
        )}
      </QueryResult>
    </div>
  );
}

function TimesToFix({ of }: { readonly of: WorkspaceTrends['timeToFix'] }) {
  return (
    <table className="w-full nums">
      <caption className="pb-1 text-left font-strong">Time to fix</caption>
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
