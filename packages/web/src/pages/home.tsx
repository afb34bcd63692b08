/** The home page: an introduction for signed-out visitors, and the overview for users. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { Workspace } from '@svc/contract';
import { Suspense, useEffect, useRef } from 'react';
import { useUser } from '../features/auth/session.ts';
import { SarifDrop } from '../features/drop/sarif-drop.tsx';
import { FirstSteps } from '../features/overview/first-steps.tsx';
import { ProjectList } from '../features/overview/project-list.tsx';
import { reportsQuery } from '../features/overview/queries.ts';
import { wasRead } from '../features/overview/read-before.ts';
import { ReportList } from '../features/overview/report-list.tsx';
import { Welcome } from '../features/overview/welcome.tsx';
import { Quotas } from '../features/overview/quotas.tsx';
import { Workspaces } from '../features/workspaces/workspaces.tsx';
import { query, queryKey } from '../lib/api.ts';
import { Page } from '../ui/page.tsx';
import { Waiting } from '../ui/waiting.tsx';

const PROMISE = 'Security reports you can share safely';

export function HomePage() {
  const user = useUser();
  if (user) return <Overview userId={user.userId} />;
  return (
    <Page title={PROMISE} heading={<span className="text-display">{PROMISE}</span>} width="list">
      <Welcome />
    </Page>
  );
}

function Overview({ userId }: { readonly userId: string }) {
  const { data: reports } = useSuspenseQuery(reportsQuery());
  const { data: listedWorkspaces } = useSuspenseQuery(query('listWorkspaces'));
  const { data: listedProjects } = useSuspenseQuery(query('listProjects'));
  const { workspaces } = listedWorkspaces;
  const { projects } = listedProjects;
  useRenewal(reports.map(({ reportId, state }) => `${reportId} ${state}`).join());
  const [newest, ...others] = reports;
  if (others.length === 0 && !(newest?.state === 'finalized' && wasRead(userId))) {
    return (
      <Page title="Get started" width="text">
        <p>Get your first report in three steps. This page updates as you complete them.</p>
        <FirstSteps newest={newest} isFollowed />
        <SarifDrop />
      </Page>
    );
  }
  return (
    <Page title="Overview" width="list">
      <SarifDrop />
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_18rem] lg:gap-12">
        <div className="flex flex-col gap-8">
          <section aria-labelledby="reports" className="flex flex-col gap-2">
            <h2 id="reports" className="text-lead font-strong">
              Newest reports
            </h2>
            <ReportList reports={reports} labelledBy="reports" />
          </section>
          <section aria-labelledby="projects" className="flex flex-col gap-2">
            <h2 id="projects" className="text-lead font-strong">
              Projects{' '}
              <span className="text-base font-normal text-quiet">open findings in the newest report</span>
            </h2>
            <ProjectList projects={projects} workspaceNames={namesOf(workspaces)} labelledBy="projects" />
          </section>
          <details>
            <summary className="py-1 text-quiet hover:text-text">Scan another repository</summary>
            <div className="pt-4">
              <FirstSteps newest={undefined} isFollowed={false} />
            </div>
          </details>
        </div>
        <div className="flex flex-col gap-8">
          <Suspense fallback={<Waiting what="the quota" />}>
            <Quotas workspaces={workspaces} />
          </Suspense>
          <section aria-labelledby="workspaces" className="flex flex-col gap-4">
            <h2 id="workspaces" className="text-lead font-strong">
              Workspaces
            </h2>
            <Workspaces />
          </section>
        </div>
      </div>
    </Page>
  );
}

/** Refetches the data that depends on the reports when they change. */
function useRenewal(reports: string): void {
  const queries = useQueryClient();
  const before = useRef(reports);
  useEffect(() => {
    if (before.current === reports) return;
    before.current = reports;
    for (const name of ['listProjects', 'getSyncQuota'] as const)
      void queries.invalidateQueries({ queryKey: queryKey(name) });
  }, [queries, reports]);
}

function namesOf(workspaces: readonly Workspace[]): ReadonlyMap<string, string> {
  return new Map(workspaces.length > 1 ? workspaces.map(({ workspaceId, name }) => [workspaceId, name]) : []);
}
