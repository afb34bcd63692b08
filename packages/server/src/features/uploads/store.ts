/** Uploads, and the blobs pending deletion. */
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import { LIVE } from '#platform/database/report-states';
import type { UploadsTable } from '#platform/database/schema';

/** The row without the columns that can be large. */
export type UploadRow = Omit<UploadsTable, 'findingSnapshots' | 'findingFacts' | 'findingTexts'>;
export type UploadChange = Partial<UploadsTable>;

/** Few enough that their texts fit into memory many times over. */
const TEXTS_AT_ONCE = 50;

const columns = [
  'id',
  'reportId',
  'sha256',
  'sizeBytes',
  'createdAt',
  'expiresAt',
  'receivedAt',
  'blobName',
  'replacedAt',
  'openFindings',
] as const satisfies readonly (keyof UploadRow)[];

export async function insertUpload(tx: Tx, upload: UploadRow): Promise<void> {
  await inserted(tx, { upload });
}

const inserted = compiledOnce((db, { upload }: { upload: UploadRow }) =>
  db.insertInto('uploads').values(upload),
);

export async function findUpload(db: Db, uploadId: string): Promise<UploadRow | null> {
  const [row] = await byId(db, { uploadId });
  return row ?? null;
}

const byId = compiledOnce((db, { uploadId }: { uploadId: string }) =>
  db.selectFrom('uploads').select(columns).where('id', '=', uploadId),
);

/** What is recorded of a received body. Both columns are packed. */
export interface ReceivedUpload {
  readonly reportId: string;
  readonly findingSnapshots: Uint8Array;
  readonly findingFacts: Uint8Array;
}

/** The received body of an upload with which a report can be finalized; null when there is none. */
export async function findReceived(tx: Tx, uploadId: string): Promise<ReceivedUpload | null> {
  const [row] = await received(tx, { uploadId });
  return row ?? null;
}

const received = compiledOnce((db, { uploadId }: { uploadId: string }) =>
  db
    .selectFrom('uploads')
    .select(['reportId', 'findingSnapshots', 'findingFacts'])
    .where('id', '=', uploadId)
    .where('receivedAt', 'is not', null)
    .where('replacedAt', 'is', null)
    .$narrowType<{ findingSnapshots: Uint8Array; findingFacts: Uint8Array }>(),
);

/** The stored body of a report; null when there is none (any more). */
export async function findBody(
  db: Db,
  uploadId: string | null,
): Promise<{ readonly blobName: string; readonly sizeBytes: number } | null> {
  if (uploadId === null) return null;
  const [row] = await body(db, { uploadId });
  return row ?? null;
}

const body = compiledOnce((db, { uploadId }: { uploadId: string }) =>
  db
    .selectFrom('uploads')
    .select(['blobName', 'sizeBytes'])
    .where('id', '=', uploadId)
    .where('blobName', 'is not', null)
    .$narrowType<{ blobName: string }>(),
);

/** Counts open uploads: declared, and neither received nor replaced nor lapsed. Also returns when the first lapses. */
export async function countOpen(
  tx: Tx,
  given: Counted,
): Promise<{ readonly count: number; readonly firstLapsesAt: number }> {
  const [open] = await counted(tx, given);
  return { count: open?.count ?? 0, firstLapsesAt: open?.firstLapsesAt ?? given.now };
}

interface Counted {
  readonly userId: string;
  readonly otherThan: string;
  readonly now: number;
}

const counted = compiledOnce((db, { userId, otherThan, now }: Counted) =>
  db
    .selectFrom('reports')
    .innerJoin('uploads', 'uploads.reportId', 'reports.id')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min<number | null>('uploads.expiresAt').as('firstLapsesAt'),
    ])
    .where('reports.ownerId', '=', userId)
    .where('reports.state', '=', LIVE)
    .where('reports.id', '!=', otherThan)
    .where('uploads.receivedAt', 'is', null)
    .where('uploads.replacedAt', 'is', null)
    .where('uploads.expiresAt', '>', now),
);

export async function updateUpload(tx: Tx, uploadId: string, change: UploadChange): Promise<void> {
  await updated(tx, { uploadId, change });
}

const updated = compiledOnce((db, { uploadId, change }: { uploadId: string; change: UploadChange }) =>
  db.updateTable('uploads').set(change).where('id', '=', uploadId),
);

