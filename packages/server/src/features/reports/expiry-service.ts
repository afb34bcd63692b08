/**
 * The end of reports: by the clock, by a person, or with their project, workspace or owner. In each case one
 * transaction destroys the key, the project name, the agent and the host of the report. It also returns a unit that is
 * still reserved, and leaves a tombstone. The blobs are deleted right after it. The sweeper also removes the key from
 * every file of the database.
 */
import { AppError } from '#app-error';
import type { AuditRecorder } from '#features/audit';
import { summarizeProject, updateProject } from '#features/projects';
import type { QuotaFeature } from '#features/quota';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import { chargedTransaction } from '#platform/charged-transaction';
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Job } from '#platform/sweeper';
import type { Throttles } from '#platform/throttles';
import type { DevicePrincipal, SessionPrincipal } from '#principal';
import { requireOwnReport, type ReportService } from './service.ts';
import * as store from './store.ts';
import type { Belonging } from './store.ts';

const SWEPT_AT_ONCE_MAX = 100;
/** Well within the minute for which content may outlive its retention. */
const SWEPT_EVERY_MS = 15_000;

export interface ExpiryPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly throttles: Pick<Throttles, 'chargeIfDue'>;
  readonly quota: Pick<QuotaFeature, 'release'>;
  readonly audit: Pick<AuditRecorder, 'record'>;
  /** Marks the blobs of reports as pending deletion within a transaction; they are deleted once it has committed. */
  readonly destroyContents: (tx: Tx, reportIds: readonly string[]) => Promise<void>;
  /**
   * Updates which findings of the project are present: `withdraw` when a person deletes the report, `hold` when it
   * expires.
   */
  readonly presence: {
    readonly withdraw: (tx: Tx, report: store.ReportRow) => Promise<void>;
    readonly hold: (tx: Tx, report: store.ReportRow) => Promise<void>;
  };
  /** Reduces the reports' shares to what is needed to show viewers that the report has expired. */
  readonly endShares: (tx: Tx, reportIds: readonly string[], now: number) => Promise<void>;
}

export interface ExpiryService {
  /**
   * @throws AppError NOT_FOUND, REPORT_EXPIRED, RATE_LIMITED; FORBIDDEN for members; CONFLICT for a device once the report
   * is final.
   */
  delete(caller: SessionPrincipal | DevicePrincipal, reportId: string): Promise<void>;
  /**
   * Expires a report, or all remaining reports of a workspace or a project that is being deleted.
   * @param deletedBy the account that deletes them; null when a report expires by the clock.
   */
  expireAll(tx: Tx, belonging: Belonging, deletedBy: string | null): Promise<void>;
  readonly job: Job;
}

export function createExpiryService(
  ports: ExpiryPorts,
  reports: Pick<ReportService, 'requireReport'>,
): ExpiryService {
  const { database, clock } = ports;
  // True at the start, because an earlier process may have died before the database was scrubbed.
  let someEnded = true;

  async function expireAll(tx: Tx, belonging: Belonging, deletedBy: string | null): Promise<void> {
    const rows = await store.lockPresent(tx, belonging);
    if (rows.length === 0) return;
    const reportIds = rows.map(({ id }) => id);
    for (const { reservationId } of rows) {
      if (reservationId !== null) await ports.quota.release(tx, reservationId);
    }
    if ('reportId' in belonging) await settlePresence(tx, rows, deletedBy !== null);
    await ports.destroyContents(tx, reportIds);
    const now = clock.now();
    await store.makeTombstones(tx, reportIds, now);
    await ports.endShares(tx, reportIds, now);
    for (const { id, workspaceId } of deletedBy === null ? [] : rows)
      ports.audit.record(tx, { action: 'report_deleted', actorId: deletedBy, workspaceId, reportId: id });
    for (const reportId of reportIds) await ports.bus.publish(tx, topics.report(reportId));
    database.afterCommit(tx, () => {
      someEnded = true;
    });
    for (const projectId of new Set(rows.map((row) => row.projectId))) {
      await store.lockProjects(tx, { projectId });
      await summarizeProject(tx, projectId);
      await updateProject(tx, projectId, { notesToCheck: 1 });
    }
  }

  /** For single reports only: all knowledge about findings is deleted with their project or workspace anyway. */
  async function settlePresence(tx: Tx, rows: readonly store.ReportRow[], isDeleted: boolean): Promise<void> {
    for (const row of rows) {
      if (isDeleted) await ports.presence.withdraw(tx, row);
      else await ports.presence.hold(tx, row);
    }
  }

  async function expireDue(): Promise<void> {
    for (;;) {
      const due = await store.listDue(database.read, clock.now(), SWEPT_AT_ONCE_MAX);
      for (const reportId of due) await database.transaction((tx) => expireAll(tx, { reportId }, null));
      if (due.length < SWEPT_AT_ONCE_MAX) return;
    }
  }

  return {
    async delete(caller, reportId) {
      if (caller.kind === 'session') {
        const { access } = await reports.requireReport('readable', caller.userId, reportId);
        if (access !== 'owner')
          throw new AppError('FORBIDDEN', { message: 'Only the owner of the report can delete it.' });
      } else await requireOwnReport(database.read, caller, reportId, clock.now());
      await chargedTransaction(ports, caller.userId, async (tx, due) => {
        const row = await store.lockReport(tx, reportId);
        if (!row || row.ownerId !== caller.userId) throw new AppError('NOT_FOUND');
        if (row.state === 'expired') throw new AppError('REPORT_EXPIRED');
        if (caller.kind === 'device' && row.state !== 'live')
          throw new AppError('CONFLICT', {
            message: 'The report is final. Its owner can delete it in a browser.',
          });
        due();
        await expireAll(tx, { reportId }, caller.userId);
      });
    },

    expireAll,

    job: {
      name: 'expired reports',
      everyMs: SWEPT_EVERY_MS,
      async run() {
        await expireDue();
        if (!someEnded) return;
        someEnded = false;
        try {
          // The keys of ended reports, and what their shares showed, are still in the database's write-ahead log.
          await database.scrub();
        } catch (error) {
          someEnded = true;
          throw error;
        }
      },
    },
  };
}
