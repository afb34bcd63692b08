/** Opens what a decision about findings of a report needs, and locks it: the report, newer ones, and the project. */
import { snapshotsWithIds } from '@svc/report';
import { AppError } from '#app-error';
import type { ReadableReport, ReportsFeature } from '#features/reports';
import type { Bus } from '#platform/bus/bus';
import type { Tx } from '#platform/database/database';
import { settleWithin } from './lapses-service.ts';
import { openProject, type ProjectState } from './project-state.ts';
import { newestWith, openTarget, subjectsOf, type Subject, type Target } from './subjects.ts';

export interface OpenedDecision {
  readonly row: ReadableReport['row'];
  readonly target: Target;
  /** In the order of the finding ids. */
  readonly subjects: readonly Subject[];
  /** For each finding, the newest report after this one that has it. */
  readonly newest: readonly { readonly target: Target; readonly subjects: readonly Subject[] }[];
  readonly state: ProjectState;
}

export interface DecisionAbout {
  readonly userId: string;
  readonly reportId: string;
  readonly findingIds: readonly string[];
  /** @param missing the positions of ids that the report lacks */
  readonly notFound: (missing: readonly number[]) => AppError;
  readonly now: number;
}

/** @throws AppError NOT_FOUND, REPORT_EXPIRED; CONFLICT while the report is live. */
export async function openDecision(
  tx: Tx,
  { bus, reports }: { readonly bus: Bus; readonly reports: Pick<ReportsFeature, 'requireReport'> },
  { userId, reportId, findingIds, notFound, now }: DecisionAbout,
): Promise<OpenedDecision> {
  const { row } = await reports.requireReport('readable', userId, reportId, tx);
  if (row.state === 'live' || row.finalizedAt === null)
    throw new AppError('CONFLICT', {
      message: 'The scan is still running. Change the status of a finding once it has finished.',
    });
  if (row.uploadId === null) throw new AppError('REPORT_EXPIRED');
  const { projectId, uploadId, finalizedAt } = row;
  const settled = await settleWithin(tx, bus, row, now);
  const isCounted = (row.countedAs ?? 0) > 0;
  const target = await openTarget(tx, { id: reportId, uploadId, finalizedAt, isCounted, ...settled });
  const placed = new Map(
    snapshotsWithIds(target.findingSnapshots, new Set(findingIds)).map((each) => [each.snapshot.id, each]),
  );
  const missing = findingIds.flatMap((id, index) => (placed.has(id) ? [] : index));
  if (missing.length > 0) throw notFound(missing);
  const subjects = await subjectsOf(
    tx,
    target,
    findingIds.flatMap((id) => placed.get(id) ?? []),
  );
  const newest = await newestWith(tx, bus, row, subjects, now);
  const state = await openProject(tx, projectId, now);
  if (!state) throw new AppError('NOT_FOUND');
  return { row, target, subjects, newest, state };
}
