/** Searches the findings that are present in the projects of a workspace. */
import type { WorkspaceFindings, WorkspaceFindingsQuery } from '@svc/contract';
import { limits } from '@svc/contract';
import { searchTermsOf } from '@svc/report';
import { validationFailed } from '#app-error';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import { readCurrent } from './current-views.ts';
import { identityOf } from './finding-key.ts';
import { toFinding } from './listed.ts';
import { cursorOf, positionIn } from './order.ts';
import { findingsOf, requireReader, type MaySee, type ReaderPorts } from './readers.ts';
import { selected, type Wanted } from './selection.ts';
import * as store from './store.ts';
import type { ListedProject } from './store.ts';
import type { Views } from './views.ts';

export interface ListPorts extends ReaderPorts {
  readonly database: Database;
  readonly clock: Clock;
}

export interface ListService {
  /**
   * @throws AppError NOT_FOUND unless the user is a member, and for an administrator who is not an owner;
   * VALIDATION_FAILED for a cursor of another sort.
   */
  list(userId: string, workspaceId: string, query: WorkspaceFindingsQuery): Promise<WorkspaceFindings>;
}

export function createListService(ports: ListPorts, views: Views): ListService {
  const { database, clock } = ports;
  const db = database.read;

  async function select(projects: readonly ListedProject[], wanted: Wanted, maySee: MaySee) {
    return readCurrent({ db, clock, views }, projects, (of) => {
      const selection = selected(findingsOf(of, maySee), wanted);
      const inExpiredReports = of.reduce((sum, view) => sum + view.inExpiredReports, 0);
      return { shown: selection.page, ...selection, inExpiredReports };
    });
  }

  return {
    async list(userId, workspaceId, query) {
      const maySee = await requireReader(ports, userId, workspaceId);
      const wanted = wantedBy(query);
      const { projectId } = wanted;
      const all = await store.listProjects(db, workspaceId);
      const projects = projectId === null ? all : all.filter(({ id }) => projectId.has(id));
      const { page, total, counts, last, inExpiredReports } = await select(projects, wanted, maySee);
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

/** Stands for the identity behind an invalid key. No finding has it. */
const OF_NO_FINDING = '';

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
    identity: query.findingKey === undefined ? null : (identityOf(query.findingKey) ?? OF_NO_FINDING),
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
