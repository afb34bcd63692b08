/** The invitations that can still be accepted. Owners can revoke them. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { OpenInvitation } from '@svc/contract';
import { useState } from 'react';
import { ask, isApiError, query, queryKey } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Expiry, Time } from '../../ui/time.tsx';

export function OpenInvitations({ workspaceId }: { readonly workspaceId: string }) {
  const input = { params: { id: workspaceId } };
  const { invitations } = useSuspenseQuery(query('listInvitations', input)).data;
  const queries = useQueryClient();
  const [revoking, setRevoking] = useState<OpenInvitation | null>(null);
  async function revoke() {
    try {
      await ask('revokeInvitation', { params: { token: revoking?.invitationId ?? '' } });
    } finally {
      // Even after an error: someone may have joined in the meantime.
      await queries.invalidateQueries({ queryKey: queryKey('listInvitations', input) });
      void queries.invalidateQueries({ queryKey: queryKey('listMembers', input) });
    }
  }
  return (
    <>
      {invitations.length === 0 ? (
        <p className="text-quiet">No open invitations.</p>
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
                  <Expiry at={invitation.expiresAt} />
                </span>
              </p>
              <Button onClick={() => setRevoking(invitation)}>Revoke</Button>
            </li>
          ))}
        </ul>
      )}
      <Confirm
        isOpen={revoking !== null}
        onClose={() => setRevoking(null)}
        title="Revoke this invitation?"
        action="Revoke invitation"
        onConfirm={revoke}
        messageFor={messageFor}
      >
        <p>Its link stops working immediately.</p>
      </Confirm>
    </>
  );
}

function messageFor(error: unknown): string | undefined {
  return isApiError(error, 'NOT_FOUND') ? 'This invitation has already expired.' : undefined;
}
