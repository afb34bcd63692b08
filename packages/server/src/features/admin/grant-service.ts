/**
 * Support grants: an administrator can read one report for some hours.
 *
 * A grant needs the administrator's password and a reason, which the report's owner sees with each use. It is valid
 * only for the administrator who created it. It ends at its expiry, when it is revoked, or with the report, whose end
 * also deletes the reason. Each use is counted and audited in the transaction that validates the grant, before the
 * report is read.
 */
import { limits, type CreateSupportGrantBody, type ReportRead, type SupportGrant } from '@svc/contract';
import { AppError, validationFailed } from '#app-error';
import type { AuditRecorder } from '#features/audit';
import { countSupportAccess, lockReport, type ReportRow } from '#features/reports';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import { isoTime, isoTimeOrNull, type Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import { isRecordId, type Ids } from '#platform/ids';
import { hasEnded, isUsable, issueOfEnd } from './grant-policy.ts';
import * as store from './grants-store.ts';
import type { GrantOfReport } from './grants-store.ts';

export interface GrantPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: Pick<AuditRecorder, 'record'>;
  readonly requirePassword: (again: PasswordAgain) => Promise<unknown>;
}

/** Who asks, from which network, and the password as confirmation. */
export interface PasswordAgain extends Asking {
  readonly password: string;
}

export interface Asking {
  readonly userId: string;
  readonly network: string;
}

export interface GrantService {
  /**
   * @throws AppError VALIDATION_FAILED; FORBIDDEN for a wrong password, RATE_LIMITED; NOT_FOUND for an unknown report,
   * REPORT_EXPIRED.
   */
  create(asking: Asking, body: CreateSupportGrantBody): Promise<SupportGrant>;
  list(): Promise<SupportGrant[]>;
  /**
   * Revokes a grant. Also succeeds for a grant that has ended.
   * @throws AppError NOT_FOUND
   */
  revoke(userId: string, grantId: string): Promise<void>;
  /**
   * Counts a use and returns the report.
   * @throws AppError SUPPORT_GRANT_REQUIRED, whether or not the report exists.
   */
  use(
    userId: string,
    reportId: string,
  ): Promise<{ readonly report: ReportRow; readonly grant: SupportGrant }>;
  /**
   * When the permission to read the report ends by the clock. Does not count as a use.
   * @throws AppError SUPPORT_GRANT_REQUIRED
   */
  endOfRight(userId: string, reportId: string): Promise<number>;
  accessesOf(reportId: string): Promise<ReportRead['supportAccesses']>;
  /** Deletes the reasons of the reports' grants, within the transaction in which the reports expire. */
  forgetReasons(tx: Tx, reportIds: readonly string[]): Promise<void>;
}

export function createGrantService({
  database,
  bus,
  clock,
  ids,
  audit,
  requirePassword,
}: GrantPorts): GrantService {
  const toGrant = (grant: GrantOfReport) => grantOf(grant, clock.now());

  return {
    async create({ userId, network }, { reportId, reason, expiresAt: end, password }) {
      const expiresAt = Date.parse(end);
      const issue = issueOfEnd(expiresAt, clock.now());
      if (issue !== null) throw validationFailed({ path: '/expiresAt', message: issue });
      await requirePassword({ userId, network, password });
      return database.transaction(async (tx) => {
        const report = isRecordId('rep', reportId) ? await lockReport(tx, reportId) : null;
        if (!report) throw new AppError('NOT_FOUND');
        const now = clock.now();
        if (hasEnded(report, now)) throw new AppError('REPORT_EXPIRED');
        const grant: store.GrantRow = {
          id: ids.timed('grt'),
          reportId,
          administratorId: userId,
          // PostgreSQL cannot store NUL.
          reason: reason.trim().replaceAll('\0', '\ufffd'),
          createdAt: now,
          expiresAt,
          revokedAt: null,
          uses: 0,
          lastUsedAt: null,
        };
        await store.insertGrant(tx, grant);
        const { workspaceId } = report;
        audit.record(tx, {
          action: 'support_granted',
          actorId: userId,
          workspaceId,
          reportId,
          subjectId: grant.id,
        });
        return toGrant(withReport(grant, report));
      });
    },

    async list() {
      const newest = await store.listGrants(database.read, limits.supportGrant.listedMax);
      return newest.toReversed().map(toGrant);
    },

    async revoke(userId, grantId) {
      if (!isRecordId('grt', grantId)) throw new AppError('NOT_FOUND');
      await database.transaction(async (tx) => {
        const grant = await store.lockGrant(tx, grantId);
        if (!grant) throw new AppError('NOT_FOUND');
        if (grant.revokedAt !== null) return;
        await store.revokeGrant(tx, grantId, clock.now());
        const workspaceId = await store.workspaceOf(tx, grant.reportId);
        const about = { workspaceId, reportId: grant.reportId, subjectId: grantId };
        audit.record(tx, { action: 'support_revoked', actorId: userId, ...about });
        await bus.publish(tx, topics.user(grant.administratorId));
      });
    },

    use: (userId, reportId) =>
      database.transaction(async (tx) => {
        const report = isRecordId('rep', reportId) ? await lockReport(tx, reportId) : null;
        const now = clock.now();
        const grant = report && (await store.lockUsableGrant(tx, { reportId, administratorId: userId, now }));
        if (!grant || !isUsable(grant, report, now)) throw new AppError('SUPPORT_GRANT_REQUIRED');
        await store.insertUse(tx, grant, now);
        await countSupportAccess(tx, reportId);
        const about = { workspaceId: report.workspaceId, reportId, subjectId: grant.id };
        audit.record(tx, { action: 'support_used', actorId: userId, ...about });
        const used = { ...grant, uses: grant.uses + 1, lastUsedAt: now };
        return { report, grant: toGrant(withReport(used, report)) };
      }),

    async endOfRight(userId, reportId) {
      const now = clock.now();
      const reader = { reportId, administratorId: userId, now };
      const grant = await store.findUsableGrant(database.read, reader);
      const report = grant && { state: grant.reportState, expiresAt: grant.reportExpiresAt };
      if (!grant || !report || !isUsable(grant, report, now)) throw new AppError('SUPPORT_GRANT_REQUIRED');
      return Math.min(grant.expiresAt, report.expiresAt);
    },

    async accessesOf(reportId) {
      const uses = await store.listUses(database.read, reportId);
      return uses.map(({ usedAt, reason }) => ({ at: isoTime(usedAt), reason: reason ?? '' }));
    },

    forgetReasons: store.forgetReasons,
  };
}

function withReport(grant: store.GrantRow, { state, expiresAt }: ReportRow): GrantOfReport {
  return { ...grant, reportState: state, reportExpiresAt: expiresAt };
}

function grantOf(row: GrantOfReport, now: number): SupportGrant {
  const report = { state: row.reportState, expiresAt: row.reportExpiresAt };
  return {
    grantId: row.id,
    reportId: row.reportId,
    administratorId: row.administratorId,
    reason: hasEnded(report, now) ? null : row.reason,
    active: isUsable(row, report, now),
    createdAt: isoTime(row.createdAt),
    expiresAt: isoTime(row.expiresAt),
    revokedAt: isoTimeOrNull(row.revokedAt),
    uses: row.uses,
    lastUsedAt: isoTimeOrNull(row.lastUsedAt),
  };
}
