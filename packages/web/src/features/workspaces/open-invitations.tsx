/** The invitations that somebody could still accept. Owners withdraw those that should not be. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { OpenInvitation } from '@svc/contract';
import { useState } from 'react';
import { ask, isRefusal, query, queryKey } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Time } from '../../ui/time.tsx';

export function OpenInvitations({ workspaceId }: { readonly workspaceId: string }) {
  const input = { params: { id: workspaceId } };
  const { invitations } = useSuspenseQuery(query('listInvitations', input)).data;
  const queries = useQueryClient();
  const [withdrawing, setWithdrawing] = useState<OpenInvitation | null>(null);
  async function withdraw() {
    try {
      await ask('revokeInvitation', { params: { token: withdrawing?.invitationId ?? '' } });
    } finally {
      // Whatever was answered: somebody may have joined in the meantime.
      await queries.invalidateQueries({ queryKey: queryKey('listInvitations', input) });
      void queries.invalidateQueries({ queryKey: queryKey('listMembers', input) });
    }
  }
  return (
    <>
      {invitations.length === 0 ? (
        <p className="text-quiet">No open invitation.</p>
      ) : (
        <ul aria-label="Open invitations" className="-my-2 divide-y divide-line">
          {invitations.map((invitation) => (
            <li
              key={invitation.invitationId}
              className="flex min-h-12 items-center justify-between gap-4 py-2"
            >
              <p className="min-w-0">
                Created <Time at={invitation.createdAt} /> by {invitation.createdBy.displayName},{' '}
                <span className="text-quiet">
                  expires <Time at={invitation.expiresAt} />
                </span>
              </p>
              <Button onClick={() => setWithdrawing(invitation)}>Withdraw</Button>
            </li>
          ))}
        </ul>
      )}
      <Confirm
        isOpen={withdrawing !== null}
        onClose={() => setWithdrawing(null)}
        title="Withdraw this invitation?"
        action="Withdraw the invitation"
        onConfirm={withdraw}
        wordsFor={wordsFor}
      >
        <p>Its link stops working immediately.</p>
      </Confirm>
    </>
  );
}

function wordsFor(error: unknown): string | undefined {
  return isRefusal(error, 'NOT_FOUND') ? 'This invitation has already expired.' : undefined;
}
