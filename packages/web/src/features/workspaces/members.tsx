/** The members of a workspace and their roles. Owners can change them; at least one owner always remains. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { Member, Role, Workspace } from '@svc/contract';
import { roles } from '@svc/contract/enums';
import { useState } from 'react';
import { ask, query, queryKey } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { ChangeRole, type RoleChange } from './change-role.tsx';
import { roleLabels } from './labels.ts';

export interface MembersProps {
  readonly workspace: Workspace;
  readonly userId: string;
}

export function Members({ workspace: { workspaceId, name, role }, userId }: MembersProps) {
  const params = { id: workspaceId };
  const { members } = useSuspenseQuery(query('listMembers', { params })).data;
  const queries = useQueryClient();
  const [removing, setRemoving] = useState<Member | null>(null);
  const [change, setChange] = useState<RoleChange | null>(null);
  const owners = members.filter((member) => member.role === 'owner');
  const successor = owners.find((owner) => owner.userId !== removing?.userId);

  async function refresh() {
    await queries.invalidateQueries({ queryKey: queryKey('listMembers', { params }) });
    await queries.invalidateQueries({ queryKey: queryKey('listWorkspaces') });
  }
  async function remove() {
    await ask('removeMember', { params: { ...params, userId: removing?.userId ?? '' } });
    await refresh();
  }
  return (
    <>
      <ul className="-my-2 divide-y divide-line">
        {members.map((member) => (
          <li
            key={member.userId}
            className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2"
          >
            <div className="min-w-0">
              <p className="font-strong">
                {member.displayName}
                {member.userId === userId ? <span className="font-normal text-quiet"> (you)</span> : null}
              </p>
              <p className="text-small text-quiet">{member.email}</p>
            </div>
            {role === 'owner' ? (
              <div className="flex items-center gap-2">
                <RoleChoice
                  member={member}
                  isOnlyOwner={member.role === 'owner' && owners.length === 1}
                  onChoose={(wanted) => setChange({ member, wanted })}
                />
                {member.userId === userId ? null : (
                  <Button onClick={() => setRemoving(member)} aria-label={`Remove ${member.displayName}`}>
                    Remove
                  </Button>
                )}
              </div>
            ) : (
              <p className="text-quiet">{roleLabels[member.role]}</p>
            )}
          </li>
        ))}
      </ul>
      <Confirm
        isOpen={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove ${removing?.displayName ?? ''} from “${name}”?`}
        action="Remove member"
        onConfirm={remove}
      >
        <p>
          They lose access to the workspace. Their reports in it pass to {successor?.displayName}, and their
          share links keep working.
        </p>
      </Confirm>
      <ChangeRole
        workspaceId={workspaceId}
        name={name}
        change={change}
        isOwn={change?.member.userId === userId}
        onClose={() => setChange(null)}
        onChanged={refresh}
      />
    </>
  );
}

interface RoleChoiceProps {
  readonly member: Member;
  readonly isOnlyOwner: boolean;
  readonly onChoose: (role: Role) => void;
}

function RoleChoice({ member, isOnlyOwner, onChoose }: RoleChoiceProps) {
  if (isOnlyOwner) return <p className="text-quiet">Only owner</p>;
  return (
    <select
      aria-label={`Role of ${member.displayName}`}
      value={member.role}
      onChange={(event) => onChoose(event.currentTarget.value as Role)}
      className="min-h-8 pointer-coarse:min-h-11 rounded border border-edge bg-field px-2 py-1"
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {roleLabels[role]}
        </option>
      ))}
    </select>
  );
}
