/** The overview of one workspace: what is open, what needs attention, projects and the newest reports. */
import { useQueries } from '@tanstack/react-query';
import type { ListedReport, Project, Workspace } from '@svc/contract';
import type { ReactNode } from 'react';
import { query } from '../../lib/api.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { Skeleton, SkeletonLine } from '../../ui/skeleton.tsx';
import { useNow } from '../../ui/time.tsx';
import { attentionOf } from './attention.ts';
import { AttentionList } from './attention-list.tsx';
import { OpenNow } from './open-now.tsx';
import { ProjectList } from './project-list.tsx';
import { inOrder, overviewQuery } from './queries.ts';
import { ReportList } from './report-list.tsx';

export interface WorkspaceOverviewProps {
  readonly workspace: Workspace;
  /** The projects of this workspace. */
  readonly projects: readonly Project[];
  /** The reports of this workspace, running scans first, then the newest. */
  readonly reports: readonly ListedReport[];
}

export function WorkspaceOverview({ workspace: { workspaceId }, projects, reports }: WorkspaceOverviewProps) {
  const params = { id: workspaceId };
  const now = useNow().getTime();
  const [overview, trends, shares] = useQueries({
    queries: [
      overviewQuery(workspaceId, reports),
      { ...query('getWorkspaceTrends', { params, query: { days: '90' } }), throwOnError: false },
      { ...query('listWorkspaceShares', { params }), throwOnError: false },
    ],
  });
  return (
    <>
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <Panel id="open" title="Open now">
          {trends.isPending ? (
            <PlotSkeleton />
          ) : (
            <QueryResult of={trends} what="the trends">
              {({ days }) => <OpenNow days={days} />}
            </QueryResult>
          )}
        </Panel>
        <Panel id="attention" title="Needs attention">
          {overview.isPending || shares.isPending ? (
            <LinesSkeleton />
          ) : (
            <QueryResult of={overview} what="the overview">
              {(found) => (
                <AttentionList
                  groups={attentionOf({
                    workspaceId,
                    overview: found,
                    projects,
                    shares: shares.data?.shares ?? [],
                    now,
                  })}
                />
              )}
            </QueryResult>
          )}
        </Panel>
      </div>
      <section aria-labelledby="projects" className="flex flex-col gap-2">
        <h2 id="projects" className="text-lead font-strong">
          Projects
        </h2>
        <ProjectList projects={projects} overview={overview.data} labelledBy="projects" />
      </section>
      <section aria-labelledby="activity" className="flex flex-col gap-2">
        <h2 id="activity" className="text-lead font-strong">
          Newest reports
        </h2>
        <ReportList
          reports={inOrder(reports, overview.data?.stoppedScans)}
          stoppedScans={overview.data?.stoppedScans}
          labelledBy="activity"
        />
      </section>
    </>
  );
}

interface PanelProps {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

function Panel({ id, title, children }: PanelProps) {
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-4 card p-4">
      <h2 id={id} className="text-lead font-strong">
        {title}
      </h2>
      {children}
    </section>
  );
}

function PlotSkeleton() {
  return (
    <Skeleton what="the trends">
      <div className="flex flex-col gap-4">
        <SkeletonLine className="h-9 w-56" />
        <SkeletonLine className="h-64 w-full" />
      </div>
    </Skeleton>
  );
}

function LinesSkeleton() {
  return (
    <Skeleton what="the overview">
      <div className="flex flex-col gap-3">
        {[1, 2, 3, 4, 5].map((line) => (
          <SkeletonLine key={line} className="h-9 w-full" />
        ))}
      </div>
    </Skeleton>
  );
}
