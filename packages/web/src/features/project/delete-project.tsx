/** Deletes a project with all its reports. Requires its name, to prevent deleting the wrong project. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { Project } from '@svc/contract';
import { useState } from 'react';
import { ask, queryKey } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { TextField } from '../../ui/field.tsx';

export function DeleteProject({ project: { projectId, name } }: { readonly project: Project }) {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const queries = useQueryClient();
  const router = useRouter();
  async function confirm() {
    await ask('deleteProject', { params: { id: projectId } });
    const lists = [queryKey('listProjects'), queryKey('listReports')];
    // Removes the lists of other pages; the lists of this page are refetched only after leaving it.
    for (const list of lists) queries.removeQueries({ queryKey: list, type: 'inactive' });
    await router.navigate({ to: '/' });
    for (const list of lists) await queries.invalidateQueries({ queryKey: list });
  }
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Delete project…</Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => {
          setIsOpen(false);
          setTyped('');
        }}
        title={`Delete ${name}?`}
        action="Delete project"
        disabledReason={typed.trim() === name ? undefined : `Type ${name} first.`}
        onConfirm={confirm}
      >
        <p>
          This immediately and permanently deletes all reports of the project and their share links. The
          repository itself is not changed.
        </p>
        <TextField
          label="Project name"
          name="name"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          hint={
            <>
              Type <strong>{name}</strong> to confirm.
            </>
          }
        />
      </Confirm>
    </>
  );
}
