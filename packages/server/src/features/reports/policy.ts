/** Who may read a report. */

import type { Role, WorkspaceKind } from '@svc/contract';

export type Access = 'owner' | 'member';

/** Null when the viewer must not learn that the report exists. Membership gives an administrator no access. */
export function accessOf(
  /** `memberId` is the viewer's id, or null when the viewer is outside the report's workspace. */
  report: { readonly ownerId: string; readonly memberId: string | null },
  viewerId: string,
  isAdministrator: boolean,
): Access | null {
  if (report.ownerId === viewerId) return 'owner';
  return report.memberId !== null && !isAdministrator ? 'member' : null;
}

/** Whether someone with that access may share the report. Owners of a team workspace may share all its reports. */
export function mayShare(
  access: Access,
  { memberRole, workspaceKind }: { readonly memberRole: Role | null; readonly workspaceKind: WorkspaceKind },
): boolean {
  return access === 'owner' || (memberRole === 'owner' && workspaceKind === 'team');
}
