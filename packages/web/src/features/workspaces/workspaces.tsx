/** The user's workspaces, and a dialog that creates a new one. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { limits } from '@svc/contract/limits';
import { useState } from 'react';
import { recordEvent } from '../../lib/analytics.ts';
import { ask, query, queryKey } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../../ui/form.tsx';
import { factsOf } from './labels.ts';

export function Workspaces() {
  const { workspaces } = useSuspenseQuery(query('listWorkspaces')).data;
  return (
    <>
      <ul className="-my-2 divide-y divide-line">
        {workspaces.map((workspace) => (
          <li key={workspace.workspaceId} className="py-2">
            <Link
              to="/workspaces/$id"
              params={{ id: workspace.workspaceId }}
              className="font-strong text-accent-text hover:underline"
            >
              {workspace.name}
            </Link>
            <p className="text-small text-quiet">{factsOf(workspace)}</p>
          </li>
        ))}
      </ul>
      <NewWorkspace />
    </>
  );
}

function NewWorkspace() {
  const queries = useQueryClient();
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  async function create({ name = '' }: Fields) {
    const { workspaceId } = await ask('createWorkspace', { body: { name } });
    recordEvent('workspace_created', { workspaceId });
    await queries.invalidateQueries({ queryKey: queryKey('listWorkspaces') });
    setIsOpen(false);
    await router.navigate({ to: '/workspaces/$id', params: { id: workspaceId } });
  }
  return (
    <div>
      <Button onClick={() => setIsOpen(true)}>New team workspace…</Button>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="New team workspace">
        <Form onSend={create} label="New team workspace">
          <TextField
            label="Name"
            name="name"
            required
            maxLength={limits.workspaceNameLengthMax}
            data-focus-first
          />
          <div className="flex justify-end">
            <SubmitButton>Create workspace</SubmitButton>
          </div>
        </Form>
      </Dialog>
    </div>
  );
}
