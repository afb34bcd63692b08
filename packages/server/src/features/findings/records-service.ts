/**
 * What is kept of findings: beside each report its marks and what people decided of it, and for each project what it
 * knows of every finding it ever had. It is made before what renders reports, which asks for amendments.
 */
import type { Amendment, Amendments, FindingMark, StatusMove } from '@svc/report';
import { packedMarks, unpackedMarks } from '@svc/report';
import { AppError } from '#app-error';
import { isoTime, type Clock } from '#platform/clock';
import type { Database, Db, Tx } from '#platform/database/database';
import type { Job } from '#platform/sweeper';
import { followed, forgottenBefore, isAmended, knownAfter, openCounts, type Known } from './policy.ts';
import * as store from './store.ts';
import type { IdentityRow, MoveRow } from './store.ts';

const FORGOTTEN_AT_ONCE_MAX = 500;
const FORGETS_EVERY_MS = 3_600_000;

export interface RecordsPorts {
  readonly database: Database;
  readonly clock: Clock;
}

export interface FindingRecords {
  /**
   * At the end of a report's way in: compares its findings with what the project knows, and lets the project know of them.
   * @returns whether anything is told of them otherwise than the report does.
   */
  follow(tx: Tx, report: { readonly projectId: string }, uploadId: string, now: number): Promise<boolean>;
  /**
   * Of a report that is final, in its order.
   * @throws AppError REPORT_EXPIRED when it is gone.
   */
  marksOf(db: Db, reportId: string): Promise<FindingMark[]>;
  /** @throws AppError REPORT_EXPIRED when it is gone. */
  amendmentsOf(reportId: string): Promise<Amendments>;
  /**
   * The findings of a final report, and what follows for them from earlier reports alone.
   * @throws AppError REPORT_EXPIRED when it is gone.
   */
  followedOf(
    reportId: string,
  ): Promise<{ readonly marks: readonly FindingMark[]; readonly amendments: Amendments }>;
  /** The triage decisions about a report, oldest first. */
  decisionsOn(tx: Tx, reportId: string): Promise<MoveRow[]>;
  /** What is told of one finding otherwise than the report does. */
  amendmentOf(
    tx: Tx,
    report: { readonly id: string; readonly finalizedAt: number | null },
    mark: FindingMark,
  ): Promise<Amendment>;
  /** What people decided of the findings of reports goes in the transaction in which their keys do. */
  forget(tx: Tx, reportIds: readonly string[]): Promise<void>;
  readonly job: Job;
}

export function createFindingRecords({ database, clock }: RecordsPorts): FindingRecords {
  const db = database.read;

  async function requireFollowed(within: Db, reportId: string) {
    const report = await store.findFollowed(within, reportId);
    if (!report) throw new AppError('REPORT_EXPIRED');
    return { marks: unpackedMarks(report.findingMarks), finalizedAt: report.finalizedAt };
  }

  return {
    async follow(tx, { projectId }, uploadId, now) {
      const packed = await store.findMarks(tx, uploadId);
      const submitted = packed === null ? [] : unpackedMarks(packed);
      if (submitted.length === 0 || !(await store.lockProject(tx, projectId))) return false;
      const identities = submitted.map(({ identity }) => identity);
      const known = await store.findKnown(tx, projectId, identities);
      const marks = submitted.map((mark) => followed(mark, known.get(store.identityKey(mark.identity))));
      await store.saveKnown(tx, changedRows(projectId, marks, known, now));
      if (!marks.some(isAmended)) return false;
      await store.updateUpload(tx, uploadId, {
        findingMarks: packedMarks(marks),
        openFindings: JSON.stringify(openCounts(marks)),
      });
      return true;
    },

    marksOf: async (within, reportId) => (await requireFollowed(within, reportId)).marks,

    async amendmentsOf(reportId) {
      const { marks, finalizedAt } = await requireFollowed(db, reportId);
      const moves = Map.groupBy(await store.listMoves(db, reportId), ({ findingId }) => findingId);
      return Object.fromEntries(
        marks
          .filter((mark) => isAmended(mark) || moves.has(mark.id))
          .map((mark) => [mark.id, toldOf(mark, finalizedAt, moves.get(mark.id) ?? [])]),
      );
    },

    async followedOf(reportId) {
      const { marks, finalizedAt } = await requireFollowed(db, reportId);
      const amended = marks.filter(isAmended).map((mark) => [mark.id, toldOf(mark, finalizedAt, [])]);
      return { marks, amendments: Object.fromEntries(amended) as Amendments };
    },

    decisionsOn: async (tx, reportId) =>
      (await store.listMoves(tx, reportId)).toSorted((one, other) => one.number - other.number),

    amendmentOf: async (tx, { id, finalizedAt }, mark) =>
      toldOf(mark, finalizedAt ?? 0, await store.listMoves(tx, id, mark.id)),

    forget: store.forgetMoves,

    job: {
      name: 'findings not seen any more',
      everyMs: FORGETS_EVERY_MS,
      async run() {
        const before = forgottenBefore(clock.now());
        while (await store.forgetUnseen(db, before, FORGOTTEN_AT_ONCE_MAX));
      },
    },
  };
}

/** What the project knows otherwise now. Several findings of a report can be one and the same. */
function changedRows(
  projectId: string,
  marks: readonly FindingMark[],
  known: ReadonlyMap<string, Known>,
  now: number,
): IdentityRow[] {
  const groups = new Map<string, [FindingMark, ...FindingMark[]]>();
  for (const mark of marks) {
    const key = store.identityKey(mark.identity);
    const group = groups.get(key);
    if (group) group.push(mark);
    else groups.set(key, [mark]);
  }
  return [...groups].flatMap(([key, group]) => {
    const before = known.get(key);
    const after = knownAfter(group, before, now);
    return before && isSame(before, after) ? [] : { projectId, identity: group[0].identity, ...after };
  });
}

function isSame(one: Known, other: Known): boolean {
  return (
    one.firstSeenAt === other.firstSeenAt &&
    one.lastSeenAt === other.lastSeenAt &&
    one.status === other.status &&
    one.severity === other.severity &&
    one.statusAt === other.statusAt
  );
}

function toldOf(mark: FindingMark, finalizedAt: number, moves: readonly MoveRow[]): Amendment {
  const { firstSeenAt, status } = mark;
  return {
    ...(mark.dated && firstSeenAt !== null ? { firstSeenAt: isoTime(firstSeenAt) } : {}),
    ...(mark.carried ? { carried: status } : {}),
    ...(mark.reopened ? { reopenedAt: isoTime(finalizedAt) } : {}),
    ...(moves.length > 0 ? { moves: moves.map(stepOf) } : {}),
  };
}

function stepOf({ toStatus, movedAt, action }: MoveRow): StatusMove {
  return { to: toStatus, at: isoTime(movedAt), ...(action === null ? {} : { action }) };
}
