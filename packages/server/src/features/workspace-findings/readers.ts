/** Who may read which findings of a workspace. */
import { AppError } from '#app-error';
import { requireMembership } from '#features/workspaces';
import type { Database } from '#platform/database/database';
import type { ListedFinding } from './listed.ts';
import type { ProjectView } from './project-view.ts';

export interface ReaderPorts {
  readonly database: Database;
  readonly isAdministrator: (userId: string) => Promise<boolean>;
}

/** Whether the reader may see a finding. */
export type MaySee = (finding: Pick<ListedFinding, 'ownerId'>) => boolean;

/**
 * A member sees all findings. Membership gives a platform administrator no access to reports, so an administrator who
 * owns the workspace sees only the findings of their own reports.
 * @throws AppError NOT_FOUND for everyone else, and for an administrator who is not an owner.
 */
export async function requireReader(
  { database, isAdministrator }: ReaderPorts,
  userId: string,
  workspaceId: string,
): Promise<MaySee> {
  const { role } = await requireMembership(database.read, userId, workspaceId);
  if (!(await isAdministrator(userId))) return () => true;
  if (role !== 'owner') throw new AppError('NOT_FOUND');
  return ({ ownerId }) => ownerId === userId;
}

export function* findingsOf(views: readonly ProjectView[], maySee: MaySee): Generator<ListedFinding> {
  for (const { findings } of views) for (const finding of findings) if (maySee(finding)) yield finding;
}
