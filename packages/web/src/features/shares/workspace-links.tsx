/** The links of a workspace that work now: all of them for its owners, their own for other members. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { WorkspaceShare } from '@svc/contract';
import { useState } from 'react';
import { happened } from '../../lib/analytics.ts';
import { ask, query, queryKey } from '../../lib/api.ts';
import { counted } from '../../lib/words.ts';
import { Answered } from '../../ui/answered.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Time } from '../../ui/time.tsx';
import { audienceOf, audiences } from './draft.ts';
import { nameOf } from './share-words.ts';

export interface WorkspaceLinksProps {
  readonly workspaceId: string;
  readonly userId: string;
}

export function WorkspaceLinks({ workspaceId, userId }: WorkspaceLinksProps) {
  const params = { id: workspaceId };
  const links = useQuery({ ...query('listWorkspaceShares', { params }), throwOnError: false });
  const queries = useQueryClient();
  const [revoking, setRevoking] = useState<WorkspaceShare | null>(null);
  async function revoke() {
    if (!revoking) return;
    const { id, reportId } = revoking;
    await ask('revokeShare', { params: { shareId: id }, query: { reportId } });
    happened('share_revoked', { reportId });
    await Promise.all([
      queries.invalidateQueries({ queryKey: queryKey('listWorkspaceShares', { params }) }),
      queries.invalidateQueries({ queryKey: queryKey('listWorkspaceAudit', { params }) }),
      queries.invalidateQueries({ queryKey: queryKey('listShares', { params: { id: reportId } }) }),
    ]);
  }
  return (
    <Answered of={links} what="the links">
      {({ shares }) => (
        <>
          {shares.length === 0 ? (
            <p>No link works at the moment. A report is shared on its own page.</p>
          ) : (
            <ul aria-label="Links that work" className="-my-2 divide-y divide-line">
              {shares.toReversed().map((share) => (
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
            <p>Whoever has it can open it no more, from this moment on. It can not be taken back.</p>
          </Confirm>
        </>
      )}
    </Answered>
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
          Owned by <bdi>{ownerName}</bdi>, who alone can revoke it
        </p>
      )}
      <p className="text-small text-quiet">
        {audiences[audienceOf(share)]}
        {hasPassword ? ', with a password' : ''}
        {' · '}
        {expiresAt === null ? (
          'ends with the report'
        ) : (
          <>
            ends <Time at={expiresAt} />
          </>
        )}
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
