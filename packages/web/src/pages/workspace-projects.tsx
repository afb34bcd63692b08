/** The projects of a workspace, each with its open findings. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { SarifDrop } from '../features/drop/sarif-drop.tsx';
import { ProjectList } from '../features/overview/project-list.tsx';
import { useInWorkspace } from '../features/workspaces/current.ts';
import { query } from '../lib/api.ts';
import { Command } from '../ui/copy.tsx';
import { NotFound } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';

const oneWorkspace: ReadonlyMap<string, string> = new Map();

export function WorkspaceProjectsPage() {
  const { id } = useParams({ from: '/signed-in/workspaces/$id/projects' });
  const { workspaces } = useSuspenseQuery(query('listWorkspaces')).data;
  const { projects } = useSuspenseQuery(query('listProjects')).data;
  const workspace = workspaces.find(({ workspaceId }) => workspaceId === id);
  useInWorkspace(workspace?.workspaceId);
  if (!workspace) return <NotFound />;
  const own = projects.filter(({ workspaceId }) => workspaceId === id);
  return (
    <Page key={id} title={`Projects of ${workspace.name}`} heading="Projects" width="list">
      <SarifDrop workspaceId={id} />
      {own.length === 0 ? (
        <div className="flex max-w-2xl flex-col gap-2">
          <p>No projects yet. Run this in a repository to create one:</p>
          <Command command="svc init" label="Project command" />
        </div>
      ) : (
        <section aria-labelledby="projects" className="flex flex-col gap-2">
          <h2 id="projects" className="text-quiet">
            Open findings in the newest report
          </h2>
          <ProjectList projects={own} workspaceNames={oneWorkspace} labelledBy="projects" />
        </section>
      )}
    </Page>
  );
}
