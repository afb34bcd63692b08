/** Leaves or deletes a workspace. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { Workspace } from '@svc/contract';
import { useState } from 'react';
import { ask, query, queryKey } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { TextField } from '../../ui/field.tsx';

export interface WorkspaceEndProps {
  readonly workspace: Workspace;
  readonly userId: string;
}

export function WorkspaceEnd({ workspace: { workspaceId, name, role }, userId }: WorkspaceEndProps) {
  const params = { id: workspaceId };
  const { members } = useSuspenseQuery(query('listMembers', { params })).data;
  const queries = useQueryClient();
  const router = useRouter();
  const [asking, setAsking] = useState<'leave' | 'delete' | null>(null);
  const [typed, setTyped] = useState('');
  const otherOwner = members.find((member) => member.role === 'owner' && member.userId !== userId);

  async function goOut() {
    await router.navigate({ to: '/settings', hash: 'workspaces' });
    await queries.invalidateQueries({ queryKey: queryKey('listWorkspaces') });
  }
  async function leave() {
    await ask('removeMember', { params: { ...params, userId } });
    await goOut();
  }
  async function remove() {
    await ask('deleteWorkspace', { params });
    await goOut();
  }
  return (
    <>
      {members.length > 1 ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button disabled={!otherOwner} aria-describedby="why-not-leave" onClick={() => setAsking('leave')}>
            Leave workspace…
          </Button>
          <p id="why-not-leave" className="text-quiet">
            {otherOwner
              ? `Your reports in it pass to ${otherOwner.displayName}.`
              : 'You are the only owner: make another member an owner first.'}
          </p>
        </div>
      ) : null}
      {role === 'owner' ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            className="text-danger-text"
            onClick={() => {
              setTyped('');
              setAsking('delete');
            }}
          >
            Delete workspace…
          </Button>
          <p className="text-quiet">This also deletes its projects, reports and share links.</p>
        </div>
      ) : null}
      <Confirm
        isOpen={asking === 'leave'}
        onClose={() => setAsking(null)}
        title={`Leave “${name}”?`}
        action="Leave workspace"
        onConfirm={leave}
      >
        <p>You lose access to it, and your devices can’t upload to it. You need an invitation to return.</p>
      </Confirm>
      <Confirm
        isOpen={asking === 'delete'}
        onClose={() => setAsking(null)}
        title={`Delete “${name}”?`}
        action="Delete workspace"
        disabledReason={typed.trim() === name ? undefined : `Type ${name} first.`}
        onConfirm={remove}
      >
        <p>
          This deletes all its projects and reports for every member. Their share links stop working
          immediately.
        </p>
        <TextField
          label="Workspace name"
          name="name"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          hint={`Type ${name} to confirm.`}
          data-focus-first
        />
      </Confirm>
    </>
  );
}
