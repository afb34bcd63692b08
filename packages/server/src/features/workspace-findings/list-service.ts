/** Searches the findings that are present in the projects of a workspace. */
import type { WorkspaceFinding, WorkspaceFindings, WorkspaceFindingsQuery } from '@svc/contract';
import { limits } from '@svc/contract';
import { searchTermsOf } from '@svc/report';
import { AppError, validationFailed } from '#app-error';
import { isoTime, type Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import type { ListedFinding } from './listed.ts';
import { cursorOf, positionIn } from './order.ts';
import type { ProjectView } from './project-view.ts';
import { requireReader, type MaySee, type ReaderPorts } from './readers.ts';
import { selected, type Selection, type Wanted } from './selection.ts';
import * as store from './store.ts';
import type { Views } from './views.ts';

/** A report can end between building a view and reading it. */
const TRIES = 3;

export interface ListPorts extends ReaderPorts {
  readonly database: Database;
  readonly clock: Clock;
}

export interface ListService {
  /**
   * @throws AppError NOT_FOUND unless the user is a member, and for an administrator who is no owner; VALIDATION_FAILED for
   * a cursor of another sort; RATE_LIMITED under load.
   */
  list(userId: string, workspaceId: string, query: WorkspaceFindingsQuery): Promise<WorkspaceFindings>;
}

export function createListService(ports: ListPorts, views: Views): ListService {
  const { database, clock } = ports;
  const db = database.read;

  async function select(
    workspaceId: string,
    wanted: Wanted,
    maySee: MaySee,
  ): Promise<Selection & { inExpiredReports: number }> {
    const all = await store.listProjects(db, workspaceId);
    const { projectId } = wanted;
    const projects = projectId === null ? all : all.filter(({ id }) => projectId.has(id));
    const of = await views.of(projects);
    const selection = selected(findingsOf(of, maySee), wanted);
    const reportIds = [...new Set(selection.page.map(({ reportId }) => reportId))];
    // The bus only hints and a view may be older than the end of its report, so the rows decide.
    if (reportIds.length > 0 && (await store.countReadable(db, reportIds, clock.now())) < reportIds.length) {
      for (const { id } of projects) views.forget(id);
      throw new AppError('REPORT_EXPIRED');
    }
    return { ...selection, inExpiredReports: of.reduce((sum, view) => sum + view.inExpiredReports, 0) };
  }

  async function selectAgain(workspaceId: string, wanted: Wanted, maySee: MaySee) {
    for (let left = TRIES; ; left -= 1) {
      try {
        return await select(workspaceId, wanted, maySee);
      } catch (error) {
        if (left === 1 || !(error instanceof AppError) || error.code !== 'REPORT_EXPIRED') throw error;
      }
    }
  }

  return {
    async list(userId, workspaceId, query) {
      const maySee = await requireReader(ports, userId, workspaceId);
      const wanted = wantedBy(query);
      const { page, total, counts, last, inExpiredReports } = await selectAgain(workspaceId, wanted, maySee);
      return {
        inExpiredReports,
        findings: page.map(toFinding),
        total,
        counts,
        nextCursor: last && cursorOf(wanted.sort, last),
      };
    },
  };
}

function* findingsOf(views: readonly ProjectView[], maySee: MaySee): Generator<ListedFinding> {
  for (const { findings } of views) for (const finding of findings) if (maySee(finding)) yield finding;
}

function wantedBy(query: WorkspaceFindingsQuery): Wanted {
  const { q = '', sort = 'severity', limit = String(limits.findingsListedDefault), cursor } = query;
  const after = cursor === undefined ? null : positionIn(cursor, sort);
  if (cursor !== undefined && after === null)
    throw validationFailed({
      path: '/cursor',
      message: 'must be the nextCursor of a page with the same sort',
    });
  return {
    terms: searchTermsOf(q),
    severity: setOf(query.severity),
    status: setOf(query.status),
    verification: setOf(query.verification),
    category: setOf(query.category),
    projectId: setOf(query.projectId),
    findingKey: query.findingKey ?? null,
    findingId: query.findingId ?? null,
    firstSeenAfter: query.firstSeenAfter === undefined ? null : Date.parse(query.firstSeenAfter),
    sort,
    limit: Number(limit),
    after,
  };
}

/** The schema has checked the values. */
function setOf<Value extends string>(list: string | undefined): ReadonlySet<Value> | null {
  return list === undefined ? null : new Set(list.split(',') as Value[]);
}

function toFinding({
  searchText: _text,
  ownerId: _owner,
  until,
  firstSeenAt,
  ...finding
}: ListedFinding): WorkspaceFinding {
  return {
    ...finding,
    firstSeenAt: isoTime(firstSeenAt),
    ...(until === null ? {} : { until: isoTime(until) }),
  };
}
