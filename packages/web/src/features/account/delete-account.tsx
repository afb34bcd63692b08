/** The end of the account, for whoever types its email and its password. */
import { useQueryClient } from '@tanstack/react-query';
import type { User } from '@svc/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { setUser } from '../auth/session.ts';
import { ask, isRefusal } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import type { Fields } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';

interface SharedWorkspace {
  readonly workspaceId: string;
  readonly name: string;
}

export interface DeleteAccountProps {
  readonly user: User;
  readonly onDeleted: () => void;
}

export function DeleteAccount({ user, onDeleted }: DeleteAccountProps) {
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const [stuck, setStuck] = useState<readonly SharedWorkspace[]>([]);
  const [typed, setTyped] = useState('');
  async function remove({ password = '' }: Fields) {
    try {
      await ask('deleteAccount', { body: { password } });
    } catch (error) {
      if (!isRefusal(error, 'CONFLICT')) throw error;
      setStuck((error.details as { workspaces?: SharedWorkspace[] } | undefined)?.workspaces ?? []);
      return;
    }
    onDeleted();
    setUser(queries, null);
  }
  return (
    <>
      <p>
        Your devices, sessions and personal workspace go with it. Reports that you made in a team workspace
        pass to its oldest owner, and their links stay. This can not be undone.
      </p>
      {stuck.length === 0 ? null : <Stuck workspaces={stuck} />}
      <div>
        <Button
          onClick={() => {
            setTyped('');
            setIsAsking(true);
          }}
          className="text-danger-text"
        >
          Delete account …
        </Button>
      </div>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Delete the account ${user.email}?`}
        action="Delete the account"
        whyNot={typed.trim().toLowerCase() === user.email ? undefined : `Type ${user.email} first.`}
        onConfirm={remove}
      >
        <TextField
          label="Email of the account"
          name="email"
          type="email"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          hint={`Type ${user.email} to go on.`}
          data-focus-first
        />
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
      </Confirm>
    </>
  );
}

function Stuck({ workspaces }: { readonly workspaces: readonly SharedWorkspace[] }) {
  return (
    <Notice tone="danger" title="The account is not deleted: others would be left without an owner.">
      <p>Make another member an owner, or delete the workspace:</p>
      <ul className="mt-1 list-disc pl-5">
        {workspaces.map(({ workspaceId, name }) => (
          <li key={workspaceId}>
            <Link to="/workspaces/$id" params={{ id: workspaceId }} className="underline underline-offset-2">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
