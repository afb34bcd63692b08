/** What is kept of the findings of uploaded reports: packed snapshots and facts. */
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db } from '#platform/database/database';
import type { UploadsTable } from '#platform/database/schema';

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

/** The packed finding snapshots of uploads, by the upload's id. */
export async function findMarks(db: Db, uploadIds: readonly string[]): Promise<Map<string, Uint8Array>> {
  if (uploadIds.length === 0) return new Map();
  const rows = await marksOf(db, { uploadIds });
  return new Map(rows.flatMap(({ id, findingMarks }) => (findingMarks === null ? [] : [[id, findingMarks]])));
}

const marksOf = compiledOnce((db, { uploadIds }: { uploadIds: readonly string[] }) =>
  db.selectFrom('uploads').select(['id', 'findingMarks']).where('id', 'in', uploadIds),
);

export interface FollowedReport {
  readonly findingMarks: Uint8Array;
  /** Null in reports of earlier versions. */
  readonly findingFacts: Uint8Array | null;
  readonly finalizedAt: number;
  readonly projectId: string;
  readonly countedAs: number | null;
}

/** Null unless the report is final and its snapshots are still stored. */
export async function findFollowed(db: Db, reportId: string): Promise<FollowedReport | null> {
  const [row] = await followedReport(db, { reportId });
  if (!row || row.finalizedAt === null || row.findingMarks === null) return null;
  const { finalizedAt, findingMarks, findingFacts, projectId, countedAs } = row;
  return { finalizedAt, findingMarks, findingFacts, projectId, countedAs };
}

const followedReport = compiledOnce((db, { reportId }: { reportId: string }) =>
  db
    .selectFrom('reports')
    .innerJoin('uploads', 'uploads.id', 'reports.uploadId')
    .select(['reports.finalizedAt', 'reports.projectId', 'reports.countedAs'])
    .select(['uploads.findingMarks', 'uploads.findingFacts'])
    .where('reports.id', '=', reportId),
);
