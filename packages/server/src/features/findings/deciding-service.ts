/**
 * Triage decisions about the findings of a report. A decision reads rows and packed snapshots only, never a report body, so its
 * cost does not grow with the report. It is made in the report, in the newest report that has the finding, and in the project.
 */
import {
  isSetAside,
  limits,
  movesFrom,
  type ChangeFindingBody,
  type Finding,
  type FindingsChanged,
  type FindingState,
  type FindingStatus,
  type Issue,
  type SeverityCounts,
} from '@svc/contract';
import {
  actionOf,
  factsAt,
  identityKey,
  moveStatus,
  openSeverity,
  snapshotsWithIds,
  snapshotsWithIdentities,
  statusOf,
  type FindingFacts,
  type PlacedSnapshot,
} from '@svc/report';
import { AppError, validationFailed } from '#app-error';
import type { AuditRecorder } from '#features/audit';
import { recordDecisions } from '#features/projections';
import { lockReport, updateReport, type ReportsFeature } from '#features/reports';
import { updateUpload } from '#features/uploads';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import { isoTime, type Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Ids } from '#platform/ids';
import { givenDecision, type GivenDecision } from './decision-rules.ts';
import { findDecisions, insertDecisions, type DecisionRow } from './decisions-store.ts';
import { settleWithin } from './lapses-service.ts';
import type { Notes } from './notes.ts';
import { absent, judged, MOVES_MAX, toTheDay, type Known } from './policy.ts';
import { earlier, openProject, saveProject, saveRows } from './project-state.ts';
import { isLapsedIn } from './records-service.ts';
import { findingIn, stateOf, statusAfterMoves } from './report-findings.ts';
import * as store from './store.ts';
import type { KnownRow, MoveRow } from './store.ts';

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
   * @throws AppError NOT_FOUND, REPORT_EXPIRED, VALIDATION_FAILED, UNSAFE_PAYLOAD_REJECTED; CONFLICT while the report is live,
   * and when the status cannot change so.
   */
  decideOne(
    userId: string,
    reportId: string,
    findingId: string,
    body: ChangeFindingBody,
  ): Promise<FindingState>;
  /** All of them, or none. @throws AppError as above. */
  decideAll(
    userId: string,
    reportId: string,
    findingIds: readonly string[],
    body: ChangeFindingBody,
  ): Promise<FindingsChanged>;
}

/** A report whose findings are decided about. */
interface Target {
  readonly id: string;
  readonly uploadId: string;
  readonly finalizedAt: number;
  amendments: number;
  lapsesAt: number | null;
  readonly findingMarks: Uint8Array;
  readonly findingFacts: Uint8Array;
  readonly openFindings: SeverityCounts;
}

/** A finding to decide about, as it is in the report. */
interface Subject extends PlacedSnapshot {
  readonly facts: FindingFacts | undefined;
  readonly moves: readonly MoveRow[];
  readonly finding: Finding;
}

class NoFactsError extends Error {
  override readonly name = 'NoFactsError';
  readonly reportId: string;
  constructor(reportId: string) {
    super('The facts about the findings are not known yet.');
    this.reportId = reportId;
  }
}

