/** When a support grant can be used, and how long one may last. */
import { limits, type ReportState } from '@svc/contract';

export interface GrantFacts {
  readonly revokedAt: number | null;
  readonly expiresAt: number;
}

export interface ReportFacts {
  readonly state: ReportState;
  readonly expiresAt: number;
}

/** A grant ends at its expiry, when it is revoked, and with its report. */
export function isUsable(grant: GrantFacts, report: ReportFacts, now: number): boolean {
  return grant.revokedAt === null && grant.expiresAt > now && !hasEnded(report, now);
}

export function hasEnded({ state, expiresAt }: ReportFacts, now: number): boolean {
  return state === 'expired' || expiresAt <= now;
}

/** What is wrong with the requested expiry; null when it is valid. */
export function issueOfEnd(expiresAt: number, now: number): string | null {
  const hours = limits.supportGrant.lifetimeMsMax / 3_600_000;
  if (expiresAt <= now) return 'must be in the future';
  return expiresAt > now + limits.supportGrant.lifetimeMsMax ? `must be at most ${hours} hours ahead` : null;
}
