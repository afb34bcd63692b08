/** Team workspaces. */
import type { SessionActor } from './actors.ts';
import { bodyOf } from './outcomes.ts';

type Role = 'owner' | 'member';

/** Creates a team of the owner, which the others join. Returns its id. */
export async function createTeam(
  owner: SessionActor,
  others: readonly SessionActor[] = [],
  name = 'Team',
): Promise<string> {
  const { workspaceId } = bodyOf(await owner.api.createWorkspace({ body: { name } }));
  for (const person of others) await joinTeam(owner, workspaceId, person);
  return workspaceId;
}

/** The token of a new invitation. */
export async function invitationTo(owner: Pick<SessionActor, 'api'>, workspaceId: string): Promise<string> {
  const { url } = bodyOf(await owner.api.createInvitation({ params: { id: workspaceId } }));
  return url.slice(url.lastIndexOf('/') + 1);
}

/** Makes a user a member by an invitation, and optionally an owner. */
export async function joinTeam(
  owner: SessionActor,
  workspaceId: string,
  person: SessionActor,
  role: Role = 'member',
): Promise<void> {
  const token = await invitationTo(owner, workspaceId);
  bodyOf(await person.api.acceptInvitation({ params: { token } }));
  if (role === 'owner') bodyOf(await setRole(owner, workspaceId, person, role));
}

/** Changes a member's role with the acting owner's password. */
export const setRole = (by: SessionActor, id: string, { user }: SessionActor, role: Role) =>
  by.api.changeMember({ params: { id, userId: user.userId }, body: { role, password: by.password } });

/** Makes the member an additional owner. */
export async function makeOwner(
  owner: SessionActor,
  workspaceId: string,
  member: SessionActor,
): Promise<void> {
  bodyOf(await setRole(owner, workspaceId, member, 'owner'));
}
