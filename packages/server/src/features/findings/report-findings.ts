/** The state of the findings of one report: what was uploaded, what earlier reports decided, and the moves since. */
import type { Finding, FindingState, FindingStatus, SeverityCounts } from '@svc/contract';
import {
  openCounts,
  overlaidFinding,
  unpackedFacts,
  unpackedSnapshots,
  type FindingFacts,
  type FindingSnapshot,
} from '@svc/report';
import type { PlacedLapse } from '#features/projections';
import { isoTime } from '#platform/clock';
import type { Tx } from '#platform/database/database';
import { overlayFor } from './records-service.ts';
import { findKept } from './kept-store.ts';
import { listStatusChanges, type StatusChangeRow } from './status-changes-store.ts';

/** What is known about a finding without reading its report. Its texts are missing. */
export function findingIn(
  snapshot: FindingSnapshot,
  facts: FindingFacts | undefined,
  finalizedAt: number,
  moves: readonly StatusChangeRow[],
): Finding {
  const fixHistory = facts?.fixSteps.map(({ at, ...step }) => ({ at: isoTime(at), ...step })) ?? [];
  const bare: Pick<Finding, 'id' | 'severity' | 'status' | 'fixedAt' | 'fixHistory'> = {
    id: snapshot.id,
    severity: snapshot.severity,
    // A status is carried into open findings only.
    status: snapshot.carried ? 'open' : snapshot.status,
    ...(typeof facts?.fixedAt === 'number' ? { fixedAt: isoTime(facts.fixedAt) } : {}),
    ...(fixHistory.length > 0 ? { fixHistory } : {}),
  };
  return overlaidFinding(bare as Finding, overlayFor(snapshot, finalizedAt, moves));
}

export function stateOf({ id, status = 'open', fixedAt, fixHistory }: Finding): FindingState {
  return {
    id,
    status,
    ...(fixedAt === undefined ? {} : { fixedAt }),
    ...(fixHistory === undefined ? {} : { fixHistory }),
  };
}

/** The status of a finding after its moves. */
function statusAfterMoves(
  snapshot: FindingSnapshot,
  moves: readonly StatusChangeRow[] | undefined,
): FindingStatus {
  return moves?.at(-1)?.toStatus ?? snapshot.status;
}

/** A decision that counts in a report until a time. */
export interface PendingLapse extends PlacedLapse {
  readonly snapshot: FindingSnapshot;
  readonly decision: number;
}

/** The whole state of a report's findings, for changes that need all of it. */
export async function readWhole(tx: Tx, reportId: string, uploadId: string) {
  const kept = await findKept(tx, uploadId);
  const snapshots = kept ? unpackedSnapshots(kept.findingSnapshots) : [];
  const facts = kept ? unpackedFacts(kept.findingFacts).findings : [];
  const moves = Map.groupBy(await listStatusChanges(tx, reportId), ({ findingId }) => findingId);
  const lapses = snapshots.flatMap((snapshot, place): PendingLapse[] => {
    const last = moves.get(snapshot.id)?.at(-1);
    const carried = snapshot.carried ? facts[place]?.carried : null;
    const decision = last ? last.decision : carried?.number;
    const until = last ? last.until : carried?.until;
    return typeof until === 'number' && decision !== undefined ? [{ place, snapshot, until, decision }] : [];
  });
  return { snapshots, moves, lapses };
}

export function countsOfReport(
  snapshots: readonly FindingSnapshot[],
  moves: ReadonlyMap<string, readonly StatusChangeRow[]>,
): SeverityCounts {
  return openCounts(
    snapshots.map((snapshot) => ({
      ...snapshot,
      status: statusAfterMoves(snapshot, moves.get(snapshot.id)),
    })),
  );
}
