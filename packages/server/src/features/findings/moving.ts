/**
 * Changes the status of findings in one report, and updates what depends on it: renderings, ends of decisions, counts.
 */
import type { SeverityCounts } from '@svc/contract';
import { identityKey, openSeverity, snapshotsWithIdentities } from '@svc/report';
import { recordDecisions } from '#features/projections';
import { updateReport } from '#features/reports';
import { updateUpload } from '#features/uploads';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import type { Tx } from '#platform/database/database';
import { insertMoves, listMoves, type MoveRow } from './moves-store.ts';
import { earlier } from './project-state.ts';
import { statusAfterMoves } from './report-findings.ts';
import type { Subject, Target } from './subjects.ts';

/** A move without the report and the finding that it belongs to. */
export type Move = Omit<MoveRow, 'reportId' | 'findingId' | 'number'>;

/** Adds the moves to a report, and updates what depends on them. */
export async function moveIn(
  tx: Tx,
  bus: Pick<Bus, 'publish'>,
  target: Target,
  given: ReadonlyMap<Subject, Move>,
): Promise<Map<Subject, MoveRow>> {
  const moves = new Map(
    [...given].map(([subject, move], index) => {
      const number = target.amendments + index + 1;
      return [subject, { ...move, reportId: target.id, findingId: subject.mark.id, number }] as const;
    }),
  );
  await insertMoves(tx, [...moves.values()]);
  const lapses = [...moves].flatMap(([{ place }, { until }]) => (until === null ? [] : { place, until }));
  const decisions = [...moves].map(([{ place }, { findingId, movedAt, toStatus, action }]) => {
    return { place, findingId, movedAt, toStatus, action };
  });
  await recordDecisions(tx, bus, target.id, decisions, { all: lapses, isComplete: false });
  target.amendments += moves.size;
  for (const { until } of lapses) target.lapsesAt = earlier(target.lapsesAt, until);
  await updateReport(tx, target.id, { amendments: target.amendments, lapsesAt: target.lapsesAt });
  const openFindings = JSON.stringify(await countsAfter(tx, target, moves));
  await updateUpload(tx, target.uploadId, { openFindings });
  await bus.publish(tx, topics.reportChanged(target.id));
  return moves;
}

/** Equal findings count once, so equal ones without a decision matter too. */
async function countsAfter(
  tx: Tx,
  target: Target,
  moves: ReadonlyMap<Subject, MoveRow>,
): Promise<SeverityCounts> {
  const identities = [...moves.keys()].map(({ mark }) => mark.identity);
  const members = snapshotsWithIdentities(target.findingMarks, identities);
  const decided = new Map([...moves].map(([subject, row]) => [subject.mark.id, { subject, row }]));
  const others = members.filter(({ mark }) => !decided.has(mark.id)).map(({ mark }) => mark.id);
  const otherMoves = Map.groupBy(
    others.length === 0 ? [] : await listMoves(tx, target.id, others),
    ({ findingId }) => findingId,
  );
  const counts = { ...target.openFindings };
  for (const group of Map.groupBy(members, ({ mark }) => identityKey(mark.identity)).values()) {
    const before = group.map(({ mark }) => ({
      ...mark,
      status: statusAfterMoves(mark, decided.get(mark.id)?.subject.moves ?? otherMoves.get(mark.id)),
    }));
    const after = before.map((mark) => ({
      ...mark,
      status: decided.get(mark.id)?.row.toStatus ?? mark.status,
    }));
    const [was, is] = [openSeverity(before), openSeverity(after)];
    if (was !== null) counts[was] -= 1;
    if (is !== null) counts[is] += 1;
  }
  return counts;
}
