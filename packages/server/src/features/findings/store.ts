/** The findings of projects and reports, as digests, enum values and times. */
import type { SeverityCounts } from '@svc/contract';
import { identityKey } from '@svc/report';
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import type { FindingIdentitiesTable, FindingMovesTable, UploadsTable } from '#platform/database/schema';
import type { Known } from './policy.ts';

export type MoveRow = FindingMovesTable;
export type IdentityRow = FindingIdentitiesTable;
/** What a project knows about a finding, with its identity. */
export type KnownRow = Known & Pick<IdentityRow, 'identity'>;

/** Large enough that few statements are needed, small enough that no other transaction waits long. */
const ROWS_AT_ONCE_MAX = 256;
const READ_AT_ONCE_MAX = 512;

/** What is kept of the findings of an uploaded report. */
export type KeptFindings = Pick<UploadsTable, 'findingMarks' | 'findingFacts' | 'openFindings'>;

export async function findKept(db: Db, uploadId: string): Promise<KeptFindings | null> {
  const [row] = await keptOf(db, { uploadId });
  return row ?? null;
}

const keptOf = compiledOnce((db, { uploadId }: { uploadId: string }) =>
  db
    .selectFrom('uploads')
    .select(['findingMarks', 'findingFacts', 'openFindings'])
    .where('id', '=', uploadId),
);

export interface FollowedReport {
  readonly findingMarks: Uint8Array;
  /** Null in reports of earlier versions. */
  readonly findingFacts: Uint8Array | null;
  readonly finalizedAt: number;
  readonly projectId: string;
}

/** Null when no final report has this id (any more). */
export async function findFollowed(db: Db, reportId: string): Promise<FollowedReport | null> {
  const [row] = await followedReport(db, { reportId });
  if (!row || row.finalizedAt === null || row.findingMarks === null) return null;
  const { finalizedAt, findingMarks, findingFacts, projectId } = row;
  return { finalizedAt, findingMarks, findingFacts, projectId };
}

const followedReport = compiledOnce((db, { reportId }: { reportId: string }) =>
  db
    .selectFrom('reports')
    .innerJoin('uploads', 'uploads.id', 'reports.uploadId')
    .select(['reports.finalizedAt', 'reports.projectId', 'uploads.findingMarks', 'uploads.findingFacts'])
    .where('reports.id', '=', reportId),
);

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

const knownColumns = [
  'identity',
  'firstSeenAt',
  'lastSeenAt',
  'status',
  'severity',
  'statusAt',
  'decidedAt',
  'until',
  'decision',
  'present',
  'isOpen',
  'isWeak',
  'isHeld',
  'presentFrom',
  'presentSeverity',
  'tool',
  'areas',
] as const satisfies readonly (keyof IdentityRow)[];

/** The findings of some tools that are present, by `identityKey`. */
export async function listPresent(
  tx: Tx,
  projectId: string,
  tools: readonly Uint8Array[],
): Promise<Map<string, KnownRow>> {
  if (tools.length === 0) return new Map();
  const rows = await presentByTools(tx, { projectId, tools: [...tools] });
  return new Map(rows.map((row) => [identityKey(row.identity), row]));
}

const presentByTools = compiledOnce((db, { projectId, tools }: { projectId: string; tools: Uint8Array[] }) =>
  db
    .selectFrom('findingIdentities')
    .select(knownColumns)
    .where('projectId', '=', projectId)
    .where('present', '=', sql.lit(1))
    .where('tool', 'in', tools),
);

/** The present findings whose decision has lapsed, and that are not counted as open yet. */
export async function listLapsed(tx: Tx, projectId: string, now: number): Promise<KnownRow[]> {
  return tx
    .selectFrom('findingIdentities')
    .select(knownColumns)
    .where('projectId', '=', projectId)
    .where('until', '<=', now)
    .where('present', '=', 1)
    .where('isOpen', '=', 0)
    .where('status', '=', 'accepted_risk')
    .whereRef('decidedAt', '=', 'statusAt')
    .orderBy('until')
    .execute();
}

/** Counts the open findings of a project from its rows. */
export async function countOpen(tx: Tx, projectId: string): Promise<SeverityCounts> {
  const rows = await tx
    .selectFrom('findingIdentities')
    .select(['presentSeverity', ({ fn }) => fn.countAll<number>().as('count')])
    .where('projectId', '=', projectId)
    .where('isOpen', '=', 1)
    .groupBy('presentSeverity')
    .execute();
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { presentSeverity, count } of rows) {
    if (presentSeverity !== null) counts[presentSeverity] = count;
  }
  return counts;
}

/** When the next decision of the project lapses; null when none does. */
export async function findNextLapse(tx: Tx, projectId: string, now: number): Promise<number | null> {
  const { next } = await tx
    .selectFrom('findingIdentities')
    .select(({ fn }) => fn.min<number | null>('until').as('next'))
    .where('projectId', '=', projectId)
    .where('until', '>', now)
    .executeTakeFirstOrThrow();
  return next;
}

