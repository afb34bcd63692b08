/** Subscriptions, and the events that were received. */
import type { Db, Tx } from '#platform/database/database';
import type { SubscriptionsTable } from '#platform/database/schema';

export type SubscriptionRow = SubscriptionsTable;

/** False when the event was received before. */
export async function rememberEvent(tx: Tx, id: string, receivedAt: number): Promise<boolean> {
  const inserted = await tx
    .insertInto('billingEvents')
    .values({ id, receivedAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function forgetEventsBefore(db: Db, time: number): Promise<void> {
  await db.deleteFrom('billingEvents').where('receivedAt', '<', time).execute();
}

export async function findSubscription(tx: Tx, id: string): Promise<SubscriptionRow | null> {
  const row = await tx.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

export async function listSubscriptions(db: Db, workspaceId: string): Promise<SubscriptionRow[]> {
  return db.selectFrom('subscriptions').selectAll().where('workspaceId', '=', workspaceId).execute();
}

export async function putSubscription(tx: Tx, { id, ...state }: SubscriptionRow): Promise<void> {
  await tx
    .insertInto('subscriptions')
    .values({ id, ...state })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(state))
    .execute();
}

/** Locks the workspaces that exist, in the order of their ids, and returns these ids. */
export async function lockWorkspaces(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('workspaces')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}
