/**
 * Triage decisions about the findings of a report. A decision reads only rows, packed snapshots and packed facts, so it
 * is cheap even for a large report. It is recorded in the report, in the newest report that has the finding, and in the
 * project.
 */
import { limits, type ChangeFindingBody, type FindingsChanged, type FindingState } from '@svc/contract';
import { actionOf, identityKey, statusOf } from '@svc/report';
import { AppError, validationFailed } from '#app-error';
import type { AuditRecorder } from '#features/audit';
import type { ReportsFeature } from '#features/reports';
import type { Bus } from '#platform/bus/bus';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import type { Ids } from '#platform/ids';
import type { Throttles } from '#platform/throttles';
import { changedAmong } from './changed-subjects.ts';
import { decideInProject, type NewDecision } from './deciding-in-project.ts';
import { givenDecision, rejectForbidden, rejectTooMany, type GivenDecision } from './decision-rules.ts';
import { moveIn, type Move } from './moving.ts';
import type { Notes } from './notes.ts';
import { openDecision } from './opened-decision.ts';
import { findingIn, stateOf } from './report-findings.ts';
import { firstSeenIn, type Subject } from './subjects.ts';

export interface DecidingPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: Pick<AuditRecorder, 'record'>;
  readonly reports: Pick<ReportsFeature, 'requireReport'>;
  readonly notes: Notes;
  readonly throttles: Pick<Throttles, 'chargeSliding'>;
}

export interface DecidingService {
  /**
   * @throws AppError NOT_FOUND, REPORT_EXPIRED, VALIDATION_FAILED, UNSAFE_PAYLOAD_REJECTED; CONFLICT while the report
   * is live, for a status change that is not allowed, and for too many decisions or notes; RATE_LIMITED.
   */
  decideOne(
    userId: string,
    reportId: string,
    findingId: string,
    body: ChangeFindingBody,
  ): Promise<FindingState>;
  /** Changes all of the findings, or none. @throws AppError as above. */
  decideAll(
    userId: string,
    reportId: string,
    findingIds: readonly string[],
    body: ChangeFindingBody,
  ): Promise<FindingsChanged>;
}

export function createDecidingService(ports: DecidingPorts): DecidingService {
  const { database, bus, clock, ids, audit, reports, notes, throttles } = ports;

  async function decide(
    userId: string,
    reportId: string,
    findingIds: readonly string[],
    given: GivenDecision,
    notFound: (missing: readonly number[]) => AppError,
  ) {
    await reports.requireReport('readable', userId, reportId);
    await throttles.chargeSliding('decidedFindings', userId, findingIds.length);
    return database.transaction(async (tx) => {
      const now = clock.now();
      const about = { userId, reportId, findingIds, notFound, now };
      const { row, target, subjects, newest, state } = await openDecision(tx, ports, about);
      const { project } = state;
      const { finalizedAt } = target;
      const changed = await changedAmong(tx, notes, project, subjects, given);
      const changedIds = new Set(changed.map(({ snapshot }) => snapshot.id));
      rejectForbidden(findingIds, changed, given, now);
      rejectTooMany(target, changed.length);
      const undoId = ids.random('und');
      const answer = {
        changed: findingIds.filter((id) => changedIds.has(id)),
        unchanged: findingIds.filter((id) => !changedIds.has(id)),
        undoId,
      };
      if (changed.length === 0) return { answer, states: new Map(subjects.map(withState)) };

      const decided = new Map(
        changed.map(({ snapshot, finding }, index) => {
          const { id: findingId, identity, severity } = snapshot;
          const number = project.decisionsMade + index + 1;
          const action = actionOf(statusOf(finding), given.status);
          return [identityKey(identity), { number, identity, reportId, findingId, severity, given, action }];
        }),
      );
      const movesOf = (affected: readonly Subject[]) =>
        new Map(
          affected.flatMap((subject) => {
            const decision = decided.get(identityKey(subject.snapshot.identity));
            return decision ? [[subject, moveOf(subject, decision, { userId, now })] as const] : [];
          }),
        );
      const moves = await moveIn(tx, bus, target, movesOf(changed));
      for (const newer of newest) {
        const affected = movesOf(newer.subjects);
        if (affected.size > 0) await moveIn(tx, bus, newer.target, affected);
      }
      await decideInProject(tx, notes, state, {
        decisions: [...decided.values()],
        counting: [...decided.values()],
        firstSeenAt: firstSeenIn(changed, finalizedAt),
        userId,
        undoId,
        now,
      });
      audit.record(tx, {
        action: 'finding_decided',
        actorId: userId,
        workspaceId: row.workspaceId,
        reportId,
        detail: `${given.status} ${changed.length}`,
      });
      const states = new Map(
        subjects.map((subject) => {
          const move = moves.get(subject);
          if (!move) return withState(subject);
          const { snapshot, facts } = subject;
          return [
            snapshot.id,
            stateOf(findingIn(snapshot, facts, finalizedAt, [...subject.moves, move])),
          ] as const;
        }),
      );
      return { answer, states };
    });
  }

  return {
    async decideOne(userId, reportId, findingId, body) {
      const given = givenDecision(body, clock.now());
      const notFound = () => new AppError('NOT_FOUND');
      const { states } = await decide(userId, reportId, [findingId], given, notFound);
      const state = states.get(findingId);
      if (!state) throw new AppError('NOT_FOUND');
      return state;
    },

    async decideAll(userId, reportId, findingIds, body) {
      const given = givenDecision(body, clock.now());
      const notFound = (missing: readonly number[]) =>
        validationFailed(
          ...missing.slice(0, limits.issuesMax).map((index) => ({
            path: `/findingIds/${index}`,
            message: 'is not a finding of the report',
          })),
        );
      return (await decide(userId, reportId, findingIds, given, notFound)).answer;
    },
  };
}

function withState({ snapshot, finding }: Subject): readonly [string, FindingState] {
  return [snapshot.id, stateOf(finding)];
}

/** A newer report gets the same action, whatever the status was there. */
function moveOf(
  { finding }: Subject,
  { number, given, action }: NewDecision & Pick<Move, 'action'>,
  { userId, now }: { readonly userId: string; readonly now: number },
): Move {
  return {
    userId,
    changedAt: now,
    fromStatus: statusOf(finding),
    toStatus: given.status,
    action,
    decision: number,
    until: given.until,
    isLapse: 0,
  };
}
