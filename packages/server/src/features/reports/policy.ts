/** Who may read a report. */

export type Access = 'owner' | 'member';

/** Null when the viewer must not learn that the report exists. Membership gives an administrator no access. */
export function accessOf(
  /** `memberId` is the viewer, or null for one outside the report's workspace. */
  report: { readonly ownerId: string; readonly memberId: string | null },
  viewerId: string,
  isAdministrator: boolean,
): Access | null {
  if (report.ownerId === viewerId) return 'owner';
  return report.memberId !== null && !isAdministrator ? 'member' : null;
}
