/** Daily counts, and digests of the events that were counted. */
import type { Db, Tx } from '#platform/database/database';
import type { AnalyticsCountsTable, AnalyticsSeenTable } from '#platform/database/schema';

/** Stores the digests that are new, and resolves to them. The input is sorted, so that two callers never deadlock. */
export async function insertSeen(tx: Tx, seen: readonly AnalyticsSeenTable[]): Promise<Uint8Array[]> {
  const inserted = await tx
    .insertInto('analyticsSeen')
    .values(seen)
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest')
    .execute();
  return inserted.map(({ digest }) => digest);
}

/** The input is sorted, so that two callers never deadlock. */
export async function addCounts(tx: Tx, counts: readonly AnalyticsCountsTable[]): Promise<void> {
  await tx
    .insertInto('analyticsCounts')
    .values(counts)
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'name', 'surface', 'format', 'clientVersion'])
        .doUpdateSet((eb) => ({ count: eb('analyticsCounts.count', '+', eb.ref('excluded.count')) })),
    )
    .execute();
}

/** The releases that are counted by name on that day. */
export async function listVersions(db: Db, day: string): Promise<string[]> {
  const rows = await db
    .selectFrom('analyticsCounts')
    .select('clientVersion')
    .distinct()
    .where('day', '=', day)
    .where('clientVersion', '<>', '')
    .execute();
  return rows.map(({ clientVersion }) => clientVersion);
}

/** The newest rows since a day, at most `most`, in order from the oldest. */
export async function listCounts(db: Db, since: string, most: number): Promise<AnalyticsCountsTable[]> {
  const rows = await db
    .selectFrom('analyticsCounts')
    .selectAll()
    .where('day', '>=', since)
    .orderBy('day', 'desc')
    .orderBy('name', 'desc')
    .orderBy('surface', 'desc')
    .orderBy('format', 'desc')
    .orderBy('clientVersion', 'desc')
    .limit(most)
    .execute();
  return rows.toReversed();
}

export async function deleteCountsBefore(db: Db, day: string): Promise<void> {
  await db.deleteFrom('analyticsCounts').where('day', '<', day).execute();
}

/** Deletes at most `most` rows. Returns whether more may be left. */
export async function deleteSeenBefore(db: Db, day: string, most: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('analyticsSeen')
    .where('digest', 'in', (eb) =>
      eb.selectFrom('analyticsSeen').select('digest').where('day', '<', day).limit(most),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows) === most;
}
