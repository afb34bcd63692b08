/** The blobs that a database names: copying them for a backup, and verifying them against their rows. */
import { createHash } from 'node:crypto';
import { listProjectionBlobs } from '#features/projections';
import { endWithoutBody } from '#features/reports';
import type { Blobs } from '#platform/blobs/blobs';
import type { Database, Db } from '#platform/database/database';
import { bodyContext, type ReportKeys } from '#platform/report-keys';
import { SealBrokenError, unseal } from '#platform/sealing';
import * as store from './store.ts';
import type { KeptBody } from './store.ts';

const BODIES_AT_ONCE = 500;

async function* bodiesOf(db: Db): AsyncGenerator<KeptBody> {
  let last = '';
  for (;;) {
    const bodies = await store.listBodies(db, last, BODIES_AT_ONCE);
    yield* bodies;
    if (bodies.length < BODIES_AT_ONCE) return;
    last = bodies.at(-1)?.blobName ?? last;
  }
}

/** Enough that a store which lost only a part of its blobs still has one of these. */
const SOME = 20;

export async function someBlobNames(db: Db): Promise<string[]> {
  return (await store.listBodies(db, '', SOME)).map(({ blobName }) => blobName);
}

/** All names of blobs. Prepared projections could be computed again, but their first readers would have to wait. */
export async function* blobNamesOf(db: Db): AsyncGenerator<string> {
  for await (const { blobName } of bodiesOf(db)) yield blobName;
  let last = '';
  for (;;) {
    const prepared = await listProjectionBlobs(db, last, BODIES_AT_ONCE);
    for (const { blobName } of prepared) yield blobName;
    if (prepared.length < BODIES_AT_ONCE) return;
    last = prepared.at(-1)?.blobName ?? last;
  }
}

/**
 * Copies the blobs that the database names and that are not copied yet, and deletes copies of others.
 * @param brought the names of the copied blobs; updated.
 * @returns the names of blobs that could not be copied.
 */
export async function bringBodies(db: Db, from: Blobs, to: Blobs, brought: Set<string>): Promise<string[]> {
  const unnamed = new Set(brought);
  const missing: string[] = [];
  for await (const blobName of blobNamesOf(db)) {
    if (unnamed.delete(blobName)) continue;
    const sealed = await from.get(blobName);
    if (sealed === null) {
      missing.push(blobName);
      continue;
    }
    await to.put(blobName, [sealed]);
    brought.add(blobName);
  }
  for (const blobName of unnamed) {
    await to.delete(blobName);
    brought.delete(blobName);
  }
  return missing;
}

/**
 * Ends uploads in a copy of the database whose blobs were deleted while it was being copied. Their final reports
 * expire, and their live ones have no body any more. A blob that the original still names was lost and not deleted, so
 * its report stays.
 * @returns the number of these reports.
 */
export async function forgetDeleted(
  copy: Database,
  original: Db,
  missing: readonly string[],
  now: number,
): Promise<number> {
  let count = 0;
  for (let from = 0; from < missing.length; from += BODIES_AT_ONCE) {
    const names = missing.slice(from, from + BODIES_AT_ONCE);
    const stillNamed = await store.referredTo(original, names);
    const deleted = names.filter((name) => !stillNamed.has(name));
    if (deleted.length === 0) continue;
    count += await copy.transaction(async (tx) => {
      const reportIds = await store.forgetBlobs(tx, deleted, now);
      if (reportIds.length > 0) await endWithoutBody(tx, reportIds, now);
      return reportIds.length;
    });
  }
  return count;
}

export interface BodiesFound {
  readonly count: number;
  readonly sizeBytes: number;
  /** One sentence for each report whose stored body is missing or differs from the upload. */
  readonly faults: readonly string[];
}

export async function verifyBodies(
  db: Db,
  blobs: Blobs,
  keys: Pick<ReportKeys, 'unwrap'>,
): Promise<BodiesFound> {
  const faults: string[] = [];
  let count = 0;
  let sizeBytes = 0;
  for await (const body of bodiesOf(db)) {
    const sealed = await blobs.get(body.blobName);
    const fault = sealed === null ? 'is missing' : faultOf(body, sealed, keys);
    if (fault !== null) faults.push(`the body of report ${body.reportId} ${fault} (${body.blobName})`);
    count += 1;
    sizeBytes += sealed?.length ?? 0;
  }
  return { count, sizeBytes, faults };
}

function faultOf(body: KeptBody, sealed: Uint8Array, keys: Pick<ReportKeys, 'unwrap'>): string | null {
  const { reportId, wrappedKey, blobName } = body;
  try {
    if (wrappedKey === null) return 'has no key';
    const text = unseal(keys.unwrap(reportId, wrappedKey), bodyContext(reportId, blobName), sealed);
    const digest = createHash('sha256').update(text).digest();
    return text.length === body.sizeBytes && digest.equals(body.sha256) ? null : 'differs from the upload';
  } catch (error) {
    if (error instanceof SealBrokenError) return 'is damaged';
    throw error;
  }
}
