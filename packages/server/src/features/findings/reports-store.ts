/** The final reports of a project in their order, and those with a decision that has lapsed. */
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import { FINALIZED } from '#platform/database/report-states';

export interface ReportPlace {
  readonly id: string;
  readonly projectId: string;
  readonly finalizedAt: number | null;
}

/** A report of a project in the order in which reports became final. */
export interface PlacedReport {
  readonly id: string;
  readonly countedAs: number | null;
  readonly uploadId: string | null;
  readonly overlayVersion: number;
  readonly finalizedAt: number | null;
  readonly lapsesAt: number | null;
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
    .where('state', '=', FINALIZED)
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

/** The counts of the project's open findings as JSON; null before its first counted report. */
export async function findOpenFindings(db: Db, projectId: string): Promise<string | null> {
  const row = await db
    .selectFrom('projects')
    .select('openFindings')
    .where('id', '=', projectId)
    .executeTakeFirst();
  return row?.openFindings ?? null;
}

/** The final reports of a project that have not expired, the newest first, after the first `skip`. */
export async function listNewest(
  db: Db,
  projectId: string,
  { now, skip, most }: { readonly now: number; readonly skip: number; readonly most: number },
): Promise<PlacedReport[]> {
  return db
    .selectFrom('reports')
    .select(['id', 'countedAs', 'uploadId', 'overlayVersion', 'finalizedAt', 'lapsesAt'])
    .where('projectId', '=', projectId)
    .where('state', '=', FINALIZED)
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
      .select(['id', 'countedAs', 'uploadId', 'overlayVersion', 'finalizedAt', 'lapsesAt'])
      .where('projectId', '=', projectId)
      .where('state', '=', FINALIZED)
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

/** A report that changed its project, and can be read. */
export interface CountedReport {
  readonly id: string;
  readonly ownerId: string;
  readonly uploadId: string;
  readonly countedAs: number;
  readonly finalizedAt: number;
}

/** The newest reports that changed their project and can be read now, newest first. */
export async function listNewestCounted(
  db: Db,
  projectId: string,
  { now, most }: { readonly now: number; readonly most: number },
): Promise<CountedReport[]> {
  return newestCounted(db, { projectId, now, most });
}

const newestCounted = compiledOnce(
  (db, { projectId, now, most }: { projectId: string; now: number; most: number }) =>
    db
      .selectFrom('reports')
      .select(['id', 'ownerId', 'uploadId', 'countedAs', 'finalizedAt'])
      .where('projectId', '=', projectId)
      .where('state', '=', FINALIZED)
      .where('expiresAt', '>', now)
      .where('countedAs', '>', sql.lit(0))
      .where('uploadId', 'is not', null)
      .orderBy('finalizedAt', 'desc')
      .orderBy('countedAs', 'desc')
      .limit(most)
      .$narrowType<{ uploadId: string; countedAs: number; finalizedAt: number }>(),
);

/** The ids of reports with a decision that has lapsed by now. */
export async function listReportsToLapse(db: Db, now: number, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('reports')
    .select('id')
    .where('lapsesAt', '<=', now)
    .where('state', '=', FINALIZED)
    .orderBy('lapsesAt')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}
