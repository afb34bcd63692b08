/** Reads triage decisions: the latest about each finding of a report, and all decisions about one finding. */
import { limits, type Decisions, type DecisionsQuery, type ReportDecision } from '@svc/contract';
import { snapshotCount, snapshotsWithIds, unpackedFacts, unpackedSnapshots } from '@svc/report';
import { AppError } from '#app-error';
import type { ReadableReport, ReportsFeature } from '#features/reports';
import { isoTime, isoTimeOrNull } from '#platform/clock';
import type { Database, Db } from '#platform/database/database';
import {
  findDecisions,
  findNames,
  findNotesKey,
  listDecisions,
  type DecisionRow,
} from './decisions-store.ts';
import type { Notes } from './notes.ts';
import { findFollowed, findKept } from './kept-store.ts';
import { listStatusChanges } from './status-changes-store.ts';

export interface DecisionsPorts {
  readonly database: Database;
  readonly notes: Pick<Notes, 'open'>;
}

export interface DecisionsReading {
  /**
   * The latest decision about each finding that has one, in the order of the report; empty if the report has more
   * findings than `findingsMax`.
   */
  ofReport(
    report: Pick<ReadableReport['row'], 'id' | 'projectId' | 'overlayVersion'>,
    findingsMax?: number,
  ): Promise<ReportDecision[]>;
  /**
   * A page of the decisions about a finding, over all reports of the project, the oldest first.
   * @throws AppError NOT_FOUND, REPORT_EXPIRED; CONFLICT while the report is live.
   */
  ofFinding(userId: string, reportId: string, findingId: string, page: DecisionsQuery): Promise<Decisions>;
}

interface Named {
  readonly findingId: string;
  readonly number: number;
  readonly carried: boolean;
}

export function createDecisionsReading(
  { database, notes }: DecisionsPorts,
  reports: Pick<ReportsFeature, 'requireReport'>,
): DecisionsReading {
  const db = database.read;

  return {
    async ofReport({ id, projectId, overlayVersion }, findingsMax = Number.POSITIVE_INFINITY) {
      if (overlayVersion === 0) return [];
      const named = await decidedIn(db, id, findingsMax);
      const decisions = await findDecisions(
        db,
        projectId,
        named.map(({ number }) => number),
      );
      const rows = named.flatMap(({ findingId, number, carried }) => {
        const row = decisions.get(number);
        return row ? [{ findingId, row, carried }] : [];
      });
      const names = await findNames(db, [...new Set(rows.map(({ row }) => row.userId))]);
      return rows.map(({ findingId, row, carried }) => ({
        findingId,
        status: row.status,
        reason: row.reason,
        until: isoTimeOrNull(row.until),
        hasNote: row.note !== null,
        decidedAt: isoTime(row.decidedAt),
        decidedBy: deciderOf(row, names),
        carried,
      }));
    },

    async ofFinding(userId, reportId, findingId, { limit, cursor }) {
      const { row: report } = await reports.requireReport('readable', userId, reportId);
      if (report.state === 'live') throw new AppError('CONFLICT', { message: 'The scan is still running.' });
      const kept = await findKept(db, report.uploadId);
      if (!kept) throw new AppError('REPORT_EXPIRED');
      const [placed] = snapshotsWithIds(kept.findingSnapshots, new Set([findingId]));
      if (!placed) throw new AppError('NOT_FOUND');
      const most = Number(limit ?? limits.decision.listedDefault);
      const { projectId } = report;
      const { identity } = placed.snapshot;
      const after = Number(cursor ?? 0);
      const found = await listDecisions(db, { projectId, identity, after, most: most + 1 });
      const rows = found.slice(0, most);
      const names = await findNames(db, [...new Set(rows.map((row) => row.userId))]);
      const notesKey = rows.some(({ note }) => note !== null) ? await findNotesKey(db, projectId) : null;
      const decisions = rows.map((row) => ({
        status: row.status,
        reason: row.reason,
        note: notes.open(notesKey, row),
        until: isoTimeOrNull(row.until),
        decidedAt: isoTime(row.decidedAt),
        decidedBy: deciderOf(row, names),
        reportId: row.reportId,
      }));
      const last = found.length > most ? rows.at(-1) : undefined;
      return { decisions, nextCursor: last ? String(last.number) : null };
    },
  };
}

/** The findings of a report that have a decision, made there or in an earlier report. */
async function decidedIn(db: Db, reportId: string, findingsMax: number): Promise<Named[]> {
  const report = await findFollowed(db, reportId);
  if (!report) throw new AppError('REPORT_EXPIRED');
  if (snapshotCount(report.findingSnapshots) > findingsMax) return [];
  const moves = Map.groupBy(await listStatusChanges(db, reportId), ({ findingId }) => findingId);
  const snapshots = unpackedSnapshots(report.findingSnapshots);
  const hasCarried = snapshots.some(({ carried }) => carried);
  const facts = hasCarried ? unpackedFacts(report.findingFacts).findings : [];
  return snapshots.flatMap(({ id, carried }, place): Named[] => {
    const own = moves.get(id)?.findLast(({ isLapse }) => isLapse === 0);
    if (own) return [{ findingId: id, number: own.decision, carried: false }];
    const number = carried ? facts[place]?.carried?.number : undefined;
    return number === undefined ? [] : [{ findingId: id, number, carried: true }];
  });
}

function deciderOf({ userId }: DecisionRow, names: ReadonlyMap<string, string>) {
  const displayName = names.get(userId);
  return displayName === undefined ? null : { userId, displayName };
}
