/**
 * Walks the audit log from its beginning and reports the first entry that differs from what was written. Only reads.
 */
import type { Db } from '#platform/database/database';
import { faultOf, isSame, origin, type Head } from './chain.ts';
import * as store from './store.ts';

const ROWS_AT_ONCE = 2000;

export type Verdict =
  | { readonly intact: true; /** Sequence 0 while the log is empty. */ readonly head: Head }
  | { readonly intact: false; readonly fault: string };

/** @param expected a head that was noted earlier, which the log must still contain. */
export async function verifyAuditLog(db: Db, expected: Head | null): Promise<Verdict> {
  const ends = await store.findEnds(db);
  if (ends && ends.lowest < 1n) return stray(ends.lowest);
  let last = origin;
  for (;;) {
    const rows = await store.listAfter(db, last.sequence, ROWS_AT_ONCE);
    for (const row of rows) {
      const fault = faultOf(last, row);
      if (fault !== null) return { intact: false, fault };
      last = { sequence: row.sequence, hash: row.hash };
      if (row.sequence === expected?.sequence && !isSame(row.hash, expected.hash)) {
        return {
          intact: false,
          fault: `entry ${row.sequence} is not the one that was noted: it or an entry before it was changed, and all hashes since were recomputed`,
        };
      }
    }
    if (rows.length < ROWS_AT_ONCE) break;
  }
  if (ends && ends.highest > Number.MAX_SAFE_INTEGER) return stray(ends.highest);
  if (expected && last.sequence < expected.sequence) {
    return {
      intact: false,
      fault: `entry ${last.sequence + 1} is missing: the log ends at ${last.sequence}, and reached ${expected.sequence} when its end was noted`,
    };
  }
  return { intact: true, head: last };
}

/** The triggers reject only changes, so a row can be inserted where the walk does not reach it. */
function stray(sequence: bigint): Verdict {
  return {
    intact: false,
    fault: `entry ${sequence} does not belong there: a log begins with entry 1 and is numbered without gaps`,
  };
}
