/** Where the status of a finding can go from where it is, and what its history calls each step of a fix. */
import type { FindingStatus, FixAction } from './findings.ts';
import { findingStatuses } from './words.ts';

/** The first is meant when none is named. */
export const fixSteps: Readonly<
  Partial<Record<`${FindingStatus} → ${FindingStatus}`, readonly FixAction[]>>
> = {
  'open → fix_suggested': ['suggested'],
  'fix_suggested → fix_applied': ['applied'],
  'fix_applied → fixed_verified': ['verified'],
  'fix_applied → open': ['reverted', 'verification_failed'],
};

/** A person has decided that nothing needs to be done. */
export function isSetAside(status: FindingStatus): boolean {
  return status === 'accepted_risk' || status === 'false_positive';
}

export function movesFrom(from: FindingStatus): FindingStatus[] {
  return findingStatuses.filter(
    (to) => to !== from && (isSetAside(from) || isSetAside(to) || fixSteps[`${from} → ${to}`] !== undefined),
  );
}

/** The tag of a finding whose status was decided in an earlier report. */
export const CARRIED_TAG = 'carried-status';
