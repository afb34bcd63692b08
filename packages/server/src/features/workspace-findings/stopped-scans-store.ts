/** The newest progress events of live reports. */
import { limits } from '@svc/contract';
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db } from '#platform/database/database';
import { LIVE } from '#platform/database/report-states';

/**
 * How many of a report's newest events are searched for the end of its scan. A report can have a million, and a scan that
 * ended sends nothing more.
 */
const EVENTS_SEARCHED_MAX = limits.progressEventsMax;

const turningPoints = ['scan_started', 'scan_completed', 'scan_failed', 'scan_cancelled'] as const;

export interface LiveScan {
  readonly id: string;
  readonly projectId: string;
  readonly ownerId: string;
  readonly createdAt: number;
  /** When the newest event occurred; null before the first. */
  readonly lastEventAt: number | null;
  /** The newest event that says whether the scan runs, if it is among the newest events. */
  readonly turningPoint: (typeof turningPoints)[number] | null;
}

/** The live reports of a workspace, newest first. */
export async function listLiveScans(db: Db, workspaceId: string, now: number): Promise<LiveScan[]> {
  return liveScansIn(db, { workspaceId, now });
}

const liveScansIn = compiledOnce((db, { workspaceId, now }: { workspaceId: string; now: number }) =>
  db
    .selectFrom('projects')
    // By project, since only that index has the state: a workspace has many more reports that have ended.
    .innerJoin('reports', 'reports.projectId', 'projects.id')
    .select(['reports.id', 'reports.projectId', 'reports.ownerId', 'reports.createdAt'])
    .select((eb) => [
      eb
        .selectFrom('progressEvents')
        .select('occurredAt')
        .whereRef('reportId', '=', 'reports.id')
        .whereRef('number', '=', 'reports.lastEventNumber')
        .as('lastEventAt'),
      eb
        .selectFrom('progressEvents')
        .select('type')
        .$narrowType<{ type: (typeof turningPoints)[number] }>()
        .whereRef('reportId', '=', 'reports.id')
        .where('number', '>', eb('reports.lastEventNumber', '-', sql.lit(EVENTS_SEARCHED_MAX)))
        .where('type', 'in', turningPoints)
        .orderBy('number', 'desc')
        .limit(1)
        .as('turningPoint'),
    ])
    .where('projects.workspaceId', '=', workspaceId)
    .where('reports.state', '=', LIVE)
    .where('reports.expiresAt', '>', now)
    .orderBy('reports.createdAt', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(sql.lit(limits.reportsListedMax)),
);
