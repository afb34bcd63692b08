/** The findings of projects and reports, as digests, enum values and times. */
import type { FindingSnapshot } from '@svc/report';
import type { Db, Tx } from '#platform/database/database';
import type { FindingIdentitiesTable, FindingMovesTable } from '#platform/database/schema';
import type { Known } from './policy.ts';

export type MoveRow = FindingMovesTable;
export type IdentityRow = FindingIdentitiesTable;

/** Large enough that few statements are needed, small enough that no other transaction waits long. */
const ROWS_AT_ONCE_MAX = 256;
const READ_AT_ONCE_MAX = 512;

/** Locks the project, so that the later of two reports sees what the earlier one wrote. False when it was deleted. */
export async function lockProject(tx: Tx, projectId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function findOpenCounts(tx: Tx, uploadId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('uploads')
    .select('openFindings')
    .where('id', '=', uploadId)
    .executeTakeFirst();
  return row?.openFindings ?? null;
}

export interface FollowedReport {
  readonly findingMarks: Uint8Array;
  readonly finalizedAt: number;
}

/** Null when no final report has this id (any more). */
export async function findFollowed(db: Db, reportId: string): Promise<FollowedReport | null> {
  const row = await db
    .selectFrom('reports')
    .innerJoin('uploads', 'uploads.id', 'reports.uploadId')
    .select(['reports.finalizedAt', 'uploads.findingMarks'])
    .where('reports.id', '=', reportId)
    .executeTakeFirst();
  if (!row || row.finalizedAt === null || row.findingMarks === null) return null;
  return { finalizedAt: row.finalizedAt, findingMarks: row.findingMarks };
}

export interface ReportPlace {
  readonly id: string;
  readonly projectId: string;
  readonly finalizedAt: number | null;
}

/** The id of the project's newest remaining report that was final before this one. */
export async function findReportBefore(
  db: Db,
  { id, projectId, finalizedAt }: ReportPlace,
  now: number,
): Promise<string | null> {
  if (finalizedAt === null) return null;
  const row = await db
    .selectFrom('reports')
    .select('id')
    .where('projectId', '=', projectId)
    .where('state', '=', 'finalized')
    .where('expiresAt', '>', now)
    .where((eb) =>
      eb.or([
        eb('finalizedAt', '<', finalizedAt),
        eb.and([eb('finalizedAt', '=', finalizedAt), eb('id', '<', id)]),
      ]),
    )
    .orderBy('finalizedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** False for a project without reports. */
export async function knowsAny(tx: Tx, projectId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('findingIdentities')
    .select('projectId')
    .where('projectId', '=', projectId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The known findings by `identityKey`. */
export async function findKnown(
  db: Db,
  projectId: string,
  identities: readonly Uint8Array[],
): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  for (let at = 0; at < identities.length; at += READ_AT_ONCE_MAX) {
    const wanted = padded(identities.slice(at, at + READ_AT_ONCE_MAX));
    const rows = await db
      .selectFrom('findingIdentities')
      .select(['identity', 'firstSeenAt', 'lastSeenAt', 'status', 'severity', 'statusAt'])
      .where('projectId', '=', projectId)
      .where('identity', 'in', wanted)
      .execute();
    for (const { identity, ...row } of rows) known.set(identityKey(identity), row);
  }
  return known;
}

/** Padded to the next power of two, so that few different statements are prepared. */
function padded(identities: Uint8Array[]): Uint8Array[] {
  const [first] = identities;
  const missing = 2 ** Math.ceil(Math.log2(identities.length)) - identities.length;
  return first ? [...identities, ...Array.from({ length: missing }, () => first)] : identities;
}

/** Inserts or replaces the rows. */
export async function saveKnown(tx: Tx, rows: readonly IdentityRow[]): Promise<void> {
  let at = 0;
  for (let size = ROWS_AT_ONCE_MAX; at < rows.length;) {
    if (rows.length - at < size) {
      // Inserts in powers of two, so that few different statements are prepared.
      size /= 2;
      continue;
    }
    await tx
      .insertInto('findingIdentities')
      .values(rows.slice(at, at + size))
      .onConflict((conflict) =>
        conflict.columns(['projectId', 'identity']).doUpdateSet((eb) => ({
          firstSeenAt: eb.ref('excluded.firstSeenAt'),
          lastSeenAt: eb.ref('excluded.lastSeenAt'),
          status: eb.ref('excluded.status'),
          severity: eb.ref('excluded.severity'),
          statusAt: eb.ref('excluded.statusAt'),
        })),
      )
      .execute();
    at += size;
  }
}

/** Deletes identities that moved to others. */
export async function forgetIdentities(
  tx: Tx,
  projectId: string,
  identities: readonly Uint8Array[],
): Promise<void> {
  for (let at = 0; at < identities.length; at += READ_AT_ONCE_MAX)
    await tx
      .deleteFrom('findingIdentities')
      .where('projectId', '=', projectId)
      .where('identity', 'in', padded(identities.slice(at, at + READ_AT_ONCE_MAX)))
      .execute();
}

/** Stores a triage decision. The times of a known finding stay. */
export async function saveDecision(tx: Tx, row: IdentityRow): Promise<void> {
  const { status, severity, statusAt } = row;
  await tx
    .insertInto('findingIdentities')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['projectId', 'identity']).doUpdateSet({ status, severity, statusAt }),
    )
    .execute();
}

/** Deletes some of the identities not seen since; false when none is left. */
export async function forgetUnseen(db: Db, before: number, most: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('findingIdentities')
    // Checked again, because a report may have seen one meanwhile.
    .where('lastSeenAt', '<', before)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('projectId', 'identity'),
        'in',
        selectFrom('findingIdentities')
          .select(['projectId', 'identity'])
          .where('lastSeenAt', '<', before)
          .orderBy('lastSeenAt')
          .limit(most)
          .$asTuple('projectId', 'identity'),
      ),
    )
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function insertMove(tx: Tx, move: MoveRow): Promise<void> {
  await tx.insertInto('findingMoves').values(move).execute();
}

/** The decisions about a report or one of its findings; those of a finding oldest first. */
export async function listMoves(db: Db, reportId: string, findingId?: string): Promise<MoveRow[]> {
  let query = db.selectFrom('findingMoves').selectAll().where('reportId', '=', reportId);
  if (findingId !== undefined) query = query.where('findingId', '=', findingId);
  return query.orderBy('findingId').orderBy('number').execute();
}

export async function forgetMoves(tx: Tx, reportIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('findingMoves').where('reportId', 'in', reportIds).execute();
}

/** Equal identities have the same key. */
export function identityKey({ buffer, byteOffset, byteLength }: FindingSnapshot['identity']): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

export function identityOf(key: string): Uint8Array {
  return Buffer.from(key, 'latin1');
}
