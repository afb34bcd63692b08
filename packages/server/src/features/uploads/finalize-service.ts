/**
 * Finalizes reports: one transaction spends the reserved unit, sets the uploaded body, and updates the project. The
 * same call again changes nothing and returns the same.
 */
import type { FinalizeBody, MovedIdentity, Quota } from '@svc/contract';
import { AppError } from '#app-error';
import { summarizeProject } from '#features/projects';
import type { QuotaFeature } from '#features/quota';
import { requireOwnReport, updateReport } from '#features/reports';
import { requireMembership } from '#features/workspaces';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import { isoTime, type Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import { isRecordId } from '#platform/ids';
import type { DevicePrincipal } from '#principal';
import * as store from './store.ts';

export interface FinalizePorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly quota: Pick<QuotaFeature, 'describe' | 'newReservationId' | 'reserve' | 'spend'>;
  readonly appBaseUrl: string;
  /** Compares the findings of a report that is being finalized with what its project knows, and counts them. */
  readonly followFindings: (
    tx: Tx,
    report: {
      readonly projectId: string;
      readonly uploadId: string;
      /** Packed. */
      readonly findingSnapshots: Uint8Array;
      readonly findingFacts: Uint8Array;
      readonly previous: readonly MovedIdentity[];
    },
    now: number,
  ) => Promise<{
    /** Whether any finding now differs from the report body. */
    readonly isOverlaid: boolean;
    readonly countedAs: number;
    readonly lapsesAt: number | null;
    readonly openedFindings: number | null;
    readonly fixedFindings: number | null;
  }>;
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
   * @throws AppError NOT_FOUND, REPORT_EXPIRED; CONFLICT when nothing was received under that upload or the report is
   * final with another upload; SYNC_DAILY_LIMIT_REACHED or SYNC_WEEKLY_LIMIT_REACHED when the reservation has lapsed
   * and no unit is left.
   */
  finalize(device: DevicePrincipal, reportId: string, body: FinalizeBody): Promise<Finalized>;
}

export function createFinalizeService(ports: FinalizePorts): FinalizeService {
  const { database, clock, quota } = ports;

  function finalizeOnce(
    device: DevicePrincipal,
    reportId: string,
    { uploadId, previous = [] }: FinalizeBody,
  ) {
    return database.transaction(async (tx) => {
      const now = clock.now();
      const report = await requireOwnReport(tx, device, reportId, now, 'lock');
      if (report.finalizedAt !== null) {
        if (report.uploadId === uploadId) return { ...report, finalizedAt: report.finalizedAt };
        throw new AppError('CONFLICT', { message: 'The report was already finalized with another upload.' });
      }
      const upload = isRecordId('upl', uploadId) ? await store.findReceived(tx, uploadId) : null;
      if (!upload || upload.reportId !== reportId)
        throw new AppError('CONFLICT', { message: 'No report body was received for this upload.' });
      // Locks the project before the units of the report's owner, in the same order as creating a report.
      const { findingSnapshots, findingFacts } = upload;
      const { isOverlaid, ...following } = await ports.followFindings(
        tx,
        { projectId: report.projectId, uploadId, findingSnapshots, findingFacts, previous },
        now,
      );
      const { reservationId, ownerId } = report;
      const isSpent = reservationId !== null && (await quota.spend(tx, reservationId));
      if (!isSpent) {
        const { plan } = await requireMembership(tx, ownerId, report.workspaceId);
        const id = quota.newReservationId();
        await quota.reserve(tx, { id, userId: ownerId, plan });
        await quota.spend(tx, id);
      }
      await updateReport(tx, reportId, {
        state: 'finalized',
        finalizedAt: now,
        uploadId,
        reservationId: null,
        overlayVersion: isOverlaid ? 1 : 0,
        ...following,
      });
      await summarizeProject(tx, report.projectId);
      await ports.bus.publish(tx, topics.reportChanged(reportId));
      database.afterCommit(tx, () => ports.onFinalized(reportId));
      return { ...report, finalizedAt: now };
    });
  }

  return {
    async finalize(device, reportId, body) {
      const { finalizedAt, workspaceId, expiresAt } = await finalizeOnce(device, reportId, body);
      const { plan } = await requireMembership(database.read, device.userId, workspaceId);
      return {
        reportId,
        reportUrl: `${ports.appBaseUrl}/reports/${reportId}`,
        state: 'finalized',
        finalizedAt: isoTime(finalizedAt),
        expiresAt: isoTime(expiresAt),
        quota: await quota.describe(device.userId, plan),
      };
    },
  };
}
