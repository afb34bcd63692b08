/** Deletes the account; requires its email and password. */
import { useQueryClient } from '@tanstack/react-query';
import type { User } from '@svc/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { setUser } from '../auth/session.ts';
import { ask, isApiError } from '../../lib/api.ts';
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
  const [soleOwnerOf, setSoleOwnerOf] = useState<readonly SharedWorkspace[]>([]);
  const [typed, setTyped] = useState('');
  async function remove({ password = '' }: Fields) {
    try {
      await ask('deleteAccount', { body: { password } });
    } catch (error) {
      if (!isApiError(error, 'CONFLICT')) throw error;
      setSoleOwnerOf((error.details as { workspaces?: SharedWorkspace[] } | undefined)?.workspaces ?? []);
      return;
    }
    onDeleted();
    setUser(queries, null);
  }
  return (
    <>
      <p>
        This also deletes your devices, sessions and personal workspace. Your reports in a team workspace pass
        to its oldest owner, and their share links keep working. This can’t be undone.
      </p>
      {soleOwnerOf.length === 0 ? null : <SoleOwnerNotice workspaces={soleOwnerOf} />}
      <div>
        <Button
          onClick={() => {
            setTyped('');
            setIsAsking(true);
          }}
          className="text-danger-text"
        >
          Delete account…
        </Button>
      </div>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Delete account ${user.email}?`}
        action="Delete account"
        disabledReason={typed.trim().toLowerCase() === user.email ? undefined : `Type ${user.email} first.`}
        onConfirm={remove}
      >
        <TextField
          label="Account email"
          name="email"
          type="email"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          hint={`Type ${user.email} to confirm.`}
          data-focus-first
        />
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
      </Confirm>
    </>
  );
}

function SoleOwnerNotice({ workspaces }: { readonly workspaces: readonly SharedWorkspace[] }) {
  return (
    <Notice tone="danger" title="Account not deleted: you are the only owner of a shared workspace.">
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
