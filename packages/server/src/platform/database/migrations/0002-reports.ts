/** Reports without their bodies, uploads, progress events and their limits, and blobs pending deletion. */
import { sql, type Kysely } from 'kysely';
import type { DialectName } from '../dialect-name.ts';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function reports(db: Kysely<any>, dialect: DialectName): Promise<void> {
  const bytes = dialect === 'postgres' ? 'bytea' : 'blob';

  // No foreign keys to owners, workspaces and projects, because tombstones outlive them.
  await db.schema
    .createTable('reports')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('ownerId', 'text', (column) => column.notNull())
    .addColumn('createdBy', 'text', (column) => column.notNull())
    .addColumn('localReportId', 'text', (column) => column.notNull())
    .addColumn('workspaceId', 'text', (column) => column.notNull())
    .addColumn('projectId', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('projectName', 'text')
    .addColumn('effortRequested', 'text', (column) => column.notNull())
    .addColumn('effortResolved', 'text', (column) => column.notNull())
    .addColumn('agent', 'text')
    .addColumn('host', 'text')
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .addColumn('finalizedAt', 'bigint')
    .addColumn('expiresAt', 'bigint', (column) => column.notNull())
    .addColumn('expiredAt', 'bigint')
    .addColumn('reservationId', 'text')
    .addColumn('wrappedKey', sql.raw(bytes))
    .addColumn('uploadId', 'text')
    .addColumn('lastEventNumber', 'integer', (column) => column.notNull())
    .addUniqueConstraint('reportsByLocalId', ['createdBy', 'localReportId'])
    .execute();
  await db.schema
    .createIndex('reportsByWorkspace')
    .on('reports')
    .columns(['workspaceId', 'createdAt'])
    .execute();
  await db.schema.createIndex('reportsByProject').on('reports').columns(['projectId', 'createdAt']).execute();
  await db.schema
    .createIndex('reportsOfProjectByFinalized')
    .on('reports')
    .columns(['projectId', 'state', 'finalizedAt'])
    .execute();
  await db.schema.createIndex('reportsByOwner').on('reports').columns(['ownerId', 'createdAt']).execute();
  await db.schema
    .createIndex('reportsToExpire')
    .on('reports')
    .column('expiresAt')
    .where(sql.ref('state'), '<>', 'expired')
    .execute();
  await db.schema
    .createIndex('tombstonesWithEvents')
    .on('reports')
    .column('id')
    .where(sql.ref('state'), '=', 'expired')
    .where(sql.ref('lastEventNumber'), '>', 0)
    .execute();

  await db.schema
    .createTable('uploads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('reportId', 'text', (column) => column.notNull().references('reports.id').onDelete('cascade'))
    .addColumn('sha256', sql.raw(bytes), (column) => column.notNull())
    .addColumn('sizeBytes', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .addColumn('expiresAt', 'bigint', (column) => column.notNull())
    .addColumn('receivedAt', 'bigint')
    .addColumn('blobName', 'text')
    .addColumn('replacedAt', 'bigint')
    .addColumn('openFindings', 'text')
    .execute();
  await db.schema.createIndex('uploadsByReport').on('uploads').column('reportId').execute();
  await db.schema.createIndex('uploadsByBlob').on('uploads').column('blobName').execute();
  await db.schema.createIndex('uploadsByExpiry').on('uploads').column('expiresAt').execute();

  await db.schema
    .createTable('progressEvents')
    .addColumn('reportId', 'text', (column) => column.notNull().references('reports.id').onDelete('cascade'))
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('eventId', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('occurredAt', 'bigint', (column) => column.notNull())
    .addColumn('phase', 'text')
    .addColumn('safeCode', 'text')
    .addPrimaryKeyConstraint('progressEventsByNumber', ['reportId', 'number'])
    .addUniqueConstraint('progressEventsById', ['reportId', 'eventId'])
    .execute();

  await db.schema
    .createTable('slidingWindows')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('takes', 'text', (column) => column.notNull())
    .addColumn('endsAt', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('slidingWindowsByEnd').on('slidingWindows').column('endsAt').execute();

  await db.schema
    .createTable('pendingDeletions')
    .addColumn('blobName', 'text', (column) => column.primaryKey())
    .addColumn('pendingSince', 'bigint', (column) => column.notNull())
    .execute();
}