/** The known findings by `identityKey`. */
export async function findKnown(
  tx: Tx,
  projectId: string,
  identities: readonly Uint8Array[],
): Promise<Map<string, KnownRow>> {
  const known = new Map<string, KnownRow>();
  for (let at = 0; at < identities.length; at += READ_AT_ONCE_MAX) {
    const wanted = padded(identities.slice(at, at + READ_AT_ONCE_MAX));
    const rows = await knownAmong(tx, { projectId, wanted });
    for (const row of rows) known.set(identityKey(row.identity), row);
  }
  return known;
}

const knownAmong = compiledOnce((db, { projectId, wanted }: { projectId: string; wanted: Uint8Array[] }) =>
  db
    .selectFrom('findingIdentities')
    .select(knownColumns)
    .where('projectId', '=', projectId)
    .where('identity', 'in', wanted),
);

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
    await saved(tx, { rows: rows.slice(at, at + size).map(inOrder) });
    at += size;
  }
}

/** The columns in one order, so that few different statements are compiled. */
function inOrder(row: IdentityRow): IdentityRow {
  const {
    projectId,
    identity,
    firstSeenAt,
    lastSeenAt,
    status,
    severity,
    statusAt,
    decidedAt,
    until,
    decision,
    present,
    isOpen,
    isWeak,
    isHeld,
    presentFrom,
    presentSeverity,
    tool,
    areas,
  } = row;
  return {
    projectId,
    identity,
    firstSeenAt,
    lastSeenAt,
    status,
    severity,
    statusAt,
    decidedAt,
    until,
    decision,
    present,
    isOpen,
    isWeak,
    isHeld,
    presentFrom,
    presentSeverity,
    tool,
    areas,
  };
}

const saved = compiledOnce((db, { rows }: { rows: IdentityRow[] }) =>
  db
    .insertInto('findingIdentities')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['projectId', 'identity']).doUpdateSet((eb) => ({
        firstSeenAt: eb.ref('excluded.firstSeenAt'),
        lastSeenAt: eb.ref('excluded.lastSeenAt'),
        status: eb.ref('excluded.status'),
        severity: eb.ref('excluded.severity'),
        statusAt: eb.ref('excluded.statusAt'),
        decidedAt: eb.ref('excluded.decidedAt'),
        until: eb.ref('excluded.until'),
        decision: eb.ref('excluded.decision'),
        present: eb.ref('excluded.present'),
        isOpen: eb.ref('excluded.isOpen'),
        isWeak: eb.ref('excluded.isWeak'),
        isHeld: eb.ref('excluded.isHeld'),
        presentFrom: eb.ref('excluded.presentFrom'),
        presentSeverity: eb.ref('excluded.presentSeverity'),
        tool: eb.ref('excluded.tool'),
        areas: eb.ref('excluded.areas'),
      })),
    ),
);

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

/** Deletes some of the identities not seen since that are not present. */
export async function forgetUnseen(
  db: Db,
  before: number,
  most: number,
): Promise<Pick<IdentityRow, 'projectId' | 'identity'>[]> {
  return (
    db
      .deleteFrom('findingIdentities')
      // Checked again, because a report may have seen one meanwhile.
      .where('lastSeenAt', '<', before)
      .where('present', '=', 0)
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('projectId', 'identity'),
          'in',
          selectFrom('findingIdentities')
            .select(['projectId', 'identity'])
            .where('lastSeenAt', '<', before)
            .where('present', '=', 0)
            .orderBy('lastSeenAt')
            .limit(most)
            .$asTuple('projectId', 'identity'),
        ),
      )
      .returning(['projectId', 'identity'])
      .execute()
  );
}

/** The reports of a project that are final and not counted yet, the oldest first. */
export async function listUncounted(db: Db, projectId: string): Promise<UncountedRow[]> {
  return db
    .selectFrom('reports')
    .select(['id', 'projectId', 'uploadId', 'wrappedKey', 'finalizedAt'])
    .where('projectId', '=', projectId)
    .where('state', '=', 'finalized')
    .where('countedAs', 'is', null)
    .orderBy('finalizedAt')
    .orderBy('id')
    .execute();
}

/** A final report. */
export async function findFinal(db: Db, reportId: string): Promise<UncountedRow | null> {
  const row = await db
    .selectFrom('reports')
    .select(['id', 'projectId', 'uploadId', 'wrappedKey', 'finalizedAt'])
    .where('id', '=', reportId)
    .where('state', '=', 'finalized')
    .executeTakeFirst();
  return row ?? null;
}

export interface UncountedRow {
  readonly id: string;
  readonly projectId: string;
  readonly uploadId: string | null;
  readonly wrappedKey: Uint8Array | null;
  readonly finalizedAt: number | null;
}

/** Projects with final reports that are not counted yet, after an id. */
export async function listProjectsToCount(db: Db, afterId: string, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('reports')
    .select('projectId')
    .distinct()
    .where('state', '=', 'finalized')
    .where('countedAs', 'is', null)
    .where('projectId', '>', afterId)
    .orderBy('projectId')
    .limit(most)
    .execute();
  return rows.map(({ projectId }) => projectId);
}