export function createDecidingService(ports: DecidingPorts): DecidingService {
  const { database, bus, clock, ids, audit, reports, notes } = ports;

  async function open(tx: Tx, report: Omit<Target, 'findingMarks' | 'findingFacts' | 'openFindings'>) {
    const kept = await store.findKept(tx, report.uploadId);
    if (!kept?.findingMarks) throw new AppError('REPORT_EXPIRED');
    if (kept.findingFacts === null) throw new NoFactsError(report.id);
    return {
      ...report,
      findingMarks: kept.findingMarks,
      findingFacts: kept.findingFacts,
      openFindings: JSON.parse(kept.openFindings ?? '{}') as SeverityCounts,
    };
  }

  async function subjectsOf(tx: Tx, target: Target, placed: readonly PlacedSnapshot[]): Promise<Subject[]> {
    const facts = factsAt(target.findingFacts, new Set(placed.map(({ place }) => place)));
    const findingIds = placed.map(({ mark }) => mark.id);
    const moves = Map.groupBy(await store.listMoves(tx, target.id, findingIds), ({ findingId }) => findingId);
    return placed.map(({ place, mark }) => {
      const own = { facts: facts.get(place), moves: moves.get(mark.id) ?? [] };
      return { place, mark, ...own, finding: findingIn(mark, own.facts, target.finalizedAt, own.moves) };
    });
  }

  /** The numbers of the decisions that count in the report, by finding. */
  function numberOf({ moves, mark, facts }: Subject): number | null {
    const last = moves.at(-1);
    return last ? last.decision : mark.carried ? (facts?.carried?.number ?? null) : null;
  }

  /** Splits off the findings about which nothing changes. */
  async function changedAmong(
    tx: Tx,
    project: { readonly id: string; readonly notesKey: Uint8Array | null },
    subjects: readonly Subject[],
    given: GivenDecision,
  ): Promise<Subject[]> {
    const same = subjects.filter(
      ({ finding, moves }) => statusOf(finding) === given.status && !isLapsedIn(moves),
    );
    const numbers = same.flatMap((subject) => numberOf(subject) ?? []);
    const decisions = await findDecisions(tx, project.id, numbers);
    const isSame = (subject: Subject) => {
      const decision = decisions.get(numberOf(subject) ?? 0);
      const note = decision ? notes.open(project.notesKey, decision) : null;
      return (
        (decision?.reason ?? null) === given.reason &&
        (decision?.until ?? null) === given.until &&
        note === given.note
      );
    };
    const unchanged = new Set(same.filter(isSame));
    return subjects.filter((subject) => !unchanged.has(subject));
  }

  /** Adds the moves to a report, with everything that follows from them there. */
  async function moveIn(
    tx: Tx,
    target: Target,
    subjects: readonly Subject[],
    moveOf: (subject: Subject, number: number) => Omit<MoveRow, 'reportId' | 'findingId' | 'number'>,
  ): Promise<Map<Subject, MoveRow>> {
    const moves = new Map(
      subjects.map((subject, index) => {
        const number = target.amendments + index + 1;
        const row = {
          ...moveOf(subject, number),
          reportId: target.id,
          findingId: subject.mark.id,
          number,
        };
        return [subject, row] as const;
      }),
    );
    await store.insertMoves(tx, [...moves.values()]);
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

  /** Equal findings count once, so those that are not decided about matter too. */
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
      others.length === 0 ? [] : await store.listMoves(tx, target.id, others),
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

  /** The newest report that became final after this one and has the finding, for each that has one. Locks them. */
  async function newestWith(
    tx: Tx,
    report: store.ReportPlace,
    subjects: readonly Subject[],
    now: number,
  ): Promise<{ readonly target: Target; readonly subjects: Subject[] }[]> {
    const waiting = new Map(subjects.map(({ mark }) => [identityKey(mark.identity), mark.identity]));
    const found: { target: Target; subjects: Subject[] }[] = [];
    for (const newer of await store.listNewer(tx, report, now)) {
      if (waiting.size === 0) break;
      const kept = newer.uploadId === null ? null : await store.findKept(tx, newer.uploadId);
      if (!kept?.findingMarks) continue;
      const placed = snapshotsWithIdentities(kept.findingMarks, [...waiting.values()]);
      if (placed.length === 0) continue;
      const locked = await lockReport(tx, newer.id);
      if (locked?.state !== 'finalized' || locked.uploadId === null || locked.finalizedAt === null) continue;
      const settled = await settleWithin(tx, bus, locked, now);
      const { id, uploadId, finalizedAt } = locked;
      const target = await open(tx, { id, uploadId, finalizedAt, ...settled });
      for (const { mark } of placed) waiting.delete(identityKey(mark.identity));
      found.push({ target, subjects: await subjectsOf(tx, target, placed) });
    }
    return found;
  }

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
      const target = await open(tx, { id: reportId, uploadId, finalizedAt, ...settled });
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
      const newest = await newestWith(tx, row, subjects, now);
      const state = await openProject(tx, projectId, now);
      if (!state) throw new AppError('NOT_FOUND');
      const { project, ledger } = state;

      const changed = await changedAmong(tx, project, subjects, given);
      const changedIds = new Set(changed.map(({ mark }) => mark.id));
      rejectForbidden(findingIds, changed, given, now);
      if (target.amendments + changed.length > MOVES_MAX) throw tooMany();
      const undoId = ids.random('und');
      const answer = {
        changed: findingIds.filter((id) => changedIds.has(id)),
        unchanged: findingIds.filter((id) => !changedIds.has(id)),
        undoId,
      };
      if (changed.length === 0) return { answer, states: new Map(subjects.map(withState)) };

      const numbers = new Map(changed.map((subject, index) => [subject, project.decisionsMade + index + 1]));
      const numberOfIdentity = new Map(
        [...numbers].map(([{ mark }, number]) => [identityKey(mark.identity), number]),
      );
      const actions = new Map(
        changed.map(({ mark, finding }) => [
          identityKey(mark.identity),
          actionOf(statusOf(finding), given.status),
        ]),
      );
      const moveOf = (subject: Subject) => ({
        userId,
        movedAt: now,
        fromStatus: statusOf(subject.finding),
        toStatus: given.status,
        action: actions.get(identityKey(subject.mark.identity)) ?? null,
        decision: numbers.get(subject) ?? numberOfIdentity.get(identityKey(subject.mark.identity)) ?? null,
        until: given.until,
        isLapse: 0 as const,
      });
      const moves = await moveIn(tx, target, changed, moveOf);
      const newerOf = new Map<string, string>();
      for (const newer of newest) {
        const affected = newer.subjects.filter(({ mark }) =>
          numberOfIdentity.has(identityKey(mark.identity)),
        );
        if (affected.length === 0) continue;
        await moveIn(tx, newer.target, affected, moveOf);
        for (const { mark } of affected) newerOf.set(identityKey(mark.identity), newer.target.id);
      }

      const known = await store.findKnown(
        tx,
        projectId,
        changed.map(({ mark }) => mark.identity),
      );
      const notesKey = given.note === null ? null : await notes.keyFor(tx, project);
      const rows = new Map<string, KnownRow>();
      const decisions = [...numbers].map(([{ mark }, number]): DecisionRow => {
        const key = identityKey(mark.identity);
        const before = rows.get(key) ?? known.get(key);
        const after = knownDecided(before, mark, { given, number, finalizedAt, now });
        ledger.change(mark.identity, before, after);
        rows.set(key, { ...after, identity: mark.identity });
        return {
          projectId,
          number,
          identity: mark.identity,
          reportId,
          findingId: mark.id,
          newerReportId: newerOf.get(key) ?? null,
          userId,
          decidedAt: now,
          status: given.status,
          severity: mark.severity,
          reason: given.reason,
          until: given.until,
          note:
            given.note === null || notesKey === null
              ? null
              : notes.seal(notesKey.key, { projectId, number }, given.note),
          undoId,
          before: before ? beforeText(before) : null,
        };
      });
      await insertDecisions(tx, decisions);
      await saveRows(tx, projectId, [...rows.values()]);
      await saveProject(tx, state, now, {
        decisionsMade: project.decisionsMade + changed.length,
        lapsesAt: earlier(project.lapsesAt, given.until),
        ...(notesKey === null ? {} : { notesKey: notesKey.wrapped }),
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
          const { mark, facts } = subject;
          return [mark.id, stateOf(findingIn(mark, facts, finalizedAt, [...subject.moves, move]))] as const;
        }),
      );
      return { answer, states };
    });
  }

  /** Reports of earlier versions have no facts until they are needed. */
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

