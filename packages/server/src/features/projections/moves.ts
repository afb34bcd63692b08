/**
 * Adds triage decisions, and their ends, to the prepared projections that list the finding, and to no others. A
 * decision about a finding that a share hides therefore changes no row, version or memory that a read of the share
 * depends on.
 */
import type { FindingOverlays } from '@svc/report';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import { isoTime } from '#platform/clock';
import type { Db, Tx } from '#platform/database/database';
import { hasBit } from './policy.ts';
import * as store from './store.ts';
import type { PreparedStatusChangeRow } from './store.ts';

export type Decision = Pick<PreparedStatusChangeRow, 'findingId' | 'changedAt' | 'toStatus' | 'action'>;

/** A decision about the finding at this position in the report. */
export interface PlacedDecision extends Decision {
  readonly place: number;
}

/** When the decision about the finding at this position in the report lapses. */
export interface PlacedLapse {
  readonly place: number;
  readonly until: number;
}

/**
 * Runs in the transaction that records the decisions, which holds the report's lock.
 * @param lapses of these decisions; of all decisions when `isComplete`.
 */
export async function recordDecisions(
  tx: Tx,
  bus: Pick<Bus, 'publish'>,
  reportId: string,
  decisions: readonly PlacedDecision[],
  lapses: { readonly all: readonly PlacedLapse[]; readonly isComplete: boolean },
): Promise<void> {
  for (const row of await store.listRows(tx, reportId)) {
    const { policyDigest, listed, blobName } = row;
    if (listed === null || blobName === null) continue;
    const shown = decisions.filter(({ place }) => hasBit(listed, place));
    const next = nextLapse(lapses.all, listed);
    const lapsesAt = lapses.isComplete ? next : earliest(row.lapsesAt, next);
    if (shown.length === 0 && lapsesAt === row.lapsesAt) continue;
    await store.updateRow(tx, { reportId, policyDigest }, { version: row.version + shown.length, lapsesAt });
    await store.insertStatusChanges(
      tx,
      shown.map(({ place: _, ...decision }, index) => ({
        blobName,
        version: row.version + index + 1,
        ...decision,
      })),
    );
    await bus.publish(tx, topics.projection(reportId, policyDigest));
  }
}

/** When the next decision about a listed finding lapses. */
export function nextLapse(lapses: readonly PlacedLapse[], listed: Uint8Array): number | null {
  let next: number | null = null;
  for (const { place, until } of lapses) {
    if ((next === null || until < next) && hasBit(listed, place)) next = until;
  }
  return next;
}

function earliest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/**
 * The decisions up to a version, by finding; null when they were deleted with the blob. Each version adds one decision.
 */
export async function decisionsOf(
  db: Db,
  blobName: string,
  version: number,
): Promise<FindingOverlays | null> {
  if (version === 0) return {};
  const all = await store.listStatusChanges(db, blobName, version);
  if (all.length < version) return null;
  const moves = Map.groupBy(all, ({ findingId }) => findingId);
  return Object.fromEntries(
    [...moves].map(([findingId, steps]) => [
      findingId,
      {
        moves: steps.map(({ toStatus, changedAt, action }) => ({
          to: toStatus,
          at: isoTime(changedAt),
          ...(action === null ? {} : { action }),
        })),
      },
    ]),
  );
}
