/**
 * Stores findings: each report's snapshots and facts, and what each project knows about its findings. This service is
 * created before the renderer, which needs the overlays.
 */
import type { MovedIdentity } from '@svc/contract';
import type { FindingOverlay, FindingOverlays, FindingSnapshot } from '@svc/report';
import {
  identityKey,
  openCounts,
  packedFacts,
  packedSnapshots,
  unpackedFacts,
  unpackedSnapshots,
} from '@svc/report';
import { AppError } from '#app-error';
import { updateUpload } from '#features/uploads';
import { HOUR_MS, isoTime, type Clock } from '#platform/clock';
import type { Database, Db, Tx } from '#platform/database/database';
import type { ProjectKeys } from '#platform/project-keys';
import type { Job } from '#platform/sweeper';
import { countReport } from './counting.ts';
import { forgetUnknown } from './decisions-store.ts';
import { currentKeys } from './earlier-identities-policy.ts';
import { movesInto, takenOver } from './moved-identities.ts';
import { followed, forgottenBefore, isOverlaid } from './policy.ts';
import { dayOf, earlier, openProject, saveProject, type ProjectState } from './project-state.ts';
import { findKnown, knowsAny, listPresent, listRenamed } from './identities-store.ts';
import { forgetUnseen } from './identities-writing-store.ts';
import { findFollowed } from './kept-store.ts';
import { forgetStatusChanges, listStatusChanges, type StatusChangeRow } from './status-changes-store.ts';
import { forgetToolDays } from './tool-history-store.ts';

const FORGOTTEN_AT_ONCE_MAX = 500;
const FORGETS_EVERY_MS = HOUR_MS;

export interface RecordsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly projectKeys: ProjectKeys;
}

export interface FindingRecords {
  /**
   * The last step of finalizing a report: locks its project, compares its findings with what the project knows, and
   * updates the project.
   */
  follow(tx: Tx, report: FollowedReport, now: number): Promise<Followed>;
  /**
   * The findings of two final reports of a project, in their order. Findings that are the same have equal fingerprints.
   * @throws AppError REPORT_EXPIRED when one has ended.
   */
  comparedOf(reportIds: readonly [string, string]): Promise<readonly [Comparable[], Comparable[]]>;
  /** @throws AppError REPORT_EXPIRED when it has ended. */
  overlaysOf(reportId: string): Promise<FindingOverlays>;
  /**
   * The findings of a final report, and the overlays from earlier reports alone.
   * @throws AppError REPORT_EXPIRED when it has ended.
   */
  followedOf(reportId: string): Promise<{
    readonly snapshots: readonly FindingSnapshot[];
    readonly overlays: FindingOverlays;
    /** When carried decisions lapse, by finding. */
    readonly lapses: ReadonlyMap<string, number>;
  }>;
  /** The triage decisions about a report's findings and their ends, in the order in which they were made. */
  decisionsOn(tx: Tx, reportId: string): Promise<StatusChangeRow[]>;
  /** Deletes the moves in these reports. Call it in the transaction that deletes the reports' keys. */
  forget(tx: Tx, reportIds: readonly string[]): Promise<void>;
  readonly job: Job;
}

/** A finding for a comparison; its fingerprint is that of the project, as an `identityKey`. */
export interface Comparable {
  readonly id: string;
  readonly fingerprint: string;
}

export interface FollowedReport {
  readonly projectId: string;
  readonly uploadId: string;
  /** The packed snapshots. */
  readonly findingSnapshots: Uint8Array;
  /** The packed facts. */
  readonly findingFacts: Uint8Array;
  /** Fingerprints that findings of the project had earlier. */
  readonly previous: readonly MovedIdentity[];
}

export interface Followed {
  /** Whether any finding now differs from the report body. */
  readonly isOverlaid: boolean;
  /** The report's position in the order in which its project counts reports; 0 if it is not counted. */
  readonly countedAs: number;
  readonly lapsesAt: number | null;
  /** How many findings of the project became open, or were fixed; null for a report that is not counted. */
  readonly openedFindings: number | null;
  readonly fixedFindings: number | null;
}

