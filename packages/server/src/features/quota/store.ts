/** Usage counters of each window, and reserved units. */
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import type { QuotaReservationsTable } from '#platform/database/schema';
import type { WindowName } from './policy.ts';

export type ReservationRow = QuotaReservationsTable;

/** Adds one to a window's counter unless it has reached the limit; false when it has. */
export async function countOne(
  tx: Tx,
  userId: string,
  window: WindowName,
  startsAt: number,
  limit: number,
): Promise<boolean> {
  if (limit < 1) return false;
  const counted = await tx
    .insertInto('quotaUsage')
    .values({ userId, window, startsAt, used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'window', 'startsAt'])
        .doUpdateSet((eb) => ({ used: eb('quotaUsage.used', '+', 1) }))
        .where('quotaUsage.used', '<', limit),
    )
    .returning('used')
    .executeTakeFirst();
  return counted !== undefined;
}

export async function uncountOne(
  tx: Tx,
  userId: string,
  window: WindowName,
  startsAt: number,
): Promise<void> {
  await tx
    .updateTable('quotaUsage')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('userId', '=', userId)
    .where('window', '=', window)
    .where('startsAt', '=', startsAt)
    .where('used', '>', 0)
    .execute();
}

/** The usage of the windows that begin at these times. */
export async function usage(
  db: Db,
  userId: string,
  windows: Readonly<Record<WindowName, { readonly startsAt: number }>>,
): Promise<Record<WindowName, number>> {
  const rows = await usedIn(db, {
    userId,
    dayStartsAt: windows.daily.startsAt,
    weekStartsAt: windows.weekly.startsAt,
  });
  const used = { daily: 0, weekly: 0 };
  for (const row of rows) used[row.window] = row.used;
  return used;
}

const usedIn = compiledOnce((db, given: Pick<ReservationRow, 'userId' | 'dayStartsAt' | 'weekStartsAt'>) =>
  db
    .selectFrom('quotaUsage')
    .select(['window', 'used'])
    .where('userId', '=', given.userId)
    .where((eb) =>
      eb.or([
        eb('window', '=', 'daily').and('startsAt', '=', given.dayStartsAt),
        eb('window', '=', 'weekly').and('startsAt', '=', given.weekStartsAt),
      ]),
    ),
);

export async function insertReservation(tx: Tx, reservation: ReservationRow): Promise<void> {
  await tx.insertInto('quotaReservations').values(reservation).execute();
}

/** Deletes an open reservation; null when there is none (any more). */
export async function takeReservation(tx: Tx, reservationId: string): Promise<ReservationRow | null> {
  const row = await tx
    .deleteFrom('quotaReservations')
    .where('id', '=', reservationId)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function hasLapsed(db: Db, userId: string, now: number): Promise<boolean> {
  return (await oneLapsed(db, { userId, now })).length > 0;
}

const oneLapsed = compiledOnce((db, { userId, now }: { userId: string; now: number }) =>
  db
    .selectFrom('quotaReservations')
    .select('id')
    .where('userId', '=', userId)
    .where('lapsesAt', '<=', now)
    .limit(sql.lit(1)),
);

export async function takeLapsed(tx: Tx, userId: string, now: number): Promise<ReservationRow[]> {
  return tx
    .deleteFrom('quotaReservations')
    .where('userId', '=', userId)
    .where('lapsesAt', '<=', now)
    .returningAll()
    .execute();
}

/**
 * The users of the first `most` reservations that have lapsed. A query for distinct users would walk through all open
 * reservations.
 */
export async function usersWithLapsed(db: Db, now: number, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('quotaReservations')
    .select('userId')
    .where('lapsesAt', '<=', now)
    .orderBy('lapsesAt')
    .limit(most)
    .execute();
  return [...new Set(rows.map(({ userId }) => userId))];
}

export async function deleteUsageBefore(db: Db, startsBefore: number): Promise<void> {
  await db.deleteFrom('quotaUsage').where('startsAt', '<', startsBefore).execute();
}
