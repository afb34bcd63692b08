/** Who may read the findings of a workspace. */
import { AppError } from '#app-error';
import { requireMembership } from '#features/workspaces';
import type { Database } from '#platform/database/database';

export interface ReaderPorts {
  readonly database: Database;
  readonly isAdministrator: (userId: string) => Promise<boolean>;
}

/** @throws AppError NOT_FOUND unless the user is a member, and for an administrator who is no owner. */
export async function requireReader(
  { database, isAdministrator }: ReaderPorts,
  userId: string,
  workspaceId: string,
): Promise<void> {
  const { role } = await requireMembership(database.read, userId, workspaceId);
  if (role !== 'owner' && (await isAdministrator(userId))) throw new AppError('NOT_FOUND');
}
