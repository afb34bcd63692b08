/** The rows of the audit log, which are only added and read. Their counts are in `counts-store.ts`. */
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import type { AuditLogTable } from '#platform/database/schema';

type AuditRow = AuditLogTable;

/** The batch sizes of an insert, the largest first. A few prepared statements cover any number of rows. */
const ROWS_AT_ONCE = [32, 8, 1];

/** The newest row's sequence and hash; null in an empty log. */
export async function findHead(
  db: Db,
): Promise<{ readonly sequence: number; readonly hash: Uint8Array } | null> {
  const [head] = await newest(db, {});
  return head ?? null;
}

const newest = compiledOnce((db) =>
  db.selectFrom('auditLog').select(['sequence', 'hash']).orderBy('sequence', 'desc').limit(sql.lit(1)),
);

export async function insertRows(tx: Tx, rows: readonly AuditRow[]): Promise<void> {
  let written = 0;
  for (const { size, insert } of inserts)
    for (; written + size <= rows.length; written += size)
      await insert(tx, Object.fromEntries(rows.slice(written, written + size).flatMap(namedColumns)));
}

const COLUMNS = [
  'sequence',
  'id',
  'at',
  'action',
  'actorId',
  'workspaceId',
  'reportId',
  'subjectId',
  'detail',
  'previousHash',
  'hash',
] as const;

/** Compiled once, because building such a statement takes ten times as long as running it. */
const inserts = ROWS_AT_ONCE.map((size) => ({
  size,
  insert: compiledOnce((db, values: Record<string, unknown>) =>
    db.insertInto('auditLog').values(Array.from({ length: size }, (_, at) => rowFrom(values, at))),
  ),
}));

const namedColumns = (row: AuditRow, at: number) =>
  COLUMNS.map((column) => [`${column}${at}`, row[column]] as const);

function rowFrom(values: Readonly<Record<string, unknown>>, at: number): AuditRow {
  return Object.fromEntries(
    COLUMNS.map((column) => [column, values[`${column}${at}`]]),
  ) as unknown as AuditRow;
}

/**
 * Rows after a sequence number, in order. Someone who bypassed the triggers may have stored values that the driver cannot
 * read or, on SQLite, of the wrong type. Such a time is returned as -1 and such a hash as one byte.
 */
export async function listAfter(db: Db, sequence: number, most: number): Promise<AuditRow[]> {
  return db
    .selectFrom('auditLog')
    .select(['sequence', 'id', 'action', 'actorId', 'workspaceId', 'reportId', 'subjectId', 'detail'])
    .select([readableTime, readableBytes('previousHash'), readableBytes('hash')])
    .where('sequence', '>', sequence)
    .where('sequence', '<=', Number.MAX_SAFE_INTEGER)
    .orderBy('sequence')
    .limit(most)
    .execute();
}

const readableTime =
  sql<number>`case when ${sql.ref('at')} between 0 and ${sql.lit(Number.MAX_SAFE_INTEGER)} then ${sql.ref('at')} else -1 end`.as(
    'at',
  );

/** SQLite sorts any blob after any text, and any text after any number. */
function readableBytes<Column extends 'previousHash' | 'hash'>(column: Column) {
  const none = new Uint8Array(1);
  return sql<Uint8Array>`case when ${sql.ref(column)} > ${none} then ${sql.ref(column)} else ${none} end`.as(
    column,
  );
}

/** The lowest and the highest sequence number, which may exceed a safe integer; null in an empty log. */
export async function findEnds(
  db: Db,
): Promise<{ readonly lowest: bigint; readonly highest: bigint } | null> {
  const endOf = async (direction: 'asc' | 'desc') => {
    const end = await db
      .selectFrom('auditLog')
      .select(sql<string>`cast(sequence as text)`.as('place'))
      .orderBy('sequence', direction)
      .limit(1)
      .executeTakeFirst();
    return end && BigInt(end.place);
  };
  const [lowest, highest] = [await endOf('asc'), await endOf('desc')];
  return lowest === undefined || highest === undefined ? null : { lowest, highest };
}

export interface ListFilter {
  /** Null for the whole service. */
  readonly workspaceId: string | null;
  /** A sequence number; null for the end of the log. */
  readonly before: number | null;
  readonly most: number;
}

export type ListedRow = Omit<AuditRow, 'previousHash' | 'hash'> & { readonly count: number };

/** The entries, newest first. */
export async function listBefore(db: Db, { workspaceId, before, most }: ListFilter): Promise<ListedRow[]> {
  let query = db
    .selectFrom('auditLog')
    .leftJoin('auditCounts', 'auditCounts.sequence', 'auditLog.sequence')
    .select(['auditLog.sequence', 'id', 'at', 'action', 'actorId', 'workspaceId', 'reportId', 'subjectId'])
    .select('detail')
    .select(countOfEntry);
  if (workspaceId !== null) query = query.where('workspaceId', '=', workspaceId);
  if (before !== null) query = query.where('auditLog.sequence', '<', before);
  return query.orderBy('auditLog.sequence', 'desc').limit(most).execute();
}

/** An entry that cannot be repeated has no count row. */
const countOfEntry = sql<number>`coalesce(${sql.ref('auditCounts.count')}, 1)`.as('count');

/** The sequence of an entry; null when it does not exist or is not of the given workspace. */
export async function placeOf(db: Db, id: string, workspaceId: string | null): Promise<number | null> {
  let query = db.selectFrom('auditLog').select('sequence').where('id', '=', id);
  if (workspaceId !== null) query = query.where('workspaceId', '=', workspaceId);
  const row = await query.executeTakeFirst();
  return row?.sequence ?? null;
}

/** The sequence of the first entry whose id does not sort before the given one; null when there is none. */
export async function placeOfFirst(db: Db, id: string): Promise<number | null> {
  const row = await db
    .selectFrom('auditLog')
    .select('sequence')
    .where('id', '>=', id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.sequence ?? null;
}

/** The display names of those accounts that still exist. */
export async function namesOf(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'displayName'])
    .where('id', 'in', userIds)
    .execute();
  return new Map(rows.map(({ id, displayName }) => [id, displayName]));
}

export async function workspacesOf(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('memberships')
    .select('workspaceId')
    .where('userId', '=', userId)
    .orderBy('workspaceId')
    .execute();
  return rows.map(({ workspaceId }) => workspaceId);
}

/** How often each action was recorded since the time in an id. */
export async function countSince(
  db: Db,
  id: string,
): Promise<readonly { readonly action: AuditRow['action']; readonly count: number }[]> {
  return db
    .selectFrom('auditLog')
    .leftJoin('auditCounts', 'auditCounts.sequence', 'auditLog.sequence')
    .select(['action', sql<number>`sum(coalesce(${sql.ref('auditCounts.count')}, 1))`.as('count')])
    .where('id', '>=', id)
    .groupBy('action')
    .execute();
}
