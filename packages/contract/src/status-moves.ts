/** The allowed status changes of a finding, and the actions that its history records for the steps of a fix. */
import type { FindingStatus, FixAction } from './findings.ts';
import { findingStatuses, setAsideStatuses } from './enums.ts';

/** The first action is the default. */
export const fixSteps: Readonly<
  Partial<Record<`${FindingStatus} → ${FindingStatus}`, readonly FixAction[]>>
> = {
  'open → fix_suggested': ['suggested'],
  'fix_suggested → fix_applied': ['applied'],
  'fix_applied → fixed_verified': ['verified'],
  'fix_applied → open': ['reverted', 'verification_failed'],
};

export type SetAsideStatus = (typeof setAsideStatuses)[number];

/** True for the statuses that set a finding aside. */
export function isSetAside(status: FindingStatus): status is SetAsideStatus {
  return setAsideStatuses.some((each) => each === status);
}

export function movesFrom(from: FindingStatus): FindingStatus[] {
  return findingStatuses.filter(
    (to) => to !== from && (isSetAside(from) || isSetAside(to) || fixSteps[`${from} → ${to}`] !== undefined),
  );
}

/** The tag of a finding whose status was set in an earlier report. */
export const CARRIED_TAG = 'carried-status';

/** The tag of a finding that is open because the decision that set it aside has lapsed. Shares never show it. */
export const LAPSED_TAG = 'decision-lapsed';
