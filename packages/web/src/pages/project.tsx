/** A project: its findings, its reports over time, the changes between two of them, pipelines and settings. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useRouter, useSearch } from '@tanstack/react-router';
import type { ListedReport, Project, Workspace } from '@svc/contract';
import { SarifDrop } from '../features/drop/sarif-drop.tsx';
import {
  inReportOrder,
  reportOrderIn,
  reportOrderLabels,
  reportOrders,
} from '../features/overview/orders.ts';
import { overviewQuery, reportsQuery } from '../features/overview/queries.ts';
import { ReportList } from '../features/overview/report-list.tsx';
import { Comparison } from '../features/project/comparison.tsx';
import { DeleteProject } from '../features/project/delete-project.tsx';
import { Automation } from '../features/project/automation.tsx';
import { ProjectFindings } from '../features/project/project-findings.tsx';
import { LastScanLine } from '../features/project/last-scan-line.tsx';
import { useToolScans } from '../features/project/tool-scans.ts';
import { newestUntil, toolMarks } from '../features/project/report-marks.ts';
import { totalOf } from '../features/trends/shapes.ts';
import { Trends } from '../features/trends/trends.tsx';
import { findingsSearchIn } from '../features/workspace-findings/address.ts';
import { useInWorkspace } from '../features/workspaces/current.ts';
import { query } from '../lib/api.ts';
import { exactTime } from '../lib/format.ts';
import { Breadcrumbs } from '../ui/breadcrumbs.tsx';
import { Choice } from '../ui/choice.tsx';
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
  { id: 'findings', label: 'Findings' },
  { id: 'reports', label: 'Reports' },
  { id: 'compare', label: 'Compare' },
  { id: 'automation', label: 'Automation' },
  { id: 'settings', label: 'Settings' },
] as const;

function ProjectFound({ project }: { readonly project: Project }) {
  const { projectId, workspaceId, name } = project;
  const { data: reports } = useSuspenseQuery(reportsQuery(projectId));
  const { data } = useSuspenseQuery(query('listWorkspaces'));
  const { tab } = useSearch({ from: '/signed-in/projects/$id' });
  useInWorkspace(workspaceId);
  const workspace = data.workspaces.find((each) => each.workspaceId === workspaceId);
  const current = tabs.find(({ id }) => id === tab)?.id ?? 'findings';
  const final = reports
    .filter(({ state }) => state === 'finalized')
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  return (
    <Page
      title={name}
      width="list"
      actions={
        current === 'findings' || current === 'reports' ? (
          <SarifDrop workspaceId={workspaceId} projectId={projectId} />
        ) : null
      }
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
            search: id === 'findings' ? {} : { tab: id },
          },
          isCurrent: id === current,
        }))}
      />
      {current === 'findings' ? <Findings project={project} reports={reports} /> : null}
      {current === 'reports' ? <Reports project={project} reports={reports} final={final} /> : null}
      {current === 'compare' ? <Compare projectId={projectId} final={final} /> : null}
      {current === 'automation' ? <Automation project={project} reports={reports} /> : null}
      {current === 'settings' ? <Settings project={project} workspace={workspace} /> : null}
    </Page>
  );
}

function nameOf({ createdAt, agent }: ListedReport): string {
  const by = [agent?.name, agent?.version].filter(Boolean).join(' ');
  return [exactTime(new Date(createdAt)), by].filter(Boolean).join(' · ');
}

interface FindingsProps {
  readonly project: Project;
  readonly reports: readonly ListedReport[];
}

function Findings({ project, reports }: FindingsProps) {
  const search = useSearch({ from: '/signed-in/projects/$id' });
  const router = useRouter();
  if (reports.length === 0 && project.lastReportAt === null) return <NoReports />;
  return (
    <>
      <LastScanLine workspaceId={project.workspaceId} projectId={project.projectId} />
      <ProjectFindings
        project={project}
        search={search}
        onChange={(changed) =>
          void router.navigate({
            to: '/projects/$id',
            params: { id: project.projectId },
            search: (before) => findingsSearchIn({ ...before, ...changed }),
            replace: true,
            resetScroll: false,
          })
        }
      />
    </>
  );
}

function NoReports() {
  return (
    <div className="flex max-w-2xl flex-col gap-2">
      <p>No reports yet, or all of them have expired. Scan the repository to create one:</p>
      <Command command="svc scan ." label="Scan command" />
    </div>
  );
}

interface ReportsProps extends FindingsProps {
  /** The final ones, newest first. */
  readonly final: readonly ListedReport[];
}

function Reports({ project: { workspaceId, projectId, openFindings }, reports, final }: ReportsProps) {
  const { reports: order = 'newest' } = useSearch({ from: '/signed-in/projects/$id' });
  const router = useRouter();
  const scans = useToolScans(workspaceId, projectId);
  const overview = useQuery(overviewQuery(workspaceId, reports));
  if (reports.length === 0) return <NoReports />;
  return (
    <>
      <Trends
        workspaceId={workspaceId}
        projectId={projectId}
        tools={scans?.flatMap(({ tool }) => tool || []) ?? null}
        openCount={openFindings ? totalOf(openFindings) : undefined}
        reportOf={(date) => newestUntil(final, date)}
        marksOf={(dates) => toolMarks(final, scans ?? [], dates)}
      />
      <section aria-labelledby="reports" className="flex flex-col gap-2">
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4">
          <h2 id="reports" className="text-lead font-strong">
            Reports
          </h2>
          {reports.length > 1 ? (
            <Choice
              label="Sort"
              value={order}
              options={reportOrders.map((each) => [each, reportOrderLabels[each]] as const)}
              onChoose={(chosen) =>
                void router.navigate({
                  to: '/projects/$id',
                  params: { id: projectId },
                  search: { tab: 'reports', ...reportOrderIn(chosen) },
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          ) : null}
        </div>
        <ReportList
          reports={inReportOrder(reports, order)}
          stoppedScans={overview.data?.stoppedScans}
          labelledBy="reports"
          nameOf={nameOf}
        />
      </section>
    </>
  );
}

function Compare({ projectId, final }: Pick<ReportsProps, 'final'> & { readonly projectId: string }) {
  const { tab, base, report } = useSearch({ from: '/signed-in/projects/$id' });
  const router = useRouter();
  if (final.length < 2) return <p>Changes between reports appear here after the second report.</p>;
  return (
    <Comparison
      reports={final}
      {...(base === undefined ? {} : { base })}
      {...(report === undefined ? {} : { report })}
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
