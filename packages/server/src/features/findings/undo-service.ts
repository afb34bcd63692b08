/**
 * Undoes the decisions of one call, except about findings that were decided again since. Undoing is deciding: a new
 * decision of the same person gives each finding its previous status, reason, note and end back. If these differed
 * between the report, the newest report and the project, each of them gets its own back.
 */
import { isSetAside, limits, type DecisionsUndone } from '@svc/contract';
import { actionOf, statusOf } from '@svc/report';
import { AppError } from '#app-error';
import type { Tx } from '#platform/database/database';
import { isRecordId } from '#platform/ids';
import { decideInProject, type NewDecision } from './deciding-in-project.ts';
import type { DecidingPorts } from './deciding-service.ts';
import { decidedSince, findDecisions, listByUndo } from './decisions-store.ts';
import { previousStatusesOf, type PreviousStatus } from './previous-statuses.ts';
import { moveIn, type Move } from './moving.ts';
import type { StatusChangeRow } from './status-changes-store.ts';
import type { Notes } from './notes.ts';
import { openDecision } from './opened-decision.ts';
import type { ProjectState } from './project-state.ts';
import { firstSeenIn, type Subject } from './subjects.ts';

/**
 * @throws AppError NOT_FOUND for an unknown call and for another person's; CONFLICT when a minute has passed;
 * REPORT_EXPIRED.
 */
export type Undo = (userId: string, reportId: string, undoId: string) => Promise<DecisionsUndone>;

export function createUndo(ports: DecidingPorts): Undo {
  const { database, bus, clock, ids, audit, notes } = ports;

  return (userId, reportId, undoId) =>
    database.transaction(async (tx) => {
      const now = clock.now();
      const made = isRecordId('und', undoId) ? await listByUndo(tx, undoId) : [];
      const findingIds = made.map(({ findingId }) => findingId);
      const notFound = () => new AppError('NOT_FOUND');
      const opened = await openDecision(tx, ports, { userId, reportId, findingIds, notFound, now });
      const [first] = made;
      if (!first || first.userId !== userId || first.reportId !== reportId) throw notFound();
      if (now > first.decidedAt + limits.decision.undoableMs)
        throw new AppError('CONFLICT', {
          message: 'This change was made more than a minute ago, so it can no longer be undone.',
        });

      const since = await decidedSince(tx, made);
      const undone = made.filter((decision) => !since.has(decision));
      const restored = undone.map(({ findingId }) => findingId);
      const answer = { restored, kept: findingIds.filter((id) => !restored.includes(id)) };
      if (undone.length === 0) return answer;

      const { row, target, subjects, newest, state } = opened;
      const { all, bySubject, inProject } = previousStatusesOf(opened, undone);
      const decisions = await decisionsFor(tx, notes, state.project, all);
      for (const report of [{ target, subjects }, ...newest]) {
        const moves = new Map(
          report.subjects.flatMap((subject) => {
            const decision = decisions.get(bySubject.get(subject));
            return decision ? [[subject, moveBack(subject, decision, { userId, now })] as const] : [];
          }),
        );
        if (moves.size > 0) await moveIn(tx, bus, report.target, moves);
      }
      await decideInProject(tx, notes, state, {
        decisions: [...decisions.values()],
        counting: [...inProject.values()].flatMap((previous) => decisions.get(previous) ?? []),
        firstSeenAt: firstSeenIn(subjects, target.finalizedAt),
        userId,
        undoId: ids.random('und'),
        now,
      });
      audit.record(tx, {
        action: 'finding_decided',
        actorId: userId,
        workspaceId: row.workspaceId,
        reportId,
        detail: `undone ${undone.length}`,
      });
      return answer;
    });
}

/** The new decisions that give previous statuses back. */
async function decisionsFor(
  tx: Tx,
  notes: Pick<Notes, 'open'>,
  project: ProjectState['project'],
  previous: readonly PreviousStatus[],
): Promise<Map<PreviousStatus | undefined, NewDecision>> {
  const numbers = previous.flatMap(({ decision }) => decision ?? []);
  const rows = await findDecisions(tx, project.id, numbers);
  return new Map(
    previous.map((each, index) => {
      const { status, decision, ...about } = each;
      const row = rows.get(decision ?? 0);
      const given = row
        ? { status, reason: row.reason, note: notes.open(project.notesKey, row), until: row.until }
        : { status, reason: null, note: null, until: null };
      return [each, { ...about, number: project.decisionsMade + index + 1, given }] as const;
    }),
  );
}

/** A step of a fix that is undone is recorded as reverted. */
function moveBack(
  { finding, moves }: Subject,
  { number, given: { status, until } }: NewDecision,
  { userId, now }: { readonly userId: string; readonly now: number },
): Move {
  const fromStatus = statusOf(finding);
  return {
    userId,
    changedAt: now,
    fromStatus,
    toStatus: status,
    action: actionOf(fromStatus, status) ?? (isStep(moves.at(-1)) ? 'reverted' : null),
    decision: number,
    until,
    isLapse: 0,
  };
}

/** Whether the fix history of the report has an entry for the move. */
function isStep(move: StatusChangeRow | undefined): boolean {
  if (!move || isSetAside(move.fromStatus) || isSetAside(move.toStatus)) return false;
  return (move.action ?? actionOf(move.fromStatus, move.toStatus)) !== null;
}
