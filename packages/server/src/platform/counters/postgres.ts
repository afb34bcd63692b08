/**
 * Counters in PostgreSQL: one row a key, taken by one conditional upsert, so that replicas share every budget.
 * Times are the service's own, so that a window means the same here as everywhere else.
 */
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Counters } from './counters.ts';
import { takeSliding, type WeightedTakes } from './sliding-window.ts';

export function createPostgresCounters(database: Database, clock: Clock): Counters {
  const db = database.read;

  /** Only ever to an earlier end, whoever else does the same. */
  async function cut(key: string, windowEndsAt: number): Promise<void> {
    await db
      .updateTable('throttleCounters')
      .set({ windowEndsAt })
      .where('key', '=', key)
      .where('windowEndsAt', '>', windowEndsAt)
      .execute();
  }

  return {
    async take(key, { limit, windowMs }) {
      const now = clock.now();
      const taken = await db
        .insertInto('throttleCounters')
        .values({ key, used: 1, windowEndsAt: now + windowMs })
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
                eb('throttleCounters.used', '<', limit),
              ]),
            ),
        )
        .returning('windowEndsAt')
        .executeTakeFirst();
      if (taken) return { ok: true, take: { key, windowEndsAt: taken.windowEndsAt } };
      const window = await db
        .selectFrom('throttleCounters')
        .select('windowEndsAt')
        .where('key', '=', key)
        .executeTakeFirst();
      const endsAt = Math.min(window?.windowEndsAt ?? now, now + windowMs);
      if (window && window.windowEndsAt > endsAt) await cut(key, endsAt);
      return { ok: false, retryAfterMs: Math.max(endsAt - now, 1) };
    },
    async giveBack({ key, windowEndsAt }) {
      await db
        .updateTable('throttleCounters')
        .set((eb) => ({ used: eb('used', '-', 1) }))
        .where('key', '=', key)
        .where('windowEndsAt', '=', windowEndsAt)
        .where('used', '>', 0)
        .execute();
    },
    takeSliding: (key, weight, budget) =>
      database.transaction(async (tx) => {
        // Makes the row or locks it, and sees what the one before left in it.
        const { takes: stored } = await tx
          .insertInto('slidingWindows')
          .values({ key, takes: '[]', endsAt: 0 })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
          .returning('takes')
          .executeTakeFirstOrThrow();
        const takes = JSON.parse(stored) as WeightedTakes;
        const retryAfterMs = takeSliding(takes, weight, budget, clock.now());
        const left = JSON.stringify(takes);
        if (left !== stored) {
          await tx
            .updateTable('slidingWindows')
            .set({ takes: left, endsAt: (takes.at(-1)?.[0] ?? 0) + budget.windowMs })
            .where('key', '=', key)
            .execute();
        }
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
