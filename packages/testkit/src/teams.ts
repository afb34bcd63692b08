/** Workspaces of several people. */
import type { SessionActor } from './actors.ts';
import { bodyOf } from './outcomes.ts';

/** A team of the owner, which each of the others has joined; its id. */
export async function createTeam(owner: SessionActor, others: readonly SessionActor[]): Promise<string> {
  const { workspaceId } = bodyOf(await owner.api.createWorkspace({ body: { name: 'Team' } }));
  for (const person of others) {
    const { url } = bodyOf(await owner.api.createInvitation({ params: { id: workspaceId } }));
    bodyOf(await person.api.acceptInvitation({ params: { token: url.slice(url.lastIndexOf('/') + 1) } }));
  }
  return workspaceId;
}
