/** What lists, trends and the overview of a workspace read of its projects and reports. */
import type { FindingStatus, Severity } from '@svc/contract';
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db } from '#platform/database/database';

export interface ListedProject {
  readonly id: string;
  readonly name: string;
  /** Changes whenever a finding becomes present, stops being present, or changes its status. */
  readonly version: string;
  /** When the next decision lapses. */
  readonly lapsesAt: number | null;
}

export async function listProjects(db: Db, workspaceId: string): Promise<ListedProject[]> {
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'name', 'lapsesAt', 'findingsVersion', 'lastReportAt', 'openFindings'])
    .where('workspaceId', '=', workspaceId)
    .orderBy('id')
    .execute();
  // A process of an older version does not raise `findingsVersion`, but changes the other columns.
  return rows.map(({ id, name, lapsesAt, ...version }) => {
    return { id, name, lapsesAt, version: JSON.stringify(version) };
  });
}

export interface PresentRow {
  /** In hexadecimal digits: thousands of small arrays cost more than the query. */
  readonly identity: string;
  readonly severity: Severity;
  readonly status: FindingStatus;
  /** When the decision behind the status lapses. */
  readonly until: number | null;
  readonly firstSeenAt: number;
}

/** The findings that are present in a project. */
export async function listPresent(db: Db, projectId: string): Promise<PresentRow[]> {
  return presentIn(db, { projectId });
}

const presentIn = compiledOnce((db, { projectId }: { projectId: string }) =>
  db
    .selectFrom('findingIdentities')
    .select(['status', 'until', 'firstSeenAt'])
    .select(({ fn }) => [
      fn<string>('lower', [fn('hex', ['identity'])]).as('identity'),
      fn.coalesce('presentSeverity', 'severity').as('severity'),
    ])
    .where('projectId', '=', projectId)
    .where('present', '=', sql.lit(1)),
);

export interface ReadableReport {
  readonly id: string;
  readonly ownerId: string;
  readonly wrappedKey: Uint8Array | null;
  readonly uploadId: string | null;
  readonly expiresAt: number;
}

/** The final reports of a project that can be read now, newest first. */
export async function listReadable(db: Db, projectId: string, now: number): Promise<ReadableReport[]> {
  return readableIn(db, { projectId, now });
}

const readableIn = compiledOnce((db, { projectId, now }: { projectId: string; now: number }) =>
  db
    .selectFrom('reports')
    .select(['id', 'ownerId', 'wrappedKey', 'uploadId', 'expiresAt'])
    .where('projectId', '=', projectId)
    .where('state', '=', sql.lit('finalized'))
    .where('expiresAt', '>', now)
    .orderBy('finalizedAt', 'desc')
    // Within one millisecond, the report that its project counted last comes first.
    .orderBy(({ fn }) => fn.coalesce('countedAs', sql.lit(0)), 'desc')
    .orderBy('id', 'desc'),
);

/** The packed finding snapshots of uploads, by the upload's id. */
export async function findSnapshots(db: Db, uploadIds: readonly string[]): Promise<Map<string, Uint8Array>> {
  if (uploadIds.length === 0) return new Map();
  const rows = await snapshotsOf(db, { uploadIds });
  return new Map(rows.flatMap(({ id, findingMarks }) => (findingMarks === null ? [] : [[id, findingMarks]])));
}

const snapshotsOf = compiledOnce((db, { uploadIds }: { uploadIds: readonly string[] }) =>
  db.selectFrom('uploads').select(['id', 'findingMarks']).where('id', 'in', uploadIds),
);

/** How many of these reports can be read now. */
export async function countReadable(db: Db, reportIds: readonly string[], now: number): Promise<number> {
  const { count } = await db
    .selectFrom('reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', 'in', reportIds)
    .where('state', '=', 'finalized')
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}
