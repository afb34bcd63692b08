/** Who may read a report, and when it is gone. */
import type { ReportState } from '@svc/contract';

export interface ReportFacts {
  readonly ownerId: string;
  readonly state: ReportState;
  readonly expiresAt: number;
}

export interface Viewer {
  readonly userId: string;
  /** Of the workspace that the report is in. */
  readonly isMember: boolean;
  readonly isAdministrator: boolean;
}

export type Access = 'owner' | 'member';

/** Null when the viewer is to be told that there is no such report. Membership lends an administrator no access. */
export function accessOf(report: Pick<ReportFacts, 'ownerId'>, viewer: Viewer): Access | null {
  if (report.ownerId === viewer.userId) return 'owner';
  return viewer.isMember && !viewer.isAdministrator ? 'member' : null;
}

/** The clock decides; the sweeper only tidies up after it. */
export function isExpired(
  { state, expiresAt }: Pick<ReportFacts, 'state' | 'expiresAt'>,
  now: number,
): boolean {
  return state === 'expired' || expiresAt <= now;
}
