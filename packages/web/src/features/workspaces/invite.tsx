/** Creates a single-use invitation link, which is shown once for the owner to pass on. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Workspace } from '@svc/contract';
import { ask, queryKey, type BodyFor } from '../../lib/api.ts';
import { exactTime } from '../../lib/format.ts';
import { Command } from '../../ui/copy.tsx';
import { Form, SubmitButton } from '../../ui/form.tsx';

export function Invite({ workspace: { workspaceId, name } }: { readonly workspace: Workspace }) {
  const queries = useQueryClient();
  const [made, setMade] = useState<BodyFor<'createInvitation'> | null>(null);
  async function invite() {
    const input = { params: { id: workspaceId } };
    setMade(await ask('createInvitation', input));
    void queries.invalidateQueries({ queryKey: queryKey('listInvitations', input) });
  }
  return (
    <Form onSend={invite} label="Invite someone">
      {made ? (
        <div role="status" className="flex flex-col gap-2">
          <Command command={made.url} label="Invitation link" />
          <p className="text-small text-quiet">
            Shown once. The first person who accepts it joins “{name}” as a member. Expires{' '}
            {exactTime(new Date(made.expiresAt))}.
          </p>
        </div>
      ) : null}
      <div>
        <SubmitButton look="plain">
          {made ? 'Create another invitation link' : 'Create invitation link'}
        </SubmitButton>
      </div>
    </Form>
  );
}