export function createFindingRecords({ database, clock, projectKeys }: RecordsPorts): FindingRecords {
  const db = database.read;

  async function requireFollowed(within: Db, reportId: string) {
    const report = await findFollowed(within, reportId);
    if (!report) throw new AppError('REPORT_EXPIRED');
    const { findingSnapshots, findingFacts, ...rest } = report;
    return { ...rest, snapshots: unpackedSnapshots(findingSnapshots), facts: findingFacts };
  }

  /** What the project knows about the findings, and about their earlier identities. */
  async function knownOf(
    tx: Tx,
    { project }: ProjectState,
    at: { readonly now: number; readonly order: number },
    submitted: readonly FindingSnapshot[],
    ran: readonly Uint8Array[],
    previous: readonly MovedIdentity[],
  ) {
    const present = await listPresent(tx, project.id, uniqueBytes(ran));
    const identities = submitted.map(({ identity }) => identity);
    const before = previous.length > 0 && (await knowsAny(tx, project.id)) ? previous : [];
    const moves =
      before.length > 0 ? movesInto(identities, before, projectKeys.ofFindings(project.id)) : null;
    const asked = [...identities, ...[...(moves?.values() ?? [])].flat()];
    const others = asked.filter((identity) => !present.has(identityKey(identity)));
    const found = await findKnown(tx, project.id, others);
    for (const identity of asked) {
      const row = present.get(identityKey(identity));
      if (row) found.set(identityKey(identity), row);
    }
    const known = moves
      ? takenOver(moves, found, at)
      : { now: found, movedTo: new Map<string, null>(), movedAway: [] };
    return { present, known };
  }

  return {
    async follow(tx, { projectId, uploadId, findingSnapshots, findingFacts, previous }, now) {
      const state = await openProject(tx, projectId, now);
      if (!state) throw new AppError('REPORT_EXPIRED');
      const submitted = unpackedSnapshots(findingSnapshots);
      const facts = unpackedFacts(findingFacts);
      const order = state.project.reportsCounted + 1;
      const { known, present } = await knownOf(
        tx,
        state,
        { now, order },
        submitted,
        facts.scan.ran,
        previous,
      );
      const knownOfSnapshot = ({ identity }: FindingSnapshot) => known.now.get(identityKey(identity));
      const snapshots = submitted.map((snapshot) => followed(snapshot, knownOfSnapshot(snapshot), now));
      const isCounted = !facts.scan.isOfOtherBranch;
      if (isCounted) await countReport(tx, state, { snapshots, facts, known, order, present }, now);
      await saveProject(tx, state, now, isCounted ? { reportsCounted: order } : {});
      const { opened, fixed } = state.ledger.result();
      const counted = {
        isOverlaid: false,
        countedAs: isCounted ? order : 0,
        lapsesAt: null,
        openedFindings: isCounted ? opened : null,
        fixedFindings: isCounted ? fixed : null,
      };
      if (!snapshots.some(isOverlaid)) return counted;
      let lapsesAt: number | null = null;
      const findings = facts.findings.map((of, place) => {
        const snapshot = snapshots[place];
        const decided = snapshot?.carried ? knownOfSnapshot(snapshot) : undefined;
        if (!decided || decided.decision === null) return of;
        const { decision: number, until } = decided;
        lapsesAt = earlier(lapsesAt, until);
        return { ...of, carried: { number, until } };
      });
      await updateUpload(tx, uploadId, {
        findingSnapshots: packedSnapshots(snapshots),
        ...(snapshots.some(({ carried }) => carried)
          ? { findingFacts: packedFacts({ scan: facts.scan, findings }) }
          : {}),
        openFindings: JSON.stringify(openCounts(snapshots)),
      });
      return { ...counted, isOverlaid: true, lapsesAt };
    },

    async comparedOf([one, other]) {
      const reports = [await requireFollowed(db, one), await requireFollowed(db, other)] as const;
      const isCounted = reports.every(({ countedAs }) => countedAs > 0);
      const renamed = isCounted ? await listRenamed(db, reports[0].projectId) : [];
      const keyNow = currentKeys(renamed);
      const [base, current] = reports.map(({ snapshots, countedAs }) =>
        snapshots.map(({ id, identity }) => ({ id, fingerprint: keyNow(identity, countedAs) })),
      );
      return [base ?? [], current ?? []];
    },

    async overlaysOf(reportId) {
      const { snapshots, finalizedAt } = await requireFollowed(db, reportId);
      const moves = Map.groupBy(await listStatusChanges(db, reportId), ({ findingId }) => findingId);
      return Object.fromEntries(
        snapshots
          .filter((snapshot) => isOverlaid(snapshot) || moves.has(snapshot.id))
          .map((snapshot) => [snapshot.id, overlayFor(snapshot, finalizedAt, moves.get(snapshot.id) ?? [])]),
      );
    },

    async followedOf(reportId) {
      const { snapshots, facts, finalizedAt } = await requireFollowed(db, reportId);
      const overlaid = snapshots
        .filter(isOverlaid)
        .map((snapshot) => [snapshot.id, overlayFor(snapshot, finalizedAt, [])]);
      return {
        snapshots,
        overlays: Object.fromEntries(overlaid) as FindingOverlays,
        lapses: carriedLapses(snapshots, facts),
      };
    },

    decisionsOn: async (tx, reportId) =>
      (await listStatusChanges(tx, reportId)).toSorted((one, other) => one.number - other.number),

    forget: forgetStatusChanges,

    job: {
      name: 'findings not seen any more',
      everyMs: FORGETS_EVERY_MS,
      async run() {
        const before = forgottenBefore(clock.now());
        await database.transaction((tx) => forgetToolDays(tx, dayOf(before)));
        for (;;) {
          const count = await database.transaction(async (tx) => {
            const forgotten = await forgetUnseen(tx, before, FORGOTTEN_AT_ONCE_MAX);
            await forgetUnknown(tx, forgotten);
            return forgotten.length;
          });
          if (count === 0) return;
        }
      },
    },
  };
}