/** Replaces every current upload of the report. False when there is none. */
export async function replaceUploads(tx: Tx, reportId: string, now: number): Promise<boolean> {
  return (await replaced(tx, { reportId, now })).length > 0;
}

const replaced = compiledOnce((db, { reportId, now }: { reportId: string; now: number }) =>
  db
    .updateTable('uploads')
    .set({ replacedAt: now })
    .where('reportId', '=', reportId)
    .where('replacedAt', 'is', null)
    .returning('id'),
);

/** Deletes what is recorded of the received bodies of these reports, and returns the names of their blobs. */
export async function forgetReceived(tx: Tx, reportIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('uploads')
    .select('blobName')
    .where('reportId', 'in', reportIds)
    .where('blobName', 'is not', null)
    .execute();
  await tx
    .updateTable('uploads')
    .set({
      blobName: null,
      openFindings: null,
      findingSnapshots: null,
      findingFacts: null,
      findingTexts: null,
      sha256: new Uint8Array(0),
    })
    .where('reportId', 'in', reportIds)
    .execute();
  return rows.flatMap(({ blobName }) => blobName ?? []);
}

export async function markForDeletion(tx: Tx, blobNames: readonly string[], now: number): Promise<void> {
  if (blobNames.length === 0) return;
  await tx
    .insertInto('pendingDeletions')
    .values(blobNames.map((blobName) => ({ blobName, pendingSince: now })))
    .onConflict((conflict) => conflict.column('blobName').doNothing())
    .execute();
}

export async function listPendingDeletions(db: Db, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('pendingDeletions')
    .select('blobName')
    .orderBy('pendingSince')
    .limit(most)
    .execute();
  return rows.map(({ blobName }) => blobName);
}

export async function deletePendingDeletion(db: Db, blobName: string): Promise<void> {
  await db.deleteFrom('pendingDeletions').where('blobName', '=', blobName).execute();
}

/** The names among these that an upload refers to. */
export async function referredTo(db: Db, blobNames: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('uploads').select('blobName').where('blobName', 'in', blobNames).execute();
  return new Set(rows.flatMap(({ blobName }) => blobName ?? []));
}

/** Ends the uploads with these blobs, and returns the ids of their reports. */
export async function forgetBlobs(tx: Tx, blobNames: readonly string[], now: number): Promise<string[]> {
  const rows = await tx
    .updateTable('uploads')
    .set({ blobName: null, replacedAt: now })
    .where('blobName', 'in', blobNames)
    .returning('reportId')
    .execute();
  return rows.map(({ reportId }) => reportId);
}

/** A stored report body, with everything needed to read and verify it. */
export interface KeptBody {
  readonly reportId: string;
  readonly wrappedKey: Uint8Array | null;
  readonly blobName: string;
  readonly sizeBytes: number;
  readonly sha256: Uint8Array;
}

/** At most `most` stored bodies, by the names of their blobs, beginning after `afterName`. */
export async function listBodies(db: Db, afterName: string, most: number): Promise<KeptBody[]> {
  return db
    .selectFrom('uploads')
    .innerJoin('reports', 'reports.id', 'uploads.reportId')
    .select(['uploads.reportId', 'reports.wrappedKey', 'uploads.sizeBytes', 'uploads.sha256'])
    .select('uploads.blobName')
    .where('uploads.blobName', '>', afterName)
    .orderBy('uploads.blobName')
    .limit(most)
    .$narrowType<{ blobName: string }>()
    .execute();
}

/** The sealed finding texts of uploads whose bodies are stored, by the upload's id. */
export async function findTexts(db: Db, uploadIds: readonly string[]): Promise<Map<string, Uint8Array>> {
  const texts = new Map<string, Uint8Array>();
  for (let from = 0; from < uploadIds.length; from += TEXTS_AT_ONCE) {
    const rows = await textsOf(db, { uploadIds: uploadIds.slice(from, from + TEXTS_AT_ONCE) });
    for (const { id, findingTexts } of rows) texts.set(id, findingTexts);
  }
  return texts;
}

const textsOf = compiledOnce((db, { uploadIds }: { uploadIds: readonly string[] }) =>
  db
    .selectFrom('uploads')
    .select(['id', 'findingTexts'])
    .where('id', 'in', uploadIds)
    .where('blobName', 'is not', null)
    .$narrowType<{ findingTexts: Uint8Array }>(),
);
