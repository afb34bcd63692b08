/**
 * Finalizing: the unit that was reserved is spent, the report is final with what was uploaded, and its project tells of
 * it, in one transaction. The same call again changes nothing and is answered alike.
 */
import type { Quota } from '@svc/contract';
import { AppError } from '#app-error';
import type { QuotaFeature } from '#features/quota';
import { lockOwnReport, refreshProject, updateReport, type ReportRow } from '#features/reports';
import { requireMembership } from '#features/workspaces';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import { isoTime, type Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import { isRecordId } from '#platform/ids';
import type { DevicePrincipal } from '#principal';
import { isReceived } from './policy.ts';
import * as store from './store.ts';

export interface FinalizePorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly quota: Pick<QuotaFeature, 'get' | 'reserve' | 'spend'>;
  readonly appBaseUrl: string;
  /**
   * Compares the findings of a report that is about to be final with what its project knows of them.
   * @returns whether anything is told of them otherwise than the report does.
   */
  readonly followFindings: (
    tx: Tx,
    report: Pick<ReportRow, 'projectId'>,
    uploadId: string,
    now: number,
  ) => Promise<boolean>;
  /** Called once the report is final; its shares may have been created before. */
  readonly onFinalized: (reportId: string) => void;
}

export interface Finalized {
  readonly reportId: string;
  readonly reportUrl: string;
  readonly state: 'finalized';
  readonly finalizedAt: string;
  readonly expiresAt: string;
  readonly quota: Quota;
}

export interface FinalizeService {
  /**
   * @throws AppError NOT_FOUND, REPORT_EXPIRED; CONFLICT when nothing was received under that upload or the report is final
   * with another; SYNC_DAILY_LIMIT_REACHED or SYNC_WEEKLY_LIMIT_REACHED when the reservation has lapsed and no unit is left.
   */
  finalize(device: DevicePrincipal, reportId: string, uploadId: string): Promise<Finalized>;
}

export function createFinalizeService(ports: FinalizePorts): FinalizeService {
  const { database, clock, quota } = ports;

  async function spendUnit(tx: Tx, { reservationId, ownerId, workspaceId }: ReportRow): Promise<void> {
    if (reservationId !== null && (await quota.spend(tx, reservationId))) return;
    const { plan } = await requireMembership(tx, ownerId, workspaceId);
    await quota.spend(tx, await quota.reserve(tx, ownerId, plan));
  }

  async function requireReceived(tx: Tx, reportId: string, uploadId: string): Promise<void> {
    const upload = isRecordId('upl', uploadId) ? await store.findUpload(tx, uploadId) : null;
    if (!upload || upload.reportId !== reportId || !isReceived(upload))
      throw new AppError('CONFLICT', { message: 'Nothing was received under this upload.' });
  }

  return {
    async finalize(device, reportId, uploadId) {
      const { finalizedAt, workspaceId, expiresAt } = await database.transaction(async (tx) => {
        const now = clock.now();
        const report = await lockOwnReport(tx, device, reportId, now);
        if (report.finalizedAt !== null) {
          if (report.uploadId === uploadId) return { ...report, finalizedAt: report.finalizedAt };
          throw new AppError('CONFLICT', { message: 'The report is final with another upload.' });
        }
        await requireReceived(tx, reportId, uploadId);
        // Locks the project, as making a report does, before the units of its owner.
        const isAmended = await ports.followFindings(tx, report, uploadId, now);
        await spendUnit(tx, report);
        await updateReport(tx, reportId, {
          state: 'finalized',
          finalizedAt: now,
          uploadId,
          reservationId: null,
          amendments: isAmended ? 1 : 0,
        });
        await refreshProject(tx, report.projectId);
        await ports.bus.publish(tx, topics.amended(reportId));
        database.afterCommit(tx, () => ports.onFinalized(reportId));
        return { ...report, finalizedAt: now };
      });
      return {
        reportId,
        reportUrl: `${ports.appBaseUrl}/reports/${reportId}`,
        state: 'finalized',
        finalizedAt: isoTime(finalizedAt),
        expiresAt: isoTime(expiresAt),
        quota: await quota.get(device.userId, workspaceId),
      };
    },
  };
}
