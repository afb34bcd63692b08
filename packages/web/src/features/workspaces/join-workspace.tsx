/** An open invitation, which the user can accept. */
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import type { Invitation, User } from '@svc/contract';
import { useState } from 'react';
import { OwnAccount } from '../auth/own-account.tsx';
import { ask, isApiError, queryKey } from '../../lib/api.ts';
import { buttonLook } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';

export interface JoinWorkspaceProps {
  readonly token: string;
  readonly invitation: Invitation;
  readonly user: User;
}

export function JoinWorkspace({ token, invitation, user }: JoinWorkspaceProps) {
  const { workspaceName, invitedBy, expiresAt } = invitation;
  const queries = useQueryClient();
  const router = useRouter();
  const [ownId, setOwnId] = useState<string | null>(null);
  async function join() {
    const { workspaces } = await ask('listWorkspaces');
    const { workspaceId } = await ask('acceptInvitation', { params: { token } });
    if (workspaces.some((each) => each.workspaceId === workspaceId)) {
      setOwnId(workspaceId);
      return;
    }
    await queries.invalidateQueries({ queryKey: queryKey('listWorkspaces') });
    await router.navigate({ to: '/workspaces/$id', params: { id: workspaceId }, replace: true });
  }
  if (ownId !== null) {
    return (
      <Page key="member" title={`You are already a member of “${workspaceName}”`} width="narrow">
        <p>The invitation was not used; it still works for someone else.</p>
        <p>
          <Link to="/workspaces/$id" params={{ id: ownId }} className={buttonLook('primary')}>
            Go to the workspace
          </Link>
        </p>
      </Page>
    );
  }
  return (
    <Page key="join" title={`Join “${workspaceName}”?`} width="narrow">
      <Facts
        facts={[
          ['Invited by', invitedBy],
          ['You become', 'a member: you can read every report of the workspace and add your own'],
          ['Expires', <Time key="until" at={expiresAt} />],
        ]}
      />
      <div className="flex flex-col gap-4 border-t border-line pt-4">
        <OwnAccount user={user} />
        <Form onSend={join} messageFor={messageFor} label="Join workspace">
          <SubmitButton>Join workspace</SubmitButton>
        </Form>
      </div>
    </Page>
  );
}

function messageFor(error: unknown): string | undefined {
  return isApiError(error, 'NOT_FOUND')
    ? 'This invitation is no longer valid. Ask the person who invited you for a new one.'
    : undefined;
}
