/**
 * Copies a PostgreSQL database into an empty SQLite database, while services use it: the state of one moment, because
 * all of it is read in one transaction with one snapshot.
 */
import type { Database, ReadingDatabase } from './database.ts';
import { readTableShapes, requireSameShapes } from './table-shapes.ts';
import { copyRows, type TransferProgress } from './transfer.ts';
import { copyFacts } from './transfer-marks.ts';

export async function copyPostgres(
  from: ReadingDatabase,
  to: Database,
  progress: TransferProgress,
): Promise<void> {
  const shapes = await readTableShapes(to.read);
  await from.read
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      await requireSameShapes(shapes, snapshot);
      await copyRows(shapes, { from: snapshot, to }, null, () => Promise.resolve(), progress);
      await to.transaction((tx) => copyFacts(snapshot, tx));
    });
}