/** A report of a project in the order in which reports became final. */
export interface PlacedReport {
  readonly id: string;
  readonly countedAs: number | null;
  readonly uploadId: string | null;
  readonly amendments: number;
  readonly finalizedAt: number | null;
  readonly lapsesAt: number | null;
}

/** The present final reports of a project, the newest first, after a position. */
export async function listNewest(
  db: Db,
  projectId: string,
  { now, skip, most }: { readonly now: number; readonly skip: number; readonly most: number },
): Promise<PlacedReport[]> {
  return db
    .selectFrom('reports')
    .select(['id', 'countedAs', 'uploadId', 'amendments', 'finalizedAt', 'lapsesAt'])
    .where('projectId', '=', projectId)
    .where('state', '=', 'finalized')
    .where('expiresAt', '>', now)
    .orderBy('finalizedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .offset(skip)
    .execute();
}

/** The final reports of a project that became final after this one, the newest first. */
export async function listNewer(
  tx: Tx,
  { id, projectId, finalizedAt }: ReportPlace,
  now: number,
): Promise<PlacedReport[]> {
  return newerThan(tx, { id, projectId, finalizedAt, now });
}

const newerThan = compiledOnce(
  (
    db,
    {
      id,
      projectId,
      finalizedAt,
      now,
    }: { id: string; projectId: string; finalizedAt: number | null; now: number },
  ) =>
    db
      .selectFrom('reports')
      .select(['id', 'countedAs', 'uploadId', 'amendments', 'finalizedAt', 'lapsesAt'])
      .where('projectId', '=', projectId)
      .where('state', '=', sql.lit('finalized'))
      .where('expiresAt', '>', now)
      .where((eb) =>
        eb.or([
          eb('finalizedAt', '>', finalizedAt),
          eb.and([eb('finalizedAt', '=', finalizedAt), eb('id', '>', id)]),
        ]),
      )
      .orderBy('finalizedAt', 'desc')
      .orderBy('id', 'desc'),
);

/** The ids of reports with a decision that has lapsed by now. */
export async function listReportsToLapse(db: Db, now: number, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('reports')
    .select('id')
    .where('lapsesAt', '<=', now)
    .where('state', '=', 'finalized')
    .orderBy('lapsesAt')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** The set-aside findings of a project among these, for the gate. */
export async function listSetAside(
  db: Db,
  projectId: string,
  identities: readonly Uint8Array[],
): Promise<KnownRow[]> {
  const rows: KnownRow[] = [];
  for (let at = 0; at < identities.length; at += READ_AT_ONCE_MAX)
    rows.push(
      ...(await db
        .selectFrom('findingIdentities')
        .select(knownColumns)
        .where('projectId', '=', projectId)
        .where('identity', 'in', padded(identities.slice(at, at + READ_AT_ONCE_MAX)))
        .where('status', 'in', ['accepted_risk', 'false_positive'])
        .execute()),
    );
  return rows;
}

export async function insertMoves(tx: Tx, moves: readonly MoveRow[]): Promise<void> {
  for (let from = 0; from < moves.length; from += ROWS_AT_ONCE_MAX)
    await tx
      .insertInto('findingMoves')
      .values(moves.slice(from, from + ROWS_AT_ONCE_MAX))
      .execute();
}

/** The moves of a report, or of some of its findings; those of a finding oldest first. */
export async function listMoves(
  db: Db,
  reportId: string,
  findingIds?: readonly string[],
): Promise<MoveRow[]> {
  if (findingIds === undefined) return movesOfReport(db, { reportId });
  const rows: MoveRow[] = [];
  for (let at = 0; at < findingIds.length; at += READ_AT_ONCE_MAX)
    rows.push(
      ...(await db
        .selectFrom('findingMoves')
        .selectAll()
        .where('reportId', '=', reportId)
        .where('findingId', 'in', findingIds.slice(at, at + READ_AT_ONCE_MAX))
        .orderBy('findingId')
        .orderBy('number')
        .execute()),
    );
  return rows;
}

const movesOfReport = compiledOnce((db, { reportId }: { reportId: string }) =>
  db
    .selectFrom('findingMoves')
    .selectAll()
    .where('reportId', '=', reportId)
    .orderBy('findingId')
    .orderBy('number'),
);

/** Deletes the moves of these decisions, and of the ends of them. */
export async function deleteMoves(tx: Tx, reportId: string, decisions: readonly number[]): Promise<void> {
  for (let at = 0; at < decisions.length; at += READ_AT_ONCE_MAX)
    await tx
      .deleteFrom('findingMoves')
      .where('reportId', '=', reportId)
      .where('decision', 'in', decisions.slice(at, at + READ_AT_ONCE_MAX))
      .execute();
}

export async function forgetMoves(tx: Tx, reportIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('findingMoves').where('reportId', 'in', reportIds).execute();
}
