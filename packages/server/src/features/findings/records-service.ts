/**
 * Stores findings: each report's snapshots and triage decisions, and what each project knows of its findings. It is created
 * before the renderer, which asks for overlays.
 */
import { isDeepStrictEqual } from 'node:util';
import type { MovedIdentity } from '@svc/contract';
import type { FindingOverlay, FindingOverlays, FindingSnapshot } from '@svc/report';
import { packedSnapshots, unpackedSnapshots } from '@svc/report';
import { AppError } from '#app-error';
import { updateUpload } from '#features/uploads';
import { HOUR_MS, isoTime, type Clock } from '#platform/clock';
import type { Database, Db, Tx } from '#platform/database/database';
import type { ProjectKeys } from '#platform/project-keys';
import type { Job } from '#platform/sweeper';
import { movesInto, takenOver, type TakenOver } from './moved-identities.ts';
import { followed, forgottenBefore, isOverlaid, knownAfter, openCounts } from './policy.ts';
import * as store from './store.ts';
import type { IdentityRow, MoveRow } from './store.ts';

const FORGOTTEN_AT_ONCE_MAX = 500;
const FORGETS_EVERY_MS = HOUR_MS;

export interface RecordsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly projectKeys: ProjectKeys;
}

export interface FindingRecords {
  /**
   * The last step of finalizing a report: locks its project, compares its findings with what the project knows, and updates
   * the project.
   * @returns whether any finding now differs from the report body.
   */
  follow(tx: Tx, report: FollowedReport, now: number): Promise<boolean>;
  /**
   * The findings of a final report, in its order.
   * @throws AppError REPORT_EXPIRED when it has ended.
   */
  snapshotsOf(db: Db, reportId: string): Promise<FindingSnapshot[]>;
  /** @throws AppError REPORT_EXPIRED when it has ended. */
  overlaysOf(reportId: string): Promise<FindingOverlays>;
  /**
   * The findings of a final report, and the overlays from earlier reports alone.
   * @throws AppError REPORT_EXPIRED when it has ended.
   */
  followedOf(
    reportId: string,
  ): Promise<{ readonly marks: readonly FindingSnapshot[]; readonly amendments: FindingOverlays }>;
  /** The triage decisions about a report, oldest first. */
  decisionsOn(tx: Tx, reportId: string): Promise<MoveRow[]>;
  /** How one finding differs from the report body. */
  overlayOf(
    tx: Tx,
    report: { readonly id: string; readonly finalizedAt: number | null },
    mark: FindingSnapshot,
  ): Promise<FindingOverlay>;
  /** Triage decisions are deleted in the transaction that deletes the reports' keys. */
  forget(tx: Tx, reportIds: readonly string[]): Promise<void>;
  readonly job: Job;
}

export interface FollowedReport {
  readonly projectId: string;
  readonly uploadId: string;
  /** The packed snapshots; null when nothing was uploaded, or it was deleted. */
  readonly findingMarks: Uint8Array | null;
  /** Fingerprints that findings of the project had earlier. */
  readonly previous: readonly MovedIdentity[];
}

export function createFindingRecords({ database, clock, projectKeys }: RecordsPorts): FindingRecords {
  const db = database.read;

  async function requireFollowed(within: Db, reportId: string) {
    const report = await store.findFollowed(within, reportId);
    if (!report) throw new AppError('REPORT_EXPIRED');
    return { marks: unpackedSnapshots(report.findingMarks), finalizedAt: report.finalizedAt };
  }

  return {
    async follow(tx, { projectId, uploadId, findingMarks, previous }, now) {
      const isLocked = await store.lockProject(tx, projectId);
      const submitted = findingMarks === null ? [] : unpackedSnapshots(findingMarks);
      if (!isLocked || submitted.length === 0) return false;
      const identities = submitted.map(({ identity }) => identity);
      const before = previous.length > 0 && (await store.knowsAny(tx, projectId)) ? previous : [];
      const moves =
        before.length > 0 ? movesInto(identities, before, projectKeys.ofFindings(projectId)) : null;
      const asked = [...identities, ...[...(moves?.values() ?? [])].flat().map(store.identityOf)];
      const found = await store.findKnown(tx, projectId, asked);
      const known = moves
        ? takenOver(moves, found)
        : { now: found, movedTo: new Set<string>(), movedAway: [] };
      const marks = submitted.map((mark) => followed(mark, known.now.get(store.identityKey(mark.identity))));
      await store.saveKnown(tx, changedRows(projectId, marks, known, now));
      if (known.movedAway.length > 0) await store.forgetIdentities(tx, projectId, known.movedAway);
      if (!marks.some(isOverlaid)) return false;
      await updateUpload(tx, uploadId, {
        findingMarks: packedSnapshots(marks),
        openFindings: JSON.stringify(openCounts(marks)),
      });
      return true;
    },

    snapshotsOf: async (within, reportId) => (await requireFollowed(within, reportId)).marks,

    async overlaysOf(reportId) {
      const { marks, finalizedAt } = await requireFollowed(db, reportId);
      const moves = Map.groupBy(await store.listMoves(db, reportId), ({ findingId }) => findingId);
      return Object.fromEntries(
        marks
          .filter((mark) => isOverlaid(mark) || moves.has(mark.id))
          .map((mark) => [mark.id, overlayFor(mark, finalizedAt, moves.get(mark.id) ?? [])]),
      );
    },

    async followedOf(reportId) {
      const { marks, finalizedAt } = await requireFollowed(db, reportId);
      const overlaid = marks.filter(isOverlaid).map((mark) => [mark.id, overlayFor(mark, finalizedAt, [])]);
      return { marks, amendments: Object.fromEntries(overlaid) as FindingOverlays };
    },

    decisionsOn: async (tx, reportId) =>
      (await store.listMoves(tx, reportId)).toSorted((one, other) => one.number - other.number),

    overlayOf: async (tx, { id, finalizedAt }, mark) =>
      overlayFor(mark, finalizedAt ?? 0, await store.listMoves(tx, id, mark.id)),

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

/** The rows of the project that change. Several findings of a report can have one identity. */
function changedRows(
  projectId: string,
  marks: readonly FindingSnapshot[],
  known: TakenOver,
  now: number,
): IdentityRow[] {
  const groups = new Map<string, [FindingSnapshot, ...FindingSnapshot[]]>();
  for (const mark of marks) {
    const key = store.identityKey(mark.identity);
    const group = groups.get(key);
    if (group) group.push(mark);
    else groups.set(key, [mark]);
  }
  return [...groups].flatMap(([key, group]) => {
    const before = known.now.get(key);
    const after = knownAfter(group, before, now);
    return before && !known.movedTo.has(key) && isDeepStrictEqual(before, after)
      ? []
      : { projectId, identity: group[0].identity, ...after };
  });
}

function overlayFor(mark: FindingSnapshot, finalizedAt: number, moves: readonly MoveRow[]): FindingOverlay {
  const { firstSeenAt, status } = mark;
  const steps = moves.map(({ toStatus, movedAt, action }) => ({
    to: toStatus,
    at: isoTime(movedAt),
    ...(action === null ? {} : { action }),
  }));
  return {
    ...(mark.dated && firstSeenAt !== null ? { firstSeenAt: isoTime(firstSeenAt) } : {}),
    ...(mark.carried ? { carried: status } : {}),
    ...(mark.reopened ? { reopenedAt: isoTime(finalizedAt) } : {}),
    ...(moves.length > 0 ? { moves: steps } : {}),
  };
}