function carriedLapses(snapshots: readonly FindingSnapshot[], packed: Uint8Array): Map<string, number> {
  if (!snapshots.some(({ carried }) => carried)) return new Map();
  const { findings } = unpackedFacts(packed);
  return new Map(
    snapshots.flatMap(({ id }, place) => {
      const until = findings[place]?.carried?.until ?? null;
      return until === null ? [] : [[id, until] as const];
    }),
  );
}

function uniqueBytes(list: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(list.map((bytes) => [identityKey(bytes), bytes])).values()];
}

export function overlayFor(
  snapshot: FindingSnapshot,
  finalizedAt: number,
  moves: readonly StatusChangeRow[],
): FindingOverlay {
  const { firstSeenAt, status } = snapshot;
  const steps = moves.map(({ toStatus, changedAt, action }) => ({
    to: toStatus,
    at: isoTime(changedAt),
    ...(action === null ? {} : { action }),
  }));
  return {
    ...(snapshot.dated && firstSeenAt !== null ? { firstSeenAt: isoTime(firstSeenAt) } : {}),
    ...(snapshot.carried ? { carried: status } : {}),
    ...(snapshot.reopened ? { reopenedAt: isoTime(finalizedAt) } : {}),
    ...(moves.length > 0 ? { moves: steps } : {}),
    ...(isLapsedIn(moves) ? { isLapsed: true as const } : {}),
  };
}

/** Whether the newest of a finding's moves is the end of a decision. */
export function isLapsedIn(moves: readonly StatusChangeRow[]): boolean {
  return moves.at(-1)?.isLapse === 1;
}
