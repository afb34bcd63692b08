/**
 * Triage decisions about the findings of a report. A decision reads only rows and packed snapshots, never a report
 * body, so it is cheap even for a large report. It is recorded in the report, in the newest report that has the
 * finding, and in the project.
 */
import { limits, type ChangeFindingBody, type FindingsChanged, type FindingState } from '@svc/contract';
import { actionOf, identityKey, snapshotsWithIds, statusOf } from '@svc/report';
import { AppError, validationFailed } from '#app-error';
import type { AuditRecorder } from '#features/audit';
import type { ReportsFeature } from '#features/reports';
import type { Bus } from '#platform/bus/bus';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import type { Ids } from '#platform/ids';
import { changedAmong } from './changed-subjects.ts';
import { decideInProject, type Deciding } from './deciding-in-project.ts';
import { givenDecision, rejectForbidden, rejectTooMany, type GivenDecision } from './decision-rules.ts';
import { settleWithin } from './lapses-service.ts';
import { moveIn, type Move } from './moving.ts';
import type { Notes } from './notes.ts';
import { openProject } from './project-state.ts';
import { findingIn, stateOf } from './report-findings.ts';
import { newestWith, NoFactsError, openTarget, subjectsOf, type Subject } from './subjects.ts';

export interface DecidingPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: Pick<AuditRecorder, 'record'>;
  readonly reports: Pick<ReportsFeature, 'requireReport'>;
  readonly notes: Notes;
  /** Computes the facts about an upload of an earlier version, from its body. */
  readonly completeFacts: (reportId: string) => Promise<void>;
}

export interface DecidingService {
  /**
   * @throws AppError NOT_FOUND, REPORT_EXPIRED, VALIDATION_FAILED, UNSAFE_PAYLOAD_REJECTED; CONFLICT while the report
   * is live, and when the status change is not allowed.
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
  const { database, bus, clock, ids, audit, reports, notes } = ports;

  async function decide(
    userId: string,
    reportId: string,
    findingIds: readonly string[],
    given: GivenDecision,
    notFound: (missing: readonly number[]) => AppError,
  ) {
    return database.transaction(async (tx) => {
      const now = clock.now();
      const { row } = await reports.requireReport('readable', userId, reportId, tx);
      if (row.state === 'live' || row.finalizedAt === null)
        throw new AppError('CONFLICT', {
          message: 'The scan is still running. Change the status of a finding once it has finished.',
        });
      if (row.uploadId === null) throw new AppError('REPORT_EXPIRED');
      const { projectId, uploadId, finalizedAt } = row;
      const settled = await settleWithin(tx, bus, row, now);
      const target = await openTarget(tx, { id: reportId, uploadId, finalizedAt, ...settled });
      const placed = new Map(
        snapshotsWithIds(target.findingMarks, new Set(findingIds)).map((each) => [each.mark.id, each]),
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
      const { project } = state;

      const changed = await changedAmong(tx, notes, project, subjects, given);
      const changedIds = new Set(changed.map(({ mark }) => mark.id));
      rejectForbidden(findingIds, changed, given, now);
      rejectTooMany(target, changed.length);
      const undoId = ids.random('und');
      const answer = {
        changed: findingIds.filter((id) => changedIds.has(id)),
        unchanged: findingIds.filter((id) => !changedIds.has(id)),
        undoId,
      };
      if (changed.length === 0) return { answer, states: new Map(subjects.map(withState)) };

      const numbers = new Map(changed.map((subject, index) => [subject, project.decisionsMade + index + 1]));
      const decidedIdentities = new Set(changed.map(({ mark }) => identityKey(mark.identity)));
      const { findingMarks } = target;
      const deciding = { userId, reportId, findingMarks, finalizedAt, given, undoId, now };
      const moveOf = moveMaker(deciding, numbers);
      const moves = await moveIn(tx, bus, target, changed, moveOf);
      const newerOf = new Map<string, string>();
      for (const newer of newest) {
        const affected = newer.subjects.filter(({ mark }) =>
          decidedIdentities.has(identityKey(mark.identity)),
        );
        if (affected.length === 0) continue;
        await moveIn(tx, bus, newer.target, affected, moveOf);
        for (const { mark } of affected) newerOf.set(identityKey(mark.identity), newer.target.id);
      }
      await decideInProject(tx, notes, state, numbers, newerOf, deciding);
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
          const { mark, facts } = subject;
          return [mark.id, stateOf(findingIn(mark, facts, finalizedAt, [...subject.moves, move]))] as const;
        }),
      );
      return { answer, states };
    });
  }

  /** Reports of earlier versions have no facts until a decision needs them. */
  async function decideWithFacts(...given: Parameters<typeof decide>) {
    for (;;) {
      try {
        return await decide(...given);
      } catch (error) {
        if (!(error instanceof NoFactsError)) throw error;
        await ports.completeFacts(error.reportId);
      }
    }
  }

  return {
    async decideOne(userId, reportId, findingId, body) {
      const given = givenDecision(body, clock.now());
      const notFound = () => new AppError('NOT_FOUND');
      const { states } = await decideWithFacts(userId, reportId, [findingId], given, notFound);
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
      return (await decideWithFacts(userId, reportId, findingIds, given, notFound)).answer;
    },
  };
}

function withState({ mark, finding }: Subject): readonly [string, FindingState] {
  return [mark.id, stateOf(finding)];
}

/**
 * Creates the moves of a decision. Equal findings get the same move in every report. It is a step of a fix if it is one
 * for any finding in the decision.
 */
function moveMaker(
  { userId, given, now }: Deciding,
  numbers: ReadonlyMap<Subject, number>,
): (subject: Subject) => Move {
  const decided = new Map<string, { readonly number: number; readonly action: Move['action'] }>();
  for (const [{ mark, finding }, number] of numbers) {
    const key = identityKey(mark.identity);
    const action = decided.get(key)?.action ?? actionOf(statusOf(finding), given.status);
    decided.set(key, { number, action });
  }
  return (subject) => {
    const same = decided.get(identityKey(subject.mark.identity));
    return {
      userId,
      movedAt: now,
      fromStatus: statusOf(subject.finding),
      toStatus: given.status,
      action: same?.action ?? null,
      decision: numbers.get(subject) ?? same?.number ?? null,
      until: given.until,
      isLapse: 0,
    };
  };
}
