/**
 * The cloud-report quota: counted per user over all workspaces, limited by the plan of the current workspace.
 *
 * A unit is reserved in the current day and week, and stays counted there when it is spent. Each window has one counter
 * row, so reserving is one conditional update. Parallel reservations therefore never exceed the limit, and a query
 * costs the same however long the history. A reservation that is neither spent nor released lapses, and its unit is
 * returned.
 */
import { limits, type ErrorCode, type Plan, type Quota } from '@svc/contract';
import { AppError } from '#app-error';
import { DAY_MS, type Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Ids } from '#platform/ids';
import type { Job } from '#platform/sweeper';
import { requireMembership } from '#features/workspaces';
import type { PlanTable } from './plans.ts';
import { quotaOf, windowsAt, type WindowName } from './policy.ts';
import * as store from './store.ts';

const SWEPT_AT_ONCE_MAX = 100;
/**
 * Much longer than the longest window. When a clock that was far ahead steps back, the row of the current window must
 * still exist, or its units would be granted twice.
 */
const USAGE_KEPT_MS = 400 * DAY_MS;

const limitReached: Record<WindowName, ErrorCode> = {
  daily: 'SYNC_DAILY_LIMIT_REACHED',
  weekly: 'SYNC_WEEKLY_LIMIT_REACHED',
};

export interface QuotaPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly plans: PlanTable;
}

export interface QuotaService {
  /**
   * The quota under the plan of a workspace of the user, or under the free plan.
   * @throws AppError NOT_FOUND for a foreign workspace.
   */
  get(userId: string, workspaceId: string | null): Promise<Quota>;
  /** The quota under a known plan. */
  describe(userId: string, plan: Plan): Promise<Quota>;
  /** A new id for `reserve`, and later for `spend` or `release`. */
  newReservationId(): string;
  /**
   * Reserves one unit.
   * @returns the quota that is left.
   * @throws AppError SYNC_DAILY_LIMIT_REACHED or SYNC_WEEKLY_LIMIT_REACHED, with the window in its details; the caller
   * must roll back.
   */
  reserve(
    tx: Tx,
    reservation: { readonly id: string; readonly userId: string; readonly plan: Plan },
  ): Promise<Quota>;
  /** Spends a reserved unit. False when the reservation has lapsed or was settled before: reserve again. */
  spend(tx: Tx, reservationId: string): Promise<boolean>;
  /** Releases a reserved unit. Does nothing when it was spent or was already returned. */
  release(tx: Tx, reservationId: string): Promise<void>;
  readonly job: Job;
}

export function createQuotaService({ database, clock, ids, plans }: QuotaPorts): QuotaService {
  const db = database.read;

  async function describe(userId: string, plan: Plan): Promise<Quota> {
    const now = clock.now();
    if (await store.hasLapsed(db, userId, now))
      await database.transaction((tx) => settleLapsed(tx, userId, now));
    const used = await store.usage(db, userId, windowsAt(now));
    return quotaOf(plan, plans[plan], used, now);
  }

  async function settleLapsed(tx: Tx, userId: string, now: number): Promise<void> {
    for (const reservation of await store.takeLapsed(tx, userId, now)) await uncount(tx, reservation);
  }

  return {
    async get(userId, workspaceId) {
      const plan = workspaceId === null ? 'free' : (await requireMembership(db, userId, workspaceId)).plan;
      return describe(userId, plan);
    },

    describe,

    newReservationId: () => ids.timed('res'),

    async reserve(tx, { id, userId, plan }) {
      const now = clock.now();
      await settleLapsed(tx, userId, now);
      const windows = windowsAt(now);
      const counted = await store.countOne(tx, userId, windows, plans[plan]);
      const { daily, weekly } = counted;
      if (daily === undefined || weekly === undefined) {
        const name = daily === undefined ? 'daily' : 'weekly';
        const limit = plans[plan][name];
        const { [name]: used } = await store.usage(tx, userId, windows);
        const resetsAt = new Date(windows[name].endsAt).toISOString();
        throw new AppError(limitReached[name], {
          details: { [name]: { used, limit, resetsAt } },
          retryAfterMs: windows[name].endsAt - now,
        });
      }
      await store.insertReservation(tx, {
        id,
        userId,
        dayStartsAt: windows.daily.startsAt,
        weekStartsAt: windows.weekly.startsAt,
        lapsesAt: now + limits.reservationLifetimeMs,
      });
      return quotaOf(plan, plans[plan], { daily, weekly }, now);
    },

    async spend(tx, reservationId) {
      const reservation = await store.takeReservation(tx, reservationId);
      if (!reservation) return false;
      if (reservation.lapsesAt > clock.now()) return true;
      await uncount(tx, reservation);
      return false;
    },

    async release(tx, reservationId) {
      const reservation = await store.takeReservation(tx, reservationId);
      if (reservation) await uncount(tx, reservation);
    },

    job: {
      name: 'lapsed quota reservations',
      everyMs: 60_000,
      async run() {
        const now = clock.now();
        for (const userId of await store.usersWithLapsed(db, now, SWEPT_AT_ONCE_MAX)) {
          await database.transaction((tx) => settleLapsed(tx, userId, now));
        }
        await store.deleteUsageBefore(db, now - USAGE_KEPT_MS);
      },
    },
  };
}

async function uncount(tx: Tx, reservation: store.ReservationRow): Promise<void> {
  await store.uncountOne(tx, reservation.userId, 'daily', reservation.dayStartsAt);
  await store.uncountOne(tx, reservation.userId, 'weekly', reservation.weekStartsAt);
}
