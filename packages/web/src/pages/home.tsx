/** The home page: an introduction for signed-out visitors, and the overview for users. */
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useUser } from '../features/auth/session.ts';
import { SarifDrop } from '../features/drop/sarif-drop.tsx';
import { FirstSteps } from '../features/overview/first-steps.tsx';
import { reportsQuery } from '../features/overview/queries.ts';
import { QuotaLine } from '../features/overview/quota-line.tsx';
import { wasRead } from '../features/overview/read-before.ts';
import { Welcome } from '../features/overview/welcome.tsx';
import { SamplePreview } from '../features/sample/sample-preview.tsx';
import { WorkspaceOverview } from '../features/overview/workspace-overview.tsx';
import { useWorkspaces } from '../features/workspaces/current.ts';
import { query, queryKey } from '../lib/api.ts';
import { Command } from '../ui/copy.tsx';
import { Page } from '../ui/page.tsx';
import { PageSkeleton, SkeletonLine } from '../ui/skeleton.tsx';

const PROMISE = 'Security reports you can share safely';

export function HomePage() {
  const user = useUser();
  if (user) return <Overview userId={user.userId} />;
  return (
    <Page title={PROMISE} heading={<span className="text-display">{PROMISE}</span>} width="list">
      <Welcome>
        <SamplePreview />
      </Welcome>
    </Page>
  );
}

function Overview({ userId }: { readonly userId: string }) {
  const { data: reports } = useSuspenseQuery(reportsQuery());
  const { data: listed } = useSuspenseQuery(query('listProjects'));
  const { current, all } = useWorkspaces();
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
  if (!current) return <PageSkeleton />;
  const { workspaceId } = current;
  const isHere = (each: { readonly workspaceId: string }) => each.workspaceId === workspaceId;
  const projects = listed.projects.filter(isHere);
  return (
    <Page
      key={workspaceId}
      title="Overview"
      heading={
        <>
          Overview{' '}
          {all.length > 1 ? (
            <span className="text-base font-normal text-quiet">
              of <bdi>{current.name}</bdi>
            </span>
          ) : null}
        </>
      }
      width="list"
      actions={<Quota workspaceId={workspaceId} />}
    >
      {projects.length === 0 ? (
        <NoProjects workspaceId={workspaceId} />
      ) : (
        <WorkspaceOverview workspace={current} projects={projects} reports={reports.filter(isHere)} />
      )}
      <SarifDrop />
      <details>
        <summary className="py-1 text-quiet hover:text-text">Scan another repository</summary>
        <div className="max-w-3xl pt-4">
          <FirstSteps newest={undefined} isFollowed={false} />
        </div>
      </details>
    </Page>
  );
}

function NoProjects({ workspaceId }: { readonly workspaceId: string }) {
  return (
    <div className="flex max-w-3xl flex-col gap-2">
      <p>No projects yet. To add a repository to this workspace, run this in its folder:</p>
      <Command command={`svc init --workspace ${workspaceId}`} label="Project command" />
    </div>
  );
}

function Quota({ workspaceId }: { readonly workspaceId: string }) {
  const { data } = useQuery({ ...query('getSyncQuota', { query: { workspaceId } }), throwOnError: false });
  return data ? <QuotaLine quota={data} /> : <SkeletonLine className="h-4 w-64" />;
}

const dependent = ['listProjects', 'getSyncQuota', 'getWorkspaceOverview', 'getWorkspaceTrends'] as const;

/** Refetches the data that depends on the reports when they change. */
function useRenewal(reports: string): void {
  const queries = useQueryClient();
  const before = useRef(reports);
  useEffect(() => {
    if (before.current === reports) return;
    before.current = reports;
    for (const name of dependent) void queries.invalidateQueries({ queryKey: queryKey(name) });
  }, [queries, reports]);
}
