/** Usage counters of each window, and reserved units. */
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import type { QuotaReservationsTable } from '#platform/database/schema';
import type { WindowName } from './policy.ts';

export type ReservationRow = QuotaReservationsTable;

type Windows<Value> = Readonly<Record<WindowName, Value>>;

/**
 * Adds one to the counter of each window unless it has reached its limit. Returns the new counts of the windows that
 * were raised: when one is missing, the caller must roll back.
 */
export async function countOne(
  tx: Tx,
  userId: string,
  windows: Windows<{ readonly startsAt: number }>,
  limits: Windows<number>,
): Promise<Partial<Windows<number>>> {
  if (limits.daily < 1) return {};
  const { daily, weekly } = windows;
  const rows = await counted(tx, {
    userId,
    dayStartsAt: daily.startsAt,
    weekStartsAt: weekly.startsAt,
    dailyMax: limits.daily,
    weeklyMax: limits.weekly,
  });
  return Object.fromEntries(
    rows.filter(({ window }) => limits[window] > 0).map(({ window, used }) => [window, used]),
  );
}

interface Counting {
  readonly userId: string;
  readonly dayStartsAt: number;
  readonly weekStartsAt: number;
  readonly dailyMax: number;
  readonly weeklyMax: number;
}

/** Always counts the day first, so that two reservations of the same user never deadlock. */
const counted = compiledOnce((db, given: Counting) =>
  db
    .insertInto('quotaUsage')
    .values([
      { userId: given.userId, window: 'daily', startsAt: given.dayStartsAt, used: 1 },
      { userId: given.userId, window: 'weekly', startsAt: given.weekStartsAt, used: 1 },
    ])
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'window', 'startsAt'])
        .doUpdateSet((eb) => ({ used: eb('quotaUsage.used', '+', 1) }))
        .where((eb) =>
          eb.or([
            eb('quotaUsage.window', '=', 'daily').and('quotaUsage.used', '<', given.dailyMax),
            eb('quotaUsage.window', '=', 'weekly').and('quotaUsage.used', '<', given.weeklyMax),
          ]),
        ),
    )
    .returning(['window', 'used']),
);

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
  await insertedReservation(tx, { reservation });
}

const insertedReservation = compiledOnce((db, { reservation }: { reservation: ReservationRow }) =>
  db.insertInto('quotaReservations').values(reservation),
);

/** Deletes an open reservation; null when it is no longer open. */
export async function takeReservation(tx: Tx, reservationId: string): Promise<ReservationRow | null> {
  const [row] = await takenReservation(tx, { reservationId });
  return row ?? null;
}

const takenReservation = compiledOnce((db, { reservationId }: { reservationId: string }) =>
  db.deleteFrom('quotaReservations').where('id', '=', reservationId).returningAll(),
);

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
  return takenLapsed(tx, { userId, now });
}

const takenLapsed = compiledOnce((db, { userId, now }: { userId: string; now: number }) =>
  db.deleteFrom('quotaReservations').where('userId', '=', userId).where('lapsesAt', '<=', now).returningAll(),
);

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
