/** The trends of a workspace or of one of its projects. */
import { limits, type OldestFinding, type WorkspaceTrends } from '@svc/contract';
import { isOutstanding } from '@svc/report';
import { AppError } from '#app-error';
import type { Lapses } from '#features/findings';
import type { Database } from '#platform/database/database';
import { isoTime, type Clock } from '#platform/clock';
import { findingKeyOf } from './finding-key.ts';
import type { ListedFinding } from './listed.ts';
import { findingsOf, requireReader, type ReaderPorts } from './readers.ts';
import { listProjects } from './store.ts';
import { daysUpTo, timeToFixOf, trendOf } from './trends-policy.ts';
import * as store from './trends-store.ts';
import type { Views } from './views.ts';

export interface TrendsPorts extends ReaderPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly lapses: Pick<Lapses, 'isDue' | 'settleProject'>;
}

export interface TrendsService {
  /** @throws AppError NOT_FOUND, also for a project of another workspace; RATE_LIMITED under load. */
  read(
    userId: string,
    workspaceId: string,
    wanted: { readonly days?: string | undefined; readonly projectId?: string | undefined },
  ): Promise<WorkspaceTrends>;
}

export function createTrendsService(ports: TrendsPorts, views: Views): TrendsService {
  const { database, clock, lapses } = ports;
  const db = database.read;

  /** The projects, after lapsed decisions were counted on the days on which they lapsed. */
  async function settledProjects(workspaceId: string, projectId: string | undefined) {
    const read = async () =>
      (await listProjects(db, workspaceId)).filter(({ id }) => projectId === undefined || id === projectId);
    const found = await read();
    const due = found.filter(lapses.isDue);
    for (const { id } of due) await lapses.settleProject(id);
    return due.length === 0 ? found : read();
  }

  return {
    async read(userId, workspaceId, { days = String(limits.trendDaysDefault), projectId }) {
      const maySee = await requireReader(ports, userId, workspaceId);
      const projects = await settledProjects(workspaceId, projectId);
      if (projectId !== undefined && projects.length === 0) throw new AppError('NOT_FOUND');
      const ids = new Set(projects.map(({ id }) => id));
      const isWanted = (row: { readonly projectId: string }) => ids.has(row.projectId);
      const dates = daysUpTo(clock.now(), Number(days));
      const [first = ''] = dates;
      const rows = await store.listDays(db, workspaceId, first);
      const fixes = await store.listFixes(db, workspaceId, Date.parse(first));
      const now = await views.of(projects);
      return {
        days: trendOf(
          dates,
          rows.filter(isWanted),
          now.map(({ open }) => open),
        ),
        timeToFix: timeToFixOf(fixes.filter(isWanted)),
        oldestOpen: oldestOf([...findingsOf(now, maySee)]),
      };
    },
  };
}

function oldestOf(findings: readonly ListedFinding[]): OldestFinding[] {
  return findings
    .filter(({ status }) => isOutstanding(status))
    .toSorted((one, other) => one.firstSeenAt - other.firstSeenAt || (one.identity < other.identity ? -1 : 1))
    .slice(0, limits.oldestOpenListedMax)
    .map(({ projectId, reportId, findingId, identity, severity, firstSeenAt }) => ({
      projectId,
      reportId,
      findingId,
      findingKey: findingKeyOf(identity),
      severity,
      firstSeenAt: isoTime(firstSeenAt),
    }));
}
