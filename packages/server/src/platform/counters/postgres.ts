/**
 * Counters in PostgreSQL: one row for each key, so that replicas share every limit. One conditional upsert takes from a
 * fixed window, and a transaction that locks the row takes from a sliding one. Times are the service's own, so that
 * windows are the same for every store.
 */
import type { Clock } from '../clock.ts';
import { compiledOnce } from '../database/compiled-once.ts';
import type { Database } from '../database/database.ts';
import type { SlidingWindowsTable } from '../database/schema.ts';
import type { Budget, Counters, Rejection } from './counters.ts';
import { takeSliding, type WeightedTakes } from './sliding-window.ts';

/** The end of an empty window: the next take begins another. */
const OVER = 0;

export function createPostgresCounters(database: Database, clock: Clock): Counters {
  const db = database.read;

  function find(key: string) {
    return db
      .selectFrom('throttleCounters')
      .select(['used', 'confirmed', 'windowEndsAt'])
      .where('key', '=', key)
      .executeTakeFirst();
  }

  /** Only moves the end earlier, even if several callers do this. */
  async function cut(key: string, windowEndsAt: number): Promise<void> {
    await db
      .updateTable('throttleCounters')
      .set({ windowEndsAt })
      .where('key', '=', key)
      .where('windowEndsAt', '>', windowEndsAt)
      .execute();
  }

  async function reject(
    key: string,
    window: { confirmed: number; windowEndsAt: number } | undefined,
    { limit, windowMs }: Budget,
  ): Promise<Rejection> {
    const now = clock.now();
    const endsAt = Math.min(window?.windowEndsAt ?? now, now + windowMs);
    if (window && window.windowEndsAt > endsAt) await cut(key, endsAt);
    const undecided = !window || window.confirmed < limit;
    return { ok: false, retryAfterMs: Math.max(endsAt - now, 1), undecided };
  }

  return {
    async take(key, budget) {
      const now = clock.now();
      const taken = await db
        .insertInto('throttleCounters')
        .values({ key, used: 1, confirmed: 0, windowEndsAt: now + budget.windowMs })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet((eb) => {
              const over = eb('throttleCounters.windowEndsAt', '<=', now);
              return {
                used: eb
                  .case()
                  .when(over)
                  .then(1)
                  .else(eb('throttleCounters.used', '+', 1))
                  .end(),
                confirmed: eb.case().when(over).then(0).else(eb.ref('throttleCounters.confirmed')).end(),
                windowEndsAt: eb
                  .case()
                  .when(over)
                  .then(eb.ref('excluded.windowEndsAt'))
                  .else(eb.ref('throttleCounters.windowEndsAt'))
                  .end(),
              };
            })
            .where((eb) =>
              eb.or([
                eb('throttleCounters.windowEndsAt', '<=', now),
                eb('throttleCounters.used', '<', budget.limit),
              ]),
            ),
        )
        .returning('windowEndsAt')
        .executeTakeFirst();
      if (taken) return { ok: true, take: { key, windowEndsAt: taken.windowEndsAt } };
      return reject(key, await find(key), budget);
    },
    async peek(key, budget) {
      const window = await find(key);
      if (!window || window.windowEndsAt <= clock.now() || window.used < budget.limit) return { ok: true };
      return reject(key, window, budget);
    },
    async giveBack({ key, windowEndsAt }) {
      await db
        .updateTable('throttleCounters')
        .set((eb) => ({
          used: eb('used', '-', 1),
          windowEndsAt: eb.case().when('used', '=', 1).then(OVER).else(eb.ref('windowEndsAt')).end(),
        }))
        .where('key', '=', key)
        .where('windowEndsAt', '=', windowEndsAt)
        .where('used', '>', 0)
        .execute();
    },
    async confirm({ key, windowEndsAt }) {
      await db
        .updateTable('throttleCounters')
        .set((eb) => ({ confirmed: eb('confirmed', '+', 1) }))
        .where('key', '=', key)
        .where('windowEndsAt', '=', windowEndsAt)
        .execute();
    },
    takeSliding: (key, weight, budget) =>
      database.transaction(async (tx) => {
        // Inserts or locks the row, and sees what the previous transaction left in it.
        const [{ takes: stored } = { takes: '[]' }] = await lockedWindow(tx, { key, takes: '[]', endsAt: 0 });
        const takes = JSON.parse(stored) as WeightedTakes;
        const retryAfterMs = takeSliding(takes, weight, budget, clock.now());
        const left = JSON.stringify(takes);
        if (left !== stored)
          await changedWindow(tx, {
            key,
            takes: left,
            endsAt: (takes.at(-1)?.[0] ?? 0) + budget.windowMs,
          });
        return retryAfterMs === null ? { ok: true } : { ok: false, retryAfterMs };
      }),
    async check() {
      await database.check();
    },
    async sweep() {
      const now = clock.now();
      await db.deleteFrom('throttleCounters').where('windowEndsAt', '<=', now).execute();
      await db.deleteFrom('slidingWindows').where('endsAt', '<=', now).execute();
    },
  };
}

const lockedWindow = compiledOnce((db, row: SlidingWindowsTable) =>
  db
    .insertInto('slidingWindows')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key: row.key }))
    .returning('takes'),
);

const changedWindow = compiledOnce((db, { key, takes, endsAt }: SlidingWindowsTable) =>
  db.updateTable('slidingWindows').set({ takes, endsAt }).where('key', '=', key),
);
