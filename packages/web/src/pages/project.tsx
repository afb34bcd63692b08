/** A project: its reports over time, the changes between two of them, and its settings. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useRouter, useSearch } from '@tanstack/react-router';
import type { ListedReport, Project, Workspace } from '@svc/contract';
import { SarifDrop } from '../features/drop/sarif-drop.tsx';
import { reportsQuery } from '../features/overview/queries.ts';
import { ReportList } from '../features/overview/report-list.tsx';
import { Comparison } from '../features/project/comparison.tsx';
import { DeleteProject } from '../features/project/delete-project.tsx';
import { HistoryChart } from '../features/project/history-chart.tsx';
import { Trends } from '../features/trends/trends.tsx';
import { useInWorkspace } from '../features/workspaces/current.ts';
import { query } from '../lib/api.ts';
import { exactTime } from '../lib/format.ts';
import { Breadcrumbs } from '../ui/breadcrumbs.tsx';
import { Command } from '../ui/copy.tsx';
import { NotFound } from '../ui/failure.tsx';
import { LinkTabs } from '../ui/link-tabs.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';

export function ProjectPage() {
  const { id } = useParams({ from: '/signed-in/projects/$id' });
  const { data } = useSuspenseQuery(query('listProjects'));
  const project = data.projects.find(({ projectId }) => projectId === id);
  return project ? <ProjectFound project={project} /> : <NotFound />;
}

const tabs = [
  { id: 'reports', label: 'Reports' },
  { id: 'trends', label: 'Trends' },
  { id: 'compare', label: 'Compare' },
  { id: 'settings', label: 'Settings' },
] as const;

function ProjectFound({ project }: { readonly project: Project }) {
  const { projectId, workspaceId, name } = project;
  const { data: reports } = useSuspenseQuery(reportsQuery(projectId));
  const { data } = useSuspenseQuery(query('listWorkspaces'));
  const { tab } = useSearch({ from: '/signed-in/projects/$id' });
  useInWorkspace(workspaceId);
  const workspace = data.workspaces.find((each) => each.workspaceId === workspaceId);
  const current = tabs.find(({ id }) => id === tab)?.id ?? 'reports';
  const final = reports
    .filter(({ state }) => state === 'finalized')
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  return (
    <Page
      title={name}
      width="list"
      above={
        <Breadcrumbs
          parents={[
            { label: 'Projects', to: { to: '/workspaces/$id/projects', params: { id: workspaceId } } },
          ]}
        />
      }
    >
      <LinkTabs
        label="Project"
        tabs={tabs.map(({ id, label }) => ({
          label,
          to: {
            to: '/projects/$id',
            params: { id: projectId },
            search: id === 'reports' ? {} : { tab: id },
          },
          isCurrent: id === current,
        }))}
      />
      {current === 'reports' ? <SarifDrop workspaceId={workspaceId} projectId={projectId} /> : null}
      {current === 'reports' ? <Reports reports={reports} final={final} /> : null}
      {current === 'trends' ? <Trends workspaceId={workspaceId} projectId={projectId} /> : null}
      {current === 'compare' ? <Compare projectId={projectId} final={final} /> : null}
      {current === 'settings' ? <Settings project={project} workspace={workspace} /> : null}
    </Page>
  );
}

function nameOf({ createdAt, effortResolved }: ListedReport): string {
  return `${exactTime(new Date(createdAt))}, effort ${effortResolved}`;
}

interface ReportsProps {
  readonly reports: readonly ListedReport[];
  /** The final ones, newest first. */
  readonly final: readonly ListedReport[];
}

function Reports({ reports, final }: ReportsProps) {
  if (reports.length === 0) {
    return (
      <div className="flex max-w-2xl flex-col gap-2">
        <p>No reports yet, or all of them have expired. Scan the repository to create one:</p>
        <Command command="svc scan ." label="Scan command" />
      </div>
    );
  }
  return (
    <>
      {final.length > 0 ? <HistoryChart reports={final.toReversed()} /> : null}
      <section aria-labelledby="reports" className="flex flex-col gap-2">
        <h2 id="reports" className="text-lead font-strong">
          Reports
        </h2>
        <ReportList reports={reports} labelledBy="reports" nameOf={nameOf} />
      </section>
    </>
  );
}

function Compare({ projectId, final }: Pick<ReportsProps, 'final'> & { readonly projectId: string }) {
  const { tab, ...search } = useSearch({ from: '/signed-in/projects/$id' });
  const router = useRouter();
  if (final.length < 2) return <p>Changes between reports appear here after the second report.</p>;
  return (
    <Comparison
      reports={final}
      {...search}
      onChoose={(choice) =>
        void router.navigate({
          to: '/projects/$id',
          params: { id: projectId },
          search: { ...(tab === undefined ? {} : { tab }), ...choice },
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}

interface SettingsProps {
  readonly project: Project;
  readonly workspace: Workspace | undefined;
}

function Settings({ project, workspace }: SettingsProps) {
  return (
    <Section id="delete" title="Delete project" note="Deletes all of its reports and share links.">
      {workspace?.role === 'owner' ? (
        <div>
          <DeleteProject project={project} />
        </div>
      ) : (
        <p>Only owners of the workspace can delete a project.</p>
      )}
    </Section>
  );
}
