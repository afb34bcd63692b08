/** The projects of a workspace, each with its open findings. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useRouter, useSearch } from '@tanstack/react-router';
import { SarifDrop } from '../features/drop/sarif-drop.tsx';
import { projectOrderLabels, projectOrders } from '../features/overview/orders.ts';
import { ProjectList } from '../features/overview/project-list.tsx';
import { useInWorkspace } from '../features/workspaces/current.ts';
import { query } from '../lib/api.ts';
import { orderIn } from '../lib/order.ts';
import { Choice } from '../ui/choice.tsx';
import { Command } from '../ui/copy.tsx';
import { NotFound } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';

export function WorkspaceProjectsPage() {
  const { id } = useParams({ from: '/signed-in/workspaces/$id/projects' });
  const { sort = 'recent' } = useSearch({ from: '/signed-in/workspaces/$id/projects' });
  const router = useRouter();
  const { workspaces } = useSuspenseQuery(query('listWorkspaces')).data;
  const { projects } = useSuspenseQuery(query('listProjects')).data;
  const workspace = workspaces.find(({ workspaceId }) => workspaceId === id);
  const overview = useQuery({ ...query('getWorkspaceOverview', { params: { id } }), throwOnError: false });
  useInWorkspace(workspace?.workspaceId);
  if (!workspace) return <NotFound />;
  const own = projects.filter(({ workspaceId }) => workspaceId === id);
  return (
    <Page
      key={id}
      title={`Projects of ${workspace.name}`}
      heading="Projects"
      width="list"
      actions={<SarifDrop workspaceId={id} />}
    >
      {own.length === 0 ? (
        <div className="flex max-w-2xl flex-col gap-2">
          <p>No projects yet. Run this in a repository to create one:</p>
          <Command command="svc init" label="Project command" />
        </div>
      ) : (
        <section aria-labelledby="projects" className="flex flex-col gap-2">
          <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4">
            <h2 id="projects" className="text-quiet">
              Open findings
            </h2>
            {own.length > 1 ? (
              <Choice
                label="Sort"
                value={sort}
                options={projectOrders.map((each) => [each, projectOrderLabels[each]] as const)}
                onChoose={(chosen) =>
                  void router.navigate({
                    to: '/workspaces/$id/projects',
                    params: { id },
                    search: orderIn(projectOrders, { sort: chosen }),
                    replace: true,
                    resetScroll: false,
                  })
                }
              />
            ) : null}
          </div>
          <ProjectList projects={own} overview={overview.data} order={sort} labelledBy="projects" />
        </section>
      )}
    </Page>
  );
}
