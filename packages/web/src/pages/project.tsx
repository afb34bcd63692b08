/** A project: its reports over time, and the changes between them. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams, useRouter, useSearch } from '@tanstack/react-router';
import type { ListedReport, Project } from '@svc/contract';
import { reportsQuery } from '../features/overview/queries.ts';
import { ReportList } from '../features/overview/report-list.tsx';
import { Comparison } from '../features/project/comparison.tsx';
import { DeleteProject } from '../features/project/delete-project.tsx';
import { HistoryChart } from '../features/project/history-chart.tsx';
import { query } from '../lib/api.ts';
import { exactTime } from '../lib/format.ts';
import { Command } from '../ui/copy.tsx';
import { NotFound } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';

export function ProjectPage() {
  const { id } = useParams({ from: '/signed-in/projects/$id' });
  const { data } = useSuspenseQuery(query('listProjects'));
  const project = data.projects.find(({ projectId }) => projectId === id);
  return project ? <ProjectFound project={project} /> : <NotFound />;
}

function ProjectFound({ project }: { readonly project: Project }) {
  const { projectId, workspaceId, name } = project;
  const { data: reports } = useSuspenseQuery(reportsQuery(projectId));
  const { data } = useSuspenseQuery(query('listWorkspaces'));
  const workspace = data.workspaces.find((each) => each.workspaceId === workspaceId);
  return (
    <Page
      title={name}
      width="list"
      actions={workspace?.role === 'owner' ? <DeleteProject project={project} /> : undefined}
    >
      <p className="text-quiet">
        In workspace{' '}
        <Link to="/workspaces/$id" params={{ id: workspaceId }} className="text-accent-text underline">
          {workspace?.name}
        </Link>
      </p>
      {reports.length === 0 ? <NoReports /> : <Reports projectId={projectId} reports={reports} />}
    </Page>
  );
}

function nameOf({ createdAt, effortResolved }: ListedReport): string {
  return `${exactTime(new Date(createdAt))}, effort ${effortResolved}`;
}

function NoReports() {
  return (
    <div className="flex max-w-2xl flex-col gap-2">
      <p>No reports yet, or all of them have expired. Scan the repository to create one:</p>
      <Command command="svc scan ." label="Scan command" />
    </div>
  );
}

function Reports({
  projectId,
  reports,
}: {
  readonly projectId: string;
  readonly reports: readonly ListedReport[];
}) {
  const search = useSearch({ from: '/signed-in/projects/$id' });
  const router = useRouter();
  const final = reports
    .filter(({ state }) => state === 'finalized')
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  return (
    <div className="flex flex-col gap-8">
      {final.length > 0 ? <HistoryChart reports={final.toReversed()} /> : null}
      {final.length > 1 ? (
        <Comparison
          reports={final}
          {...search}
          onChoose={(choice) =>
            void router.navigate({
              to: '/projects/$id',
              params: { id: projectId },
              search: choice,
              replace: true,
              resetScroll: false,
            })
          }
        />
      ) : null}
      <section aria-labelledby="reports" className="flex flex-col gap-2">
        <h2 id="reports" className="text-lead font-strong">
          Reports
        </h2>
        <ReportList reports={reports} labelledBy="reports" nameOf={nameOf} />
        {final.length === 1 ? (
          <p className="text-quiet">Changes between reports appear here after the second report.</p>
        ) : null}
      </section>
    </div>
  );
}
