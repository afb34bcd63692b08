/** What lists, trends and the overview of a workspace read of its projects and reports. */
import type { FindingStatus, Severity } from '@svc/contract';
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db } from '#platform/database/database';
import { FINALIZED } from '#platform/database/report-states';

export interface ListedProject {
  readonly id: string;
  readonly name: string;
  /** Changes whenever a finding becomes present, stops being present, or changes its status. */
  readonly version: number;
  /** When the next decision lapses. */
  readonly lapsesAt: number | null;
}

export async function listProjects(db: Db, workspaceId: string): Promise<ListedProject[]> {
  return db
    .selectFrom('projects')
    .select(['id', 'name', 'lapsesAt', 'findingsVersion as version'])
    .where('workspaceId', '=', workspaceId)
    .orderBy('id')
    .execute();
}

export interface PresentRow {
  /** In hexadecimal digits: thousands of small arrays cost more than the query. */
  readonly identity: string;
  readonly severity: Severity;
  readonly status: FindingStatus;
  /** When the decision behind the status lapses. */
  readonly until: number | null;
  readonly firstSeenAt: number;
  /** The digest of its tool in hexadecimal digits. */
  readonly tool: string;
}

/** The findings that are present in a project. */
export async function listPresent(db: Db, projectId: string): Promise<PresentRow[]> {
  return presentIn(db, { projectId });
}

const presentIn = compiledOnce((db, { projectId }: { projectId: string }) =>
  db
    .selectFrom('projectFindings')
    .select(['status', 'until', 'firstSeenAt', 'presentSeverity as severity'])
    .select(({ fn }) => [
      fn<string>('lower', [fn('hex', ['identity'])]).as('identity'),
      fn<string>('lower', [fn('hex', ['tool'])]).as('tool'),
    ])
    .where('projectId', '=', projectId)
    .where('present', '=', sql.lit(1))
    .$narrowType<{ severity: Severity }>(),
);

export interface ReadableReport {
  readonly id: string;
  readonly ownerId: string;
  readonly wrappedKey: Uint8Array | null;
  readonly uploadId: string | null;
  readonly expiresAt: number;
  readonly finalizedAt: number | null;
}

/** The final reports of a project that can be read now, newest first. */
export async function listReadable(db: Db, projectId: string, now: number): Promise<ReadableReport[]> {
  return readableIn(db, { projectId, now });
}

const readableIn = compiledOnce((db, { projectId, now }: { projectId: string; now: number }) =>
  db
    .selectFrom('reports')
    .select(['id', 'ownerId', 'wrappedKey', 'uploadId', 'expiresAt', 'finalizedAt'])
    .where('projectId', '=', projectId)
    .where('state', '=', FINALIZED)
    .where('expiresAt', '>', now)
    .orderBy('finalizedAt', 'desc')
    // Within one millisecond, the report that its project counted last comes first.
    .orderBy('countedAs', 'desc')
    .orderBy('id', 'desc'),
);

/** The packed finding snapshots of uploads, by the upload's id. */
export async function findSnapshots(db: Db, uploadIds: readonly string[]): Promise<Map<string, Uint8Array>> {
  if (uploadIds.length === 0) return new Map();
  const rows = await snapshotsOf(db, { uploadIds });
  return new Map(
    rows.flatMap(({ id, findingSnapshots }) => (findingSnapshots === null ? [] : [[id, findingSnapshots]])),
  );
}

const snapshotsOf = compiledOnce((db, { uploadIds }: { uploadIds: readonly string[] }) =>
  db.selectFrom('uploads').select(['id', 'findingSnapshots']).where('id', 'in', uploadIds),
);

/** The packed finding facts of uploads, by the upload's id. */
export async function findFacts(db: Db, uploadIds: readonly string[]): Promise<Map<string, Uint8Array>> {
  if (uploadIds.length === 0) return new Map();
  const rows = await factsOf(db, { uploadIds });
  return new Map(rows.flatMap(({ id, findingFacts }) => (findingFacts === null ? [] : [[id, findingFacts]])));
}

const factsOf = compiledOnce((db, { uploadIds }: { uploadIds: readonly string[] }) =>
  db.selectFrom('uploads').select(['id', 'findingFacts']).where('id', 'in', uploadIds),
);

/** How many of these reports can be read now. */
export async function countReadable(db: Db, reportIds: readonly string[], now: number): Promise<number> {
  const { count } = await db
    .selectFrom('reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', 'in', reportIds)
    .where('state', '=', FINALIZED)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}
