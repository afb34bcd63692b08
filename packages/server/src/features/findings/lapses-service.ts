/**
 * The ends of decisions. A decision with an end stops counting at that moment. After that moment, the first read of a
 * report, a share or a list records the end, as a move back to `open`. So nothing rendered before the end is shown
 * after it. A job records the ends that no read has recorded.
 */
import { recordDecisions } from '#features/projections';
import { listProjectsToLapse } from '#features/projects';
import { lockReport, updateReport } from '#features/reports';
import { updateUpload } from '#features/uploads';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Job } from '#platform/sweeper';
import { openProject } from './project-state.ts';
import { countsOfReport, readWhole } from './report-findings.ts';
import { insertStatusChanges, type StatusChangeRow } from './status-changes-store.ts';
import { listReportsToLapse } from './reports-store.ts';

const SETTLES_EVERY_MS = 15_000;
const SETTLED_AT_ONCE_MAX = 100;

export interface LapsesPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
}

interface LapsingReport {
  readonly id: string;
  readonly uploadId: string | null;
  readonly overlayVersion: number;
  readonly lapsesAt: number | null;
}

export interface Lapses {
  /** Whether a decision has lapsed and its end is not recorded yet. */
  isDue(lapsing: { readonly lapsesAt: number | null }): boolean;
  settleReport(reportId: string): Promise<void>;
  settleProject(projectId: string): Promise<void>;
  readonly job: Job;
}

/**
 * Records the ends of decisions about the findings of a report, whose lock the caller holds.
 * @returns those columns of the report as they are after that.
 */
export async function settleWithin(
  tx: Tx,
  bus: Pick<Bus, 'publish'>,
  report: LapsingReport,
  now: number,
): Promise<Pick<LapsingReport, 'overlayVersion' | 'lapsesAt'>> {
  const { id, uploadId, lapsesAt } = report;
  if (uploadId === null || lapsesAt === null || lapsesAt > now) return report;
  const { snapshots, moves, lapses } = await readWhole(tx, id, uploadId);
  const due = lapses.filter(({ until }) => until <= now).toSorted((one, other) => one.until - other.until);
  const pending = lapses.filter(({ until }) => until > now);
  const ends = due.map(({ snapshot, until, decision }, index): StatusChangeRow => {
    return {
      reportId: id,
      findingId: snapshot.id,
      number: report.overlayVersion + index + 1,
      userId: '',
      changedAt: until,
      fromStatus: 'accepted_risk',
      toStatus: 'open',
      action: null,
      decision,
      until: null,
      isLapse: 1,
    };
  });
  await insertStatusChanges(tx, ends);
  for (const end of ends) moves.set(end.findingId, [...(moves.get(end.findingId) ?? []), end]);
  const decisions = ends.map(({ findingId, changedAt, toStatus, action }, index) => ({
    place: due[index]?.place ?? 0,
    findingId,
    changedAt,
    toStatus,
    action,
  }));
  await recordDecisions(tx, bus, id, decisions, { all: pending, isComplete: true });
  const change = {
    overlayVersion: report.overlayVersion + ends.length,
    lapsesAt: pending.length === 0 ? null : Math.min(...pending.map(({ until }) => until)),
  };
  await updateReport(tx, id, change);
  if (ends.length === 0) return change;
  await updateUpload(tx, uploadId, { openFindings: JSON.stringify(countsOfReport(snapshots, moves)) });
  await bus.publish(tx, topics.reportChanged(id));
  return change;
}

export function createLapses({ database, bus, clock }: LapsesPorts): Lapses {
  const isDue: Lapses['isDue'] = ({ lapsesAt }) => lapsesAt !== null && lapsesAt <= clock.now();

  const settleReport = (reportId: string) =>
    database.transaction(async (tx) => {
      const report = await lockReport(tx, reportId);
      if (report?.state === 'finalized') await settleWithin(tx, bus, report, clock.now());
    });

  const settleProject = (projectId: string) =>
    database.transaction(async (tx) => {
      await openProject(tx, projectId, clock.now());
    });

  async function settleAll(
    list: (now: number) => Promise<string[]>,
    settle: (id: string) => Promise<void>,
  ): Promise<void> {
    for (;;) {
      const ids = await list(clock.now());
      for (const id of ids) await settle(id);
      if (ids.length < SETTLED_AT_ONCE_MAX) return;
    }
  }

  return {
    isDue,
    settleReport,
    settleProject,
    job: {
      name: 'lapsed decisions',
      everyMs: SETTLES_EVERY_MS,
      async run() {
        const db = database.read;
        await settleAll((now) => listReportsToLapse(db, now, SETTLED_AT_ONCE_MAX), settleReport);
        await settleAll((now) => listProjectsToLapse(db, now, SETTLED_AT_ONCE_MAX), settleProject);
      },
    },
  };
}
