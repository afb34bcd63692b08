/** Copies every blob that a database names from one store into another, and compares each copy with its source. */
import { BlobDamagedError, type Blobs } from '#platform/blobs/blobs';
import type { Db } from '#platform/database/database';
import { blobNamesOf } from './copies.ts';

/** Few, because each blob is in memory twice. */
const AT_ONCE = 8;

export interface CopiedBlobs {
  /** Blobs that are in the target with the bytes of the source. */
  readonly count: number;
  readonly sizeBytes: number;
  /** Blobs that the source lacks, or has with a wrong digest. */
  readonly lost: readonly string[];
}

/**
 * May be repeated after an interruption: a blob that was already copied is only compared.
 * @param onBlob called before each blob; throws to stop.
 */
export async function copyBlobs(
  db: Db,
  from: Blobs,
  to: Blobs,
  onBlob: (count: number) => void,
): Promise<CopiedBlobs> {
  const lost: string[] = [];
  let count = 0;
  let sizeBytes = 0;
  const names = blobNamesOf(db);
  const copyNext = async (): Promise<void> => {
    for (;;) {
      const next = await names.next();
      if (next.done === true) return;
      onBlob(count + lost.length);
      const bytes = await readIntact(from, next.value);
      if (bytes === null) lost.push(next.value);
      else {
        await putSame(to, next.value, bytes);
        count += 1;
        sizeBytes += bytes.length;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyNext));
  return { count, sizeBytes, lost };
}

async function putSame(blobs: Blobs, name: string, bytes: Uint8Array): Promise<void> {
  const present = await readIntact(blobs, name);
  if (present !== null && Buffer.from(bytes).equals(present)) return;
  // A blob is never overwritten, so one that differs from its source is damaged.
  await blobs.delete(name);
  await blobs.put(name, [bytes]);
  const written = await blobs.get(name);
  if (written === null || !Buffer.from(bytes).equals(written))
    throw new Error(`the copy of the blob ${name} differs from its source`);
}

async function readIntact(blobs: Blobs, name: string): Promise<Uint8Array | null> {
  try {
    return await blobs.get(name);
  } catch (error) {
    if (error instanceof BlobDamagedError) return null;
    throw error;
  }
}
