/** The active share links of a workspace. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useUser } from '../features/auth/session.ts';
import { shareOrderLabels, shareOrders } from '../features/shares/orders.ts';
import { WorkspaceLinks } from '../features/shares/workspace-links.tsx';
import { useInWorkspace } from '../features/workspaces/current.ts';
import { linksNoteOf } from '../features/workspaces/labels.ts';
import { query } from '../lib/api.ts';
import { orderIn } from '../lib/order.ts';
import { Choice } from '../ui/choice.tsx';
import { NotFound } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';

export function WorkspaceSharesPage() {
  const { id } = useParams({ from: '/signed-in/workspaces/$id/shares' });
  const { sort = 'newest' } = useSearch({ from: '/signed-in/workspaces/$id/shares' });
  const router = useRouter();
  const { workspaces } = useSuspenseQuery(query('listWorkspaces')).data;
  const user = useUser();
  const links = useQuery({ ...query('listWorkspaceShares', { params: { id } }), throwOnError: false });
  const workspace = workspaces.find(({ workspaceId }) => workspaceId === id);
  useInWorkspace(workspace?.workspaceId);
  if (!workspace || !user) return <NotFound />;
  return (
    <Page key={id} title={`Shares of ${workspace.name}`} heading="Shares" width="list">
      <div className="-mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-quiet">{linksNoteOf(user, workspace)}</p>
        {(links.data?.shares.length ?? 0) > 1 ? (
          <Choice
            label="Sort"
            value={sort}
            options={shareOrders.map((each) => [each, shareOrderLabels[each]] as const)}
            onChoose={(chosen) =>
              void router.navigate({
                to: '/workspaces/$id/shares',
                params: { id },
                search: orderIn(shareOrders, { sort: chosen }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        ) : null}
      </div>
      <div className="card flex flex-col gap-4 px-4 py-4">
        <WorkspaceLinks workspaceId={id} userId={user.userId} order={sort} />
      </div>
    </Page>
  );
}
