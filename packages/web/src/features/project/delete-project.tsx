/** Deleting a project with all of its reports. Asks for its name, so that it is never another one's. */
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
    // What another page has listed before is not shown again; what this one lists is asked for only after it is left.
    for (const list of lists) queries.removeQueries({ queryKey: list, type: 'inactive' });
    await router.navigate({ to: '/' });
    for (const list of lists) await queries.invalidateQueries({ queryKey: list });
  }
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Delete project …</Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => {
          setIsOpen(false);
          setTyped('');
        }}
        title={`Delete ${name}?`}
        action="Delete project"
        whyNot={typed.trim() === name ? undefined : `Type ${name} first.`}
        onConfirm={confirm}
      >
        <p>
          Every report of the project and every link to one ends with it, at once and for good. The repository
          itself is not touched.
        </p>
        <TextField
          label="Name of the project"
          name="name"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          hint={
            <>
              Type <strong>{name}</strong> to go on.
            </>
          }
        />
      </Confirm>
    </>
  );
}
