/** The trends of a workspace or of one of its projects. */
import { limits, type OldestFinding, type TrendsQuery, type WorkspaceTrends } from '@svc/contract';
import { isOutstanding } from '@svc/report';
import { AppError, validationFailed } from '#app-error';
import type { Lapses } from '#features/findings';
import type { Database } from '#platform/database/database';
import { isoTime, type Clock } from '#platform/clock';
import type { ProjectKeys } from '#platform/project-keys';
import { findingKeyOf } from './finding-key.ts';
import { hexOf, toolKeyOf } from './finding-tools.ts';
import type { ListedFinding } from './listed.ts';
import type { ProjectView } from './project-view.ts';
import { findingsOf, requireReader, type ReaderPorts } from './readers.ts';
import { listProjects } from './store.ts';
import { daysUpTo, noneOpen, timeToFixOf, trendOf } from './trends-policy.ts';
import * as store from './trends-store.ts';
import type { Views } from './views.ts';

export interface TrendsPorts extends ReaderPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly lapses: Pick<Lapses, 'isDue' | 'settleProject'>;
  readonly projectKeys: Pick<ProjectKeys, 'ofFindings'>;
}

export interface TrendsService {
  /**
   * @throws AppError NOT_FOUND, also for a project of another workspace; VALIDATION_FAILED for a tool without a project.
   */
  read(userId: string, workspaceId: string, wanted: TrendsQuery): Promise<WorkspaceTrends>;
}

export function createTrendsService(ports: TrendsPorts, views: Views): TrendsService {
  const { database, clock, lapses, projectKeys } = ports;
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

  /** What differs for a tool of a project: the rows of its days, and which findings are its own. */
  async function ofTool(name: string, projectId: string, first: string) {
    const tool = toolKeyOf(name, projectKeys.ofFindings(projectId));
    return {
      rows: await store.listToolDays(db, projectId, Buffer.from(tool, 'hex'), first),
      openIn: ({ openByTool }: ProjectView) => openByTool.get(tool) ?? noneOpen(),
      isFix: (fix: { readonly tool: Uint8Array }) => hexOf(fix.tool) === tool,
      isFinding: (finding: ListedFinding) => finding.tool === tool,
    };
  }

  /** What counts for the projects as a whole. */
  async function ofAll(workspaceId: string, ids: ReadonlySet<string>, first: string) {
    const rows = await store.listDays(db, workspaceId, first);
    return {
      rows: rows.filter(({ projectId }) => ids.has(projectId)),
      openIn: ({ open }: ProjectView) => open,
      isFix: () => true,
      isFinding: () => true,
    };
  }

  return {
    async read(userId, workspaceId, { days = String(limits.trendDaysDefault), projectId, tool }) {
      const maySee = await requireReader(ports, userId, workspaceId);
      if (tool !== undefined && projectId === undefined)
        throw validationFailed({ path: '/tool', message: 'needs a projectId' });
      const projects = await settledProjects(workspaceId, projectId);
      if (projectId !== undefined && projects.length === 0) throw new AppError('NOT_FOUND');
      const ids = new Set(projects.map(({ id }) => id));
      const dates = daysUpTo(clock.now(), Number(days));
      const [first = ''] = dates;
      const { rows, openIn, isFix, isFinding } =
        tool === undefined || projectId === undefined
          ? await ofAll(workspaceId, ids, first)
          : await ofTool(tool, projectId, first);
      const fixes = await store.listFixes(db, workspaceId, Date.parse(first));
      const now = await views.of(projects);
      return {
        days: trendOf(dates, rows, now.map(openIn)),
        timeToFix: timeToFixOf(fixes.filter((fix) => ids.has(fix.projectId) && isFix(fix))),
        oldestOpen: oldestOf([...findingsOf(now, maySee)].filter(isFinding)),
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
