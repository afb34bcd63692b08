/**
 * Triage decisions about the findings of a report. A decision reads only rows, packed snapshots and packed facts, so it
 * is cheap even for a large report. It is recorded in the report, in the newest report that has the finding, and in the
 * project.
 */
import {
  limits,
  type ChangeFindingBody,
  type FindingsChanged,
  type FindingState,
  type Severity,
} from '@svc/contract';
import { actionOf, identityKey, snapshotsWithIdentities, statusOf } from '@svc/report';
import { AppError, validationFailed } from '#app-error';
import type { AuditRecorder } from '#features/audit';
import type { ReportsFeature } from '#features/reports';
import type { Bus } from '#platform/bus/bus';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import type { Ids } from '#platform/ids';
import { changedAmong } from './changed-subjects.ts';
import { decideInProject, type NewDecision } from './deciding-in-project.ts';
import { givenDecision, rejectForbidden, rejectTooMany, type GivenDecision } from './decision-rules.ts';
import { moveIn, type Move } from './moving.ts';
import type { Notes } from './notes.ts';
import { openDecision } from './opened-decision.ts';
import { findingIn, stateOf } from './report-findings.ts';
import { firstSeenIn, type Subject } from './subjects.ts';
import { worstOf } from './policy.ts';

export interface DecidingPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: Pick<AuditRecorder, 'record'>;
  readonly reports: Pick<ReportsFeature, 'requireReport'>;
  readonly notes: Notes;
}

export interface DecidingService {
  /**
   * @throws AppError NOT_FOUND, REPORT_EXPIRED, VALIDATION_FAILED, UNSAFE_PAYLOAD_REJECTED; CONFLICT while the report
   * is live, for a status change that is not allowed, and for too many decisions.
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
  const { database, bus, clock, ids, audit, notes } = ports;

  async function decide(
    userId: string,
    reportId: string,
    findingIds: readonly string[],
    given: GivenDecision,
    notFound: (missing: readonly number[]) => AppError,
  ) {
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

      const severities = worstSeverities(target.findingSnapshots, changed);
      const decisions = changed.map(({ snapshot }, index): NewDecision => {
        const severity = severities.get(identityKey(snapshot.identity)) ?? snapshot.severity;
        const number = project.decisionsMade + index + 1;
        return { number, identity: snapshot.identity, reportId, findingId: snapshot.id, severity, given };
      });
      const moveOf = moveMaker(userId, given, now, changed, decisions);
      const movesOf = (affected: readonly Subject[]) => new Map(affected.map((each) => [each, moveOf(each)]));
      const moves = await moveIn(tx, bus, target, movesOf(changed));
      const decided = new Map(decisions.map((each) => [identityKey(each.identity), each]));
      for (const newer of newest) {
        const affected = newer.subjects.filter(({ snapshot }) => decided.has(identityKey(snapshot.identity)));
        if (affected.length > 0) await moveIn(tx, bus, newer.target, movesOf(affected));
      }
      await decideInProject(tx, notes, state, {
        decisions,
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

/** Equal findings of the report are one finding of the project, at the worst of their severities. */
function worstSeverities(findingSnapshots: Uint8Array, subjects: readonly Subject[]): Map<string, Severity> {
  const identities = subjects.map(({ snapshot }) => snapshot.identity);
  const members = snapshotsWithIdentities(findingSnapshots, identities);
  const groups = Map.groupBy(members, ({ snapshot }) => identityKey(snapshot.identity));
  return new Map(
    [...groups].flatMap(([key, [first, ...others]]) =>
      first ? [[key, worstOf([first, ...others]).snapshot.severity] as const] : [],
    ),
  );
}

/**
 * Creates the moves of a decision. The moves of equal findings have the same action in every report: a step of a fix if
 * the decision is one for any of them.
 * @param decisions of the changed findings, in their order
 */
function moveMaker(
  userId: string,
  { status, until }: GivenDecision,
  now: number,
  changed: readonly Subject[],
  decisions: readonly NewDecision[],
): (subject: Subject) => Move {
  const numbers = new Map(changed.map((subject, index) => [subject, decisions[index]?.number ?? 0]));
  const decided = new Map<string, { readonly number: number; readonly action: Move['action'] }>();
  for (const [{ snapshot, finding }, number] of numbers) {
    const key = identityKey(snapshot.identity);
    const action = decided.get(key)?.action ?? actionOf(statusOf(finding), status);
    decided.set(key, { number, action });
  }
  return (subject) => {
    const same = decided.get(identityKey(subject.snapshot.identity));
    return {
      userId,
      changedAt: now,
      fromStatus: statusOf(subject.finding),
      toStatus: status,
      action: same?.action ?? null,
      decision: numbers.get(subject) ?? same?.number ?? 0,
      until,
      isLapse: 0,
    };
  };
}
