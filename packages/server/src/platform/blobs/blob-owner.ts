/**
 * Ties a database to the store of its blobs. A service deletes blobs that its database does not name. So it must not
 * start with a store of another database, or with a store that lacks its own blobs.
 *
 * The store contains an id as its mark, and the database names the same id.
 */
import { StartError } from '#start-error';
import type { Database, Db } from '../database/database.ts';
import { findFact, putFactOnce } from '../database/deployment.ts';
import type { MarkedBlobs } from './blobs.ts';

/** The id of the store, in the database. */
export const BLOB_STORE = 'blob-store';

export interface BlobPlace {
  readonly blobs: MarkedBlobs;
  /** Where the store is, for messages. */
  readonly place: string;
  /** What the operator can set to use another store. */
  readonly otherPlace: string;
  /** How blobs get there, as a sentence for people. */
  readonly howToMove: string;
}

/**
 * @param named names of some blobs in the database. The store has at least one of them unless it is the wrong store.
 * @throws StartError when the store belongs to another database, or has none of the named blobs.
 */
export async function claimBlobs(
  database: Database,
  { blobs, place, otherPlace, howToMove }: BlobPlace,
  named: (db: Db) => Promise<readonly string[]>,
  newId: () => string,
): Promise<void> {
  const known = await findFact(database.read, BLOB_STORE);
  const mark = await blobs.readMark();
  if (mark !== null && mark === known) return;
  if (mark !== null)
    throw new StartError(
      known === null
        ? `${place} holds the report bodies of another database. Use that database, or ${otherPlace}.`
        : `${place} does not hold the report bodies of this database, but those of another database or an older copy. Use the store that holds the right ones, or ${otherPlace}.`,
    );
  if (!(await holdsSome(blobs, await named(database.read))))
    throw new StartError(`${place} does not hold the report bodies of this database. ${howToMove}`);
  await putFactOnce(database.read, BLOB_STORE, newId());
  const id = (await findFact(database.read, BLOB_STORE)) ?? '';
  if ((await blobs.writeMark(id)) !== id)
    throw new StartError(
      `${place} was claimed by another database at the same time. Start the service again.`,
    );
}

/** True when nothing is named. */
async function holdsSome(blobs: MarkedBlobs, names: readonly string[]): Promise<boolean> {
  for (const name of names) if ((await blobs.get(name)) !== null) return true;
  return names.length === 0;
}
