/**
 * Adds triage decisions to the prepared projections that list the finding, and to no others. A decision about a finding that
 * a share hides therefore changes no row, version or memory that a read of the share depends on.
 */
import type { FindingOverlays } from '@svc/report';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import { isoTime } from '#platform/clock';
import type { Db, Tx } from '#platform/database/database';
import { hasBit } from './policy.ts';
import * as store from './store.ts';
import type { PreparedMoveRow } from './store.ts';

export type Decision = Pick<PreparedMoveRow, 'findingId' | 'movedAt' | 'toStatus' | 'action'>;

/**
 * Runs in the transaction that records the decision, which holds the report's lock.
 * @param place the position of the finding in the report.
 */
export async function recordDecision(
  tx: Tx,
  bus: Pick<Bus, 'publish'>,
  about: { readonly reportId: string; readonly place: number },
  { findingId, movedAt, toStatus, action }: Decision,
): Promise<void> {
  const rows = await store.listRows(tx, about.reportId);
  const listing = rows
    .filter(({ listed }) => listed !== null && hasBit(listed, about.place))
    .map(({ policyDigest }) => policyDigest);
  if (listing.length === 0) return;
  const raised = await store.raiseVersions(tx, about.reportId, listing);
  const decision = { findingId, movedAt, toStatus, action };
  const moves = raised.flatMap(({ blobName, version }) =>
    blobName === null ? [] : { blobName, version, ...decision },
  );
  await store.insertMoves(tx, moves);
  for (const digest of listing) await bus.publish(tx, topics.projection(about.reportId, digest));
}

/**
 * The decisions up to a version, by finding; null when they were deleted with the blob. Each version has one more
 * decision.
 */
export async function decisionsOf(
  db: Db,
  blobName: string,
  version: number,
): Promise<FindingOverlays | null> {
  if (version === 0) return {};
  const all = await store.listMoves(db, blobName, version);
  if (all.length < version) return null;
  const moves = Map.groupBy(all, ({ findingId }) => findingId);
  return Object.fromEntries(
    [...moves].map(([findingId, steps]) => [
      findingId,
      {
        moves: steps.map(({ toStatus, movedAt, action }) => ({
          to: toStatus,
          at: isoTime(movedAt),
          ...(action === null ? {} : { action }),
        })),
      },
    ]),
  );
}
