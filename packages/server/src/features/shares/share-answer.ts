/** A share, as shown to people who may share the report. */
import type { Share, SharePolicy } from '@svc/contract';
import { isoTime, isoTimeOrNull } from '#platform/clock';
import type { PrincipalRow, ShareWithCreator } from './store.ts';
import type { Views } from './view-counts.ts';

interface Beside {
  readonly principals: readonly PrincipalRow[];
  /** The opened message. */
  readonly message: string | null;
  /** Views that are not written to the row yet. */
  readonly pending: Views | null;
}

export function toShare(row: ShareWithCreator, { principals, message, pending }: Beside): Share {
  const lastViewedAt = Math.max(row.lastViewedAt ?? 0, pending?.lastViewedAt ?? 0);
  return {
    id: row.id,
    reportId: row.reportId,
    label: row.label,
    mode: row.mode,
    hasPassword: row.passwordHash !== null,
    anonymousAllowed: row.anonymousAllowed === 1,
    expiresAt: isoTimeOrNull(row.expiresAt),
    revokedAt: isoTimeOrNull(row.revokedAt),
    createdAt: isoTime(row.createdAt),
    createdBy: { userId: row.creatorId, displayName: row.creatorName },
    message,
    showSender: row.showSender === 1,
    defaultPolicy: policyOf(row.defaultPolicy),
    principals: principals.map(({ value, label, policy }) => ({
      principalValue: value,
      label,
      policy: policyOf(policy),
    })),
    viewCount: row.viewCount + (pending?.count ?? 0),
    lastViewedAt: lastViewedAt === 0 ? null : isoTime(lastViewedAt),
  };
}

/** Only shares of current reports are listed, and those have policies. */
function policyOf(text: string | null): SharePolicy {
  if (text === null) throw new Error('the share has no policy any more');
  return JSON.parse(text) as SharePolicy;
}
