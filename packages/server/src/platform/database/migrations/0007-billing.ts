/** Subscriptions from the payment provider's events, and which events were received. */
import type { Kysely } from 'kysely';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function billing(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('subscriptions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspaceId', 'text', (column) =>
      column.notNull().references('workspaces.id').onDelete('cascade'),
    )
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('plan', 'text')
    .addColumn('currentPeriodEnd', 'bigint')
    .addColumn('cancelAtPeriodEnd', 'integer', (column) => column.notNull())
    .addColumn('eventAt', 'bigint', (column) => column.notNull())
    .addColumn('eventRank', 'integer', (column) => column.notNull())
    .addColumn('eventId', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('subscriptionsByWorkspace').on('subscriptions').column('workspaceId').execute();

  await db.schema
    .createTable('billingEvents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('receivedAt', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('billingEventsByTime').on('billingEvents').column('receivedAt').execute();
}
