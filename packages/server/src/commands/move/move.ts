/**
 * Moves the data of the embedded mode: the database of the data folder into PostgreSQL, its report bodies into a
 * bucket, or only one of the two.
 *
 * A move of the database first marks the target as incomplete and the source as moving. No service starts on either. A
 * service rejects the bucket until it has all report bodies. Every step can be repeated. The last step, one
 * transaction, makes the target usable.
 */
import { copyBlobs, type CopiedBlobs } from '#features/uploads';
import { BLOB_STORE } from '#platform/blobs/blob-owner';
import { newBlobName, type MarkedBlobs } from '#platform/blobs/blobs';
import type { Database } from '#platform/database/database';
import { deleteFact, findFact, putFact, putFactOnce } from '#platform/database/deployment';
import type { RowCounts } from '#platform/database/transfer';
import { findMovedAway, putMovedAway } from '#platform/database/transfer-marks';
import type { Random } from '#platform/random';
import { StartError } from '#start-error';
import { beginFilling, fillDatabase, type Watch } from './fill-database.ts';

/** The fact that names the store to which blobs are being moved while the database stays. */
const BLOBS_INCOMING = 'blobs-incoming';

export interface PlacedBlobs {
  readonly blobs: MarkedBlobs;
  readonly place: string;
}

export interface MoveRun extends Watch {
  readonly evenWithFaults: boolean;
  readonly random: Random;
}

export interface Moved {
  /** Null when this run moved no rows. */
  readonly rows: RowCounts | null;
  /** Null when the report bodies stay, or when an earlier run completed the move. */
  readonly bodies: CopiedBlobs | null;
  readonly isComplete: boolean;
}

const already: Moved = { rows: null, bodies: null, isComplete: true };

/** @param bucket null when the report bodies stay in the folder. */
export async function moveDatabase(
  source: Database,
  target: { readonly database: Database; readonly described: string },
  files: PlacedBlobs,
  bucket: PlacedBlobs | null,
  { evenWithFaults, random, ...watch }: MoveRun,
): Promise<Moved> {
  const moved = await findMovedAway(source.read);
  const id = moved?.id ?? newBlobName(random);
  if (moved !== null && moved.to !== target.described)
    throw new StartError(
      `The data was moved to ${moved.to}, or its move has begun. Set DATABASE_URL to that database, or run "svc-server move --undo" first.`,
    );
  const filling = { from: source.read, to: target.database, described: target.described, id };
  if (moved === null) {
    // Marks the target first: if it is the wrong one, this fails before the source changes.
    await beginFilling(filling);
    await putMovedAway(source.read, { id, to: target.described });
  } else if (!(await beginFilling(filling))) return already;

  const bodies = bucket === null ? null : await moveBlobs(source, files, bucket, id, watch);
  if (bodies !== null && bodies.lost.length > 0 && !evenWithFaults)
    return { rows: null, bodies, isComplete: false };
  const facts = bucket === null ? {} : { [BLOB_STORE]: id };
  return { rows: await fillDatabase({ ...filling, facts }, watch), bodies, isComplete: true };
}

/** Moves the report bodies of a database that stays where it is. */
export async function moveBodies(
  database: Database,
  files: PlacedBlobs,
  bucket: PlacedBlobs,
  { evenWithFaults, random, ...watch }: MoveRun,
): Promise<Moved> {
  const store = await findFact(database.read, BLOB_STORE);
  if (store !== null && (await bucket.blobs.readMark()) === store) return already;
  await putFactOnce(database.read, BLOBS_INCOMING, newBlobName(random));
  const id = (await findFact(database.read, BLOBS_INCOMING)) ?? '';
  const bodies = await moveBlobs(database, files, bucket, id, watch);
  if (bodies.lost.length > 0 && !evenWithFaults) return { rows: null, bodies, isComplete: false };
  // A store without a mark could be claimed: a service with the old settings would start on it, and store reports
  // there.
  await files.blobs.writeMark(newBlobName(random));
  await database.transaction(async (tx) => {
    await putFact(tx, BLOB_STORE, id);
    await deleteFact(tx, BLOBS_INCOMING, null);
  });
  return { rows: null, bodies, isComplete: true };
}

async function moveBlobs(
  { read }: Database,
  files: PlacedBlobs,
  bucket: PlacedBlobs,
  id: string,
  { signal, report }: Watch,
): Promise<CopiedBlobs> {
  await requireEmptyOrBegun(bucket, id);
  return copyBlobs(read, files.blobs, bucket.blobs, (count) => {
    signal.throwIfAborted();
    report('Copying report bodies', count);
  });
}

/** @throws StartError when the destination holds other blobs. */
export async function requireEmptyOrBegun({ blobs, place }: PlacedBlobs, id: string): Promise<void> {
  if ((await blobs.readMark()) === null)
    for await (const _ of blobs.list(Number.MAX_SAFE_INTEGER))
      throw new StartError(`${place} already holds report bodies. Name an empty one.`);
  if ((await blobs.writeMark(id)) !== id)
    throw new StartError(`${place} belongs to another database. Name an empty place for the report bodies.`);
}
