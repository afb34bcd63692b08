/** Accounts, devices, workspaces, projects, quota and throttles. */
import { sql, type Kysely } from 'kysely';
import type { DialectName } from '../dialect-name.ts';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function foundation(db: Kysely<any>, dialect: DialectName): Promise<void> {
  const bytes = dialect === 'postgres' ? 'bytea' : 'blob';

  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('displayName', 'text', (column) => column.notNull())
    .addColumn('passwordHash', 'text', (column) => column.notNull())
    .addColumn('recoveryCodeHash', 'text', (column) => column.notNull())
    .addColumn('adminFlag', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('userId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('tokenHash', sql.raw(bytes), (column) => column.notNull().unique())
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .addColumn('lastSeenAt', 'bigint', (column) => column.notNull())
    .addColumn('expiresAt', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sessionsByUser').on('sessions').column('userId').execute();
  await db.schema.createIndex('sessionsByExpiry').on('sessions').column('expiresAt').execute();

  await db.schema
    .createTable('devices')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('userId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('tokenHash', sql.raw(bytes), (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('clientVersion', 'text', (column) => column.notNull())
    .addColumn('osFamily', 'text', (column) => column.notNull())
    .addColumn('arch', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .addColumn('lastSeenAt', 'bigint', (column) => column.notNull())
    .addColumn('revokedAt', 'bigint')
    .execute();
  await db.schema.createIndex('devicesByUser').on('devices').column('userId').execute();

  await db.schema
    .createTable('deviceLinks')
    .addColumn('requestIdHash', sql.raw(bytes), (column) => column.primaryKey())
    .addColumn('verifierHash', sql.raw(bytes), (column) => column.notNull())
    .addColumn('deviceName', 'text', (column) => column.notNull())
    .addColumn('clientVersion', 'text', (column) => column.notNull())
    .addColumn('osFamily', 'text', (column) => column.notNull())
    .addColumn('arch', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .addColumn('expiresAt', 'bigint', (column) => column.notNull())
    .addColumn('approvedBy', 'text', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('deniedAt', 'bigint')
    .addColumn('consumedAt', 'bigint')
    .addColumn('wrongVerifiers', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('deviceLinksByExpiry').on('deviceLinks').column('expiresAt').execute();
  await db.schema.createIndex('deviceLinksByApprover').on('deviceLinks').column('approvedBy').execute();

  await db.schema
    .createTable('workspaces')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('memberships')
    .addColumn('workspaceId', 'text', (column) =>
      column.notNull().references('workspaces.id').onDelete('cascade'),
    )
    .addColumn('userId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('joinedAt', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('membershipsKey', ['workspaceId', 'userId'])
    .execute();
  await db.schema.createIndex('membershipsByUser').on('memberships').column('userId').execute();

  await db.schema
    .createTable('invitations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspaceId', 'text', (column) =>
      column.notNull().references('workspaces.id').onDelete('cascade'),
    )
    .addColumn('tokenHash', sql.raw(bytes), (column) => column.notNull().unique())
    .addColumn('invitedBy', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .addColumn('expiresAt', 'bigint', (column) => column.notNull())
    .addColumn('acceptedBy', 'text', (column) => column.references('users.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('invitationsByWorkspace').on('invitations').column('workspaceId').execute();
  await db.schema.createIndex('invitationsByInviter').on('invitations').column('invitedBy').execute();
  await db.schema.createIndex('invitationsByAccepter').on('invitations').column('acceptedBy').execute();
  await db.schema.createIndex('invitationsByExpiry').on('invitations').column('expiresAt').execute();

  await db.schema
    .createTable('projects')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspaceId', 'text', (column) =>
      column.notNull().references('workspaces.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('bindingPublicId', 'text', (column) => column.notNull().unique())
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .addColumn('lastReportAt', 'bigint')
    .addColumn('openFindings', 'text')
    .execute();
  await db.schema.createIndex('projectsByWorkspace').on('projects').column('workspaceId').execute();

  await db.schema
    .createTable('quotaUsage')
    .addColumn('userId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('window', 'text', (column) => column.notNull())
    .addColumn('startsAt', 'bigint', (column) => column.notNull())
    .addColumn('used', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('quotaUsageKey', ['userId', 'window', 'startsAt'])
    .execute();
  await db.schema.createIndex('quotaUsageByStart').on('quotaUsage').column('startsAt').execute();

  await db.schema
    .createTable('quotaReservations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('userId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('dayStartsAt', 'bigint', (column) => column.notNull())
    .addColumn('weekStartsAt', 'bigint', (column) => column.notNull())
    .addColumn('lapsesAt', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('quotaReservationsByUser')
    .on('quotaReservations')
    .columns(['userId', 'lapsesAt'])
    .execute();
  await db.schema
    .createIndex('quotaReservationsByLapse')
    .on('quotaReservations')
    .column('lapsesAt')
    .execute();

  await db.schema
    .createTable('throttleCounters')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('used', 'integer', (column) => column.notNull())
    .addColumn('windowEndsAt', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('throttleCountersByEnd')
    .on('throttleCounters')
    .column('windowEndsAt')
    .execute();

  await db.schema
    .createTable('deployment')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}
