/**
 * Changes the status of findings in one report, and updates what depends on it: renderings, ends of decisions, counts.
 */
import type { SeverityCounts } from '@svc/contract';
import { isOutstanding } from '@svc/report';
import { recordDecisions } from '#features/projections';
import { updateReport } from '#features/reports';
import { updateUpload } from '#features/uploads';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import type { Tx } from '#platform/database/database';
import { insertStatusChanges, type StatusChangeRow } from './status-changes-store.ts';
import { earlier } from './project-state.ts';
import type { Subject, Target } from './subjects.ts';

/** A move without the report and the finding that it belongs to. */
export type Move = Omit<StatusChangeRow, 'reportId' | 'findingId' | 'number'>;

/** Adds the moves to a report, and updates what depends on them. */
export async function moveIn(
  tx: Tx,
  bus: Pick<Bus, 'publish'>,
  target: Target,
  given: ReadonlyMap<Subject, Move>,
): Promise<Map<Subject, StatusChangeRow>> {
  const moves = new Map(
    [...given].map(([subject, move], index) => {
      const number = target.overlayVersion + index + 1;
      return [subject, { ...move, reportId: target.id, findingId: subject.snapshot.id, number }] as const;
    }),
  );
  await insertStatusChanges(tx, [...moves.values()]);
  const lapses = [...moves].flatMap(([{ place }, { until }]) => (until === null ? [] : { place, until }));
  const decisions = [...moves].map(([{ place }, { findingId, changedAt, toStatus, action }]) => {
    return { place, findingId, changedAt, toStatus, action };
  });
  await recordDecisions(tx, bus, target.id, decisions, { all: lapses, isComplete: false });
  target.overlayVersion += moves.size;
  for (const { until } of lapses) target.lapsesAt = earlier(target.lapsesAt, until);
  await updateReport(tx, target.id, { overlayVersion: target.overlayVersion, lapsesAt: target.lapsesAt });
  const openFindings = JSON.stringify(countsAfter(target, moves));
  await updateUpload(tx, target.uploadId, { openFindings });
  await bus.publish(tx, topics.reportChanged(target.id));
  return moves;
}

function countsAfter({ openFindings }: Target, moves: ReadonlyMap<Subject, StatusChangeRow>): SeverityCounts {
  const counts = { ...openFindings };
  for (const [{ snapshot }, { fromStatus, toStatus }] of moves) {
    if (isOutstanding(fromStatus)) counts[snapshot.severity] -= 1;
    if (isOutstanding(toStatus)) counts[snapshot.severity] += 1;
  }
  return counts;
}
