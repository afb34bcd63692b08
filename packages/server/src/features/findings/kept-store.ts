/** What is kept of the findings of uploaded reports: packed snapshots and facts. */
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db } from '#platform/database/database';

/** What is kept of the findings of a report that was received. */
export interface KeptFindings {
  readonly findingSnapshots: Uint8Array;
  readonly findingFacts: Uint8Array;
  /** Counts by severity, as JSON. */
  readonly openFindings: string;
}

/** Null for a report without an upload, and once its content was deleted. */
export async function findKept(db: Db, uploadId: string | null): Promise<KeptFindings | null> {
  if (uploadId === null) return null;
  const [row] = await keptOf(db, { uploadId });
  return row ?? null;
}

const keptOf = compiledOnce((db, { uploadId }: { uploadId: string }) =>
  db
    .selectFrom('uploads')
    .select(['findingSnapshots', 'findingFacts', 'openFindings'])
    .where('id', '=', uploadId)
    .where('findingSnapshots', 'is not', null)
    .$narrowType<KeptFindings>(),
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

export interface FollowedReport extends Pick<KeptFindings, 'findingSnapshots' | 'findingFacts'> {
  readonly finalizedAt: number;
  readonly projectId: string;
  /** The report's position in the order in which its project counts reports; 0 for one that is not counted. */
  readonly countedAs: number;
}

/** Null unless the report is final and its snapshots are still stored. */
export async function findFollowed(db: Db, reportId: string): Promise<FollowedReport | null> {
  const [row] = await followedReport(db, { reportId });
  return row ?? null;
}

const followedReport = compiledOnce((db, { reportId }: { reportId: string }) =>
  db
    .selectFrom('reports')
    .innerJoin('uploads', 'uploads.id', 'reports.uploadId')
    .select(['reports.finalizedAt', 'reports.projectId', 'reports.countedAs'])
    .select(['uploads.findingSnapshots', 'uploads.findingFacts'])
    .where('reports.id', '=', reportId)
    .where('reports.finalizedAt', 'is not', null)
    .where('uploads.findingSnapshots', 'is not', null)
    .$narrowType<FollowedReport>(),
);
