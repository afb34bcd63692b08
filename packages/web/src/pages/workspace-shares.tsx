/** The active share links of a workspace. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useUser } from '../features/auth/session.ts';
import { WorkspaceLinks } from '../features/shares/workspace-links.tsx';
import { useInWorkspace } from '../features/workspaces/current.ts';
import { linksNoteOf } from '../features/workspaces/labels.ts';
import { query } from '../lib/api.ts';
import { NotFound } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';

export function WorkspaceSharesPage() {
  const { id } = useParams({ from: '/signed-in/workspaces/$id/shares' });
  const { workspaces } = useSuspenseQuery(query('listWorkspaces')).data;
  const user = useUser();
  const workspace = workspaces.find(({ workspaceId }) => workspaceId === id);
  useInWorkspace(workspace?.workspaceId);
  if (!workspace || !user) return <NotFound />;
  return (
    <Page key={id} title={`Shares of ${workspace.name}`} heading="Shares" width="list">
      <p className="-mt-4 text-quiet">{linksNoteOf(user, workspace)}</p>
      <div className="card flex flex-col gap-4 px-4 py-4">
        <WorkspaceLinks workspaceId={id} userId={user.userId} />
      </div>
    </Page>
  );
}
