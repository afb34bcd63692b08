/**
 * The end of reports: by the clock, by hand, or with their project, workspace or owner. Whichever it is, one transaction
 * destroys the key and everything that is told of the report, gives back a unit that is still reserved, and leaves a
 * tombstone; the blobs go right after it, and the sweeper sees that the key is in no file of the database either.
 */
import { AppError } from '#app-error';
import type { AuditRecorder } from '#features/audit';
import type { QuotaFeature } from '#features/quota';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Job } from '#platform/sweeper';
import type { DevicePrincipal, SessionPrincipal } from '#principal';
import { requireOwnReport, type ReportService } from './service.ts';
import * as store from './store.ts';
import type { Belonging } from './store.ts';

const SWEPT_AT_ONCE_MAX = 100;
/** So few that nobody waits for them; a report can have millions. */
const EVENTS_FORGOTTEN_AT_ONCE = 2000;
/** Well within the minute that contents may outlive their time. */
const SWEPT_EVERY_MS = 15_000;

export interface ExpiryPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly quota: Pick<QuotaFeature, 'release'>;
  readonly audit: Pick<AuditRecorder, 'record'>;
  /** Dooms the contents of reports within a transaction; they are deleted once it has committed. */
  readonly destroyContents: (tx: Tx, reportIds: readonly string[]) => Promise<void>;
  /** Leaves of the links to reports what tells their viewers of the end. */
  readonly endShares: (tx: Tx, reportIds: readonly string[], now: number) => Promise<void>;
}

export interface ExpiryService {
  /** @throws AppError NOT_FOUND, REPORT_EXPIRED; FORBIDDEN for members; CONFLICT for a device once it is finalized. */
  delete(caller: SessionPrincipal | DevicePrincipal, reportId: string): Promise<void>;
  /**
   * Expires what is not expired yet of a workspace or a project that is about to go.
   * @param deletedBy who wants it so; null when it is the clock.
   */
  expireAll(tx: Tx, belonging: Belonging, deletedBy: string | null): Promise<void>;
  readonly job: Job;
}

export function createExpiryService(
  ports: ExpiryPorts,
  reports: Pick<ReportService, 'requireReadable'>,
): ExpiryService {
  const { database, clock } = ports;
  // As if some had, since a process before this one may have died in between.
  let someEnded = true;

  async function expireAll(tx: Tx, belonging: Belonging, deletedBy: string | null): Promise<void> {
    const rows = await store.lockPresent(tx, belonging);
    if (rows.length === 0) return;
    const reportIds = rows.map(({ id }) => id);
    for (const { reservationId } of rows) {
      if (reservationId !== null) await ports.quota.release(tx, reservationId);
    }
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
    for (const projectId of new Set(rows.map((row) => row.projectId)))
      await store.refreshProject(tx, projectId);
  }

  async function expireDue(): Promise<void> {
    for (;;) {
      const due = await store.listDue(database.read, clock.now(), SWEPT_AT_ONCE_MAX);
      for (const reportId of due) await database.transaction((tx) => expireAll(tx, { reportId }, null));
      if (due.length < SWEPT_AT_ONCE_MAX) return;
    }
  }

  async function forgetEvents(): Promise<void> {
    let someLeft = true;
    while (someLeft) {
      someLeft = await database.transaction((tx) => store.forgetEvents(tx, EVENTS_FORGOTTEN_AT_ONCE));
    }
  }

  return {
    async delete(caller, reportId) {
      if (caller.kind === 'session') {
        const { access } = await reports.requireReadable(caller.userId, reportId);
        if (access !== 'owner')
          throw new AppError('FORBIDDEN', { message: 'Only its owner can delete a report.' });
      } else await requireOwnReport(database.read, caller, reportId, clock.now());
      await database.transaction(async (tx) => {
        const row = await store.lockReport(tx, reportId);
        if (!row || row.ownerId !== caller.userId) throw new AppError('NOT_FOUND');
        if (row.state === 'expired') throw new AppError('REPORT_EXPIRED');
        if (caller.kind === 'device' && row.state !== 'live')
          throw new AppError('CONFLICT', {
            message: 'The report is final. Its owner can delete it in a browser.',
          });
        await expireAll(tx, { reportId }, caller.userId);
      });
    },

    expireAll,

    job: {
      name: 'expired reports',
      everyMs: SWEPT_EVERY_MS,
      async run() {
        await expireDue();
        await forgetEvents();
        if (!someEnded) return;
        someEnded = false;
        try {
          // Their keys, and what links to them showed, are still in the log of the database, from before.
          await database.scrub();
        } catch (error) {
          someEnded = true;
          throw error;
        }
      },
    },
  };
}
