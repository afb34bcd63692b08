/** Changes a member's role; requires the password. */
import type { Member, Role } from '@svc/contract';
import { ask } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { PasswordField } from '../../ui/field.tsx';
import type { Fields } from '../../ui/form.tsx';

export interface RoleChange {
  readonly member: Member;
  readonly wanted: Role;
}

export interface ChangeRoleProps {
  readonly workspaceId: string;
  readonly name: string;
  /** Null while the dialog is closed. */
  readonly change: RoleChange | null;
  /** True if users change their own role. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
}

export function ChangeRole({ workspaceId, name, change, isOwn, onClose, onChanged }: ChangeRoleProps) {
  async function send({ password = '' }: Fields) {
    if (!change) return;
    await ask('changeMember', {
      params: { id: workspaceId, userId: change.member.userId },
      body: { role: change.wanted, password },
    });
    await onChanged();
  }
  return (
    <Confirm
      isOpen={change !== null}
      onClose={onClose}
      {...labelsOf(change, name, isOwn)}
      look={change?.wanted === 'owner' ? 'primary' : 'danger'}
      onConfirm={send}
    >
      <p>{effectOf(change, isOwn)}</p>
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        required
        data-focus-first
      />
    </Confirm>
  );
}

function labelsOf(change: RoleChange | null, name: string, isOwn: boolean) {
  if (isOwn) return { title: `Give up ownership of “${name}”?`, action: 'Give up ownership' };
  const person = change?.member.displayName ?? '';
  return change?.wanted === 'owner'
    ? { title: `Make ${person} an owner of “${name}”?`, action: 'Make an owner' }
    : { title: `Make ${person} a member of “${name}”?`, action: 'Make a member' };
}

function effectOf(change: RoleChange | null, isOwn: boolean): string {
  if (isOwn) return 'You become a member. Only another owner can make you an owner again.';
  return change?.wanted === 'owner'
    ? 'Owners invite and remove people, change roles, and can delete the workspace.'
    : 'They can no longer invite or remove people, change roles, or delete the workspace.';
}
