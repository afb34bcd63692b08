/** What needs attention in a workspace, and how the open findings of its projects changed. */
import { limits, severities, type WorkspaceOverview } from '@svc/contract';
import { isOutstanding } from '@svc/report';
import type { Database } from '#platform/database/database';
import { DAY_MS, isoTime, type Clock } from '#platform/clock';
import type { ProjectKeys } from '#platform/project-keys';
import { readCurrent } from './current-views.ts';
import { toFinding, type ListedFinding } from './listed.ts';
import type { ProjectView } from './project-view.ts';
import { findingsOf, requireReader, type MaySee, type ReaderPorts } from './readers.ts';
import { listLiveScans } from './stopped-scans-store.ts';
import { stoppedScansOf } from './stopped-scans.ts';
import { listProjects } from './store.ts';
import { daysUpTo, openByWeekOf } from './trends-policy.ts';
import { toolStartsIn } from './tool-starts.ts';
import { listDays, listToolStarts } from './trends-store.ts';
import type { Views } from './views.ts';

const { weeks, listedMax, newDays, lapsingDays } = limits.overview;

export interface WorkspaceOverviewPorts extends ReaderPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly projectKeys: Pick<ProjectKeys, 'ofFindings'>;
}

export interface OverviewService {
  /**
   * @throws AppError NOT_FOUND unless the user is a member, and for an administrator who is not an owner.
   */
  read(userId: string, workspaceId: string): Promise<WorkspaceOverview>;
}

export function createOverviewService(ports: WorkspaceOverviewPorts, views: Views): OverviewService {
  const { database, clock, projectKeys } = ports;
  const db = database.read;

  return {
    async read(userId, workspaceId) {
      const maySee = await requireReader(ports, userId, workspaceId);
      const now = clock.now();
      const projects = await listProjects(db, workspaceId);
      const { of, newest, counts, lapsing, lapsingTotal } = await readCurrent(
        { db, clock, views },
        projects,
        (read) => attentionOf(read, maySee, now),
      );
      const dates = daysUpTo(now, (weeks - 1) * 7 + 1);
      const rows = Map.groupBy(await listDays(db, workspaceId, dates[0] ?? ''), ({ projectId }) => projectId);
      const starts = Map.groupBy(await listToolStarts(db, workspaceId), ({ projectId }) => projectId);
      const liveScans = (await listLiveScans(db, workspaceId, now)).filter(maySee);
      return {
        projects: projects.map(({ id }, at) => {
          const startOf = toolStartsIn(starts.get(id) ?? [], projectKeys.ofFindings(id));
          return {
            projectId: id,
            openByWeek: openByWeekOf(dates, rows.get(id) ?? [], of[at]?.open),
            lastScans: (of[at]?.lastScans ?? []).filter(maySee).map(({ tool, reportId, finalizedAt }) => ({
              tool,
              reportId,
              finalizedAt: isoTime(finalizedAt),
              firstCountedOn: startOf(tool),
            })),
            missingTools: (of[at]?.missingTools ?? [])
              .filter(maySee)
              .map(({ tool, reportId, finalizedAt }) => ({
                tool,
                reportId,
                finalizedAt: isoTime(finalizedAt),
              })),
          };
        }),
        stoppedScans: stoppedScansOf(liveScans, now),
        newSevere: { ...counts, findings: newest.map(toFinding) },
        lapsing: { total: lapsingTotal, findings: lapsing.map(toFinding) },
      };
    },
  };
}

function attentionOf(of: readonly ProjectView[], maySee: MaySee, now: number) {
  const severe: ListedFinding[] = [];
  const accepted: ListedFinding[] = [];
  const since = now - newDays * DAY_MS;
  const ends = now + lapsingDays * DAY_MS;
  for (const finding of findingsOf(of, maySee)) {
    const { severity, status, until, firstSeenAt } = finding;
    if (until !== null && until > now && until <= ends) accepted.push(finding);
    else if (isSevere(severity) && isOutstanding(status) && firstSeenAt >= since) severe.push(finding);
  }
  const newest = severe
    .toSorted(
      (one, other) =>
        severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
        other.firstSeenAt - one.firstSeenAt ||
        byKey(one, other),
    )
    .slice(0, listedMax);
  const lapsing = accepted
    .toSorted((one, other) => (one.until ?? 0) - (other.until ?? 0) || byKey(one, other))
    .slice(0, listedMax);
  const critical = severe.filter(({ severity }) => severity === 'critical').length;
  return {
    shown: [
      ...newest,
      ...lapsing,
      ...of.flatMap(({ lastScans, missingTools }) => [...lastScans, ...missingTools].filter(maySee)),
    ],
    of,
    newest,
    counts: { critical, high: severe.length - critical },
    lapsing,
    lapsingTotal: accepted.length,
  };
}

function isSevere(severity: ListedFinding['severity']): boolean {
  return severity === 'critical' || severity === 'high';
}

function byKey(one: ListedFinding, other: ListedFinding): number {
  return one.identity < other.identity ? -1 : 1;
}
