/** The client and the last confirmation of sessions, devices that expire, and revoked invitations. */
import type { Kysely } from 'kysely';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function sessions(db: Kysely<any>): Promise<void> {
  for (const column of ['system', 'browser', 'network'])
    await db.schema.alterTable('sessions').addColumn(column, 'text').execute();
  await db.schema.alterTable('sessions').addColumn('confirmedAt', 'bigint').execute();
  await db.schema.createIndex('sessionsByLastSeen').on('sessions').column('lastSeenAt').execute();

  await db.schema.alterTable('deviceLinks').addColumn('lifetimeMinutes', 'integer').execute();
  await db.schema.alterTable('devices').addColumn('expiresAt', 'bigint').execute();
  await db.schema.createIndex('devicesByExpiry').on('devices').column('expiresAt').execute();

  await db.schema.alterTable('invitations').addColumn('revokedAt', 'bigint').execute();
}
