/** Checks whether a database is writable by writing: with a full disk or as a standby it still answers every read. */
import type { Db } from './database.ts';
import { putFact } from './deployment.ts';

/** The name of the fact that the probe writes. */
export const PROBE = 'checked';

export async function probeWrites(db: Db): Promise<void> {
  await putFact(db, PROBE, '');
}
