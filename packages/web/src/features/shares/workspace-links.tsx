/** The active shares of a workspace: all of them for owners, their own for other members. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { WorkspaceShare } from '@svc/contract';
import { useState } from 'react';
import { recordEvent } from '../../lib/analytics.ts';
import { ask, query, queryKey } from '../../lib/api.ts';
import { counted } from '../../lib/format.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Expiry, Time } from '../../ui/time.tsx';
import { audienceOf, audiences } from './draft.ts';
import { inShareOrder, type ShareOrder } from './orders.ts';
import { nameOf } from './share-labels.ts';

export interface WorkspaceLinksProps {
  readonly workspaceId: string;
  readonly userId: string;
  readonly order?: ShareOrder;
}

export function WorkspaceLinks({ workspaceId, userId, order = 'newest' }: WorkspaceLinksProps) {
  const params = { id: workspaceId };
  const links = useQuery({ ...query('listWorkspaceShares', { params }), throwOnError: false });
  const queries = useQueryClient();
  const [revoking, setRevoking] = useState<WorkspaceShare | null>(null);
  async function revoke() {
    if (!revoking) return;
    const { id, reportId } = revoking;
    await ask('revokeShare', { params: { shareId: id }, query: { reportId } });
    recordEvent('share_revoked', { reportId });
    await Promise.all([
      queries.invalidateQueries({ queryKey: queryKey('listWorkspaceShares', { params }) }),
      queries.invalidateQueries({ queryKey: queryKey('listWorkspaceAudit', { params }) }),
      queries.invalidateQueries({ queryKey: queryKey('listShares', { params: { id: reportId } }) }),
    ]);
  }
  return (
    <QueryResult of={links} what="the links">
      {({ shares }) => (
        <>
          {shares.length === 0 ? (
            <p>No active share links. Open a report to share it.</p>
          ) : (
            <ul aria-label="Active share links" className="-my-2 divide-y divide-line">
              {inShareOrder(shares, order).map((share) => (
                <li
                  key={share.id}
                  className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2"
                >
                  <LinkFacts share={share} isOwn={share.ownerId === userId} />
                  {share.ownerId === userId ? (
                    <Button onClick={() => setRevoking(share)} aria-label={`Revoke ${nameOf(share)}`}>
                      Revoke
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
          )}
          <Confirm
            isOpen={revoking !== null}
            onClose={() => setRevoking(null)}
            title={`Revoke “${revoking ? nameOf(revoking) : ''}”?`}
            action="Revoke link"
            onConfirm={revoke}
          >
            <p>The link stops working immediately. This can’t be undone.</p>
          </Confirm>
        </>
      )}
    </QueryResult>
  );
}

function LinkFacts({ share, isOwn }: { readonly share: WorkspaceShare; readonly isOwn: boolean }) {
  const { reportId, projectName, ownerName, hasPassword, expiresAt, viewCount, lastViewedAt } = share;
  return (
    <div className="min-w-0">
      <p>
        <bdi className="font-strong">{nameOf(share)}</bdi>{' '}
        <span className="text-quiet">
          to a report of{' '}
          <Link
            to="/reports/$id"
            params={{ id: reportId }}
            className="text-accent-text underline-offset-2 hover:underline"
          >
            <bdi>{projectName || reportId}</bdi>
          </Link>
        </span>
      </p>
      {isOwn ? null : (
        <p className="text-small text-quiet">
          Owned by <bdi>{ownerName}</bdi>; only they can revoke it
        </p>
      )}
      <p className="text-small text-quiet">
        {audiences[audienceOf(share)]}
        {hasPassword ? ', password required' : ''}
        {' · '}
        {expiresAt === null ? 'expires with the report' : <Expiry at={expiresAt} />}
        {' · '}
        {counted(viewCount, 'view')}
        {lastViewedAt === null ? null : (
          <>
            , last <Time at={lastViewedAt} />
          </>
        )}
      </p>
    </div>
  );
}