/** @throws AppError CONFLICT when a finding cannot get the status. */
function rejectForbidden(
  findingIds: readonly string[],
  changed: readonly Subject[],
  { status: to }: GivenDecision,
  now: number,
): void {
  const issues = changed.flatMap(({ mark, finding, moves }): Issue[] => {
    const from = statusOf(finding);
    const isDecidedAgain = from === to && (isSetAside(to) || isLapsedIn(moves));
    if (isDecidedAgain || moveStatus(finding, { to, at: isoTime(now) }).moved) return [];
    return [{ path: `/findingIds/${findingIds.indexOf(mark.id)}`, message: notAllowed(from, to) }];
  });
  const [first] = issues;
  if (!first) return;
  throw new AppError('CONFLICT', {
    message:
      issues.length === 1 ? first.message : `${issues.length} findings cannot become ${to}. Leave them out.`,
    details: { issues: issues.slice(0, limits.issuesMax) },
  });
}

function notAllowed(from: FindingStatus, to: FindingStatus): string {
  const said =
    from === to ? `The finding is already ${from}.` : `A finding that is ${from} cannot become ${to}.`;
  return `${said} From ${from} it can become: ${movesFrom(from).join(', ')}.`;
}

function tooMany(): AppError {
  return new AppError('CONFLICT', {
    message: `The findings of this report have been changed ${MOVES_MAX} times, which is the limit. Decide on them in a newer report.`,
  });
}

/** What the project knows about a finding after a decision. */
function knownDecided(
  before: Known | undefined,
  mark: PlacedSnapshot['mark'],
  about: {
    readonly given: GivenDecision;
    readonly number: number;
    readonly finalizedAt: number;
    readonly now: number;
  },
): Known {
  const { given, number, finalizedAt, now } = about;
  const seen = before ?? {
    firstSeenAt: mark.firstSeenAt ?? finalizedAt,
    lastSeenAt: toTheDay(now),
    ...absent,
  };
  return judged(
    {
      ...seen,
      status: given.status,
      severity: mark.severity,
      statusAt: now,
      decidedAt: now,
      until: given.until,
      decision: number,
    },
    now,
  );
}

function beforeText({ status, severity, statusAt, decidedAt, until, decision }: Known): string {
  return JSON.stringify({ status, severity, statusAt, decidedAt, until, decision });
}
