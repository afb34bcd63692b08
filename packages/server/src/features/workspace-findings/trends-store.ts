/** What the trends read: the days of projects, and their fixes. */
import type { Db } from '#platform/database/database';
import type { Fix, ProjectDay } from './trends-policy.ts';

/** The rows of each project from a day on, and its last row before that day. */
export async function listDays(db: Db, workspaceId: string, from: string): Promise<ProjectDay[]> {
  const days = db
    .selectFrom('findingDays')
    .innerJoin('projects', 'projects.id', 'findingDays.projectId')
    .selectAll('findingDays')
    .where('projects.workspaceId', '=', workspaceId);
  const [since, before] = [
    await days.where('findingDays.day', '>=', from).execute(),
    await days
      .where('findingDays.day', '=', ({ selectFrom }) =>
        selectFrom('findingDays as earlier')
          .select(({ fn }) => fn.max('earlier.day').as('day'))
          .whereRef('earlier.projectId', '=', 'projects.id')
          .where('earlier.day', '<', from),
      )
      .execute(),
  ];
  return [...before, ...since];
}

/** The rows of a tool of a project from a day on, and its last row before that day. */
export async function listToolDays(
  db: Db,
  projectId: string,
  tool: Uint8Array,
  from: string,
): Promise<ProjectDay[]> {
  const days = db
    .selectFrom('findingToolDays')
    .select(['projectId', 'day', 'critical', 'high', 'medium', 'low', 'info', 'opened', 'fixed', 'setAside'])
    .where('projectId', '=', projectId)
    .where('tool', '=', tool);
  const before = await days.where('day', '<', from).orderBy('day', 'desc').limit(1).execute();
  return [...before, ...(await days.where('day', '>=', from).execute())];
}

export interface ToolStart {
  readonly projectId: string;
  readonly tool: Uint8Array;
  readonly day: string;
}

/** The first day on which findings of each tool were counted. */
export async function listToolStarts(db: Db, workspaceId: string): Promise<ToolStart[]> {
  return db
    .selectFrom('findingToolDays')
    .innerJoin('projects', 'projects.id', 'findingToolDays.projectId')
    .select(['findingToolDays.projectId', 'findingToolDays.tool'])
    .select(({ fn }) => fn.min<string>('findingToolDays.day').as('day'))
    .where('projects.workspaceId', '=', workspaceId)
    .groupBy(['findingToolDays.projectId', 'findingToolDays.tool'])
    .execute();
}

export async function listFixes(
  db: Db,
  workspaceId: string,
  since: number,
): Promise<(Fix & { readonly projectId: string; readonly tool: Uint8Array })[]> {
  return db
    .selectFrom('findingFixes')
    .innerJoin('projects', 'projects.id', 'findingFixes.projectId')
    .select([
      'findingFixes.projectId',
      'findingFixes.severity',
      'findingFixes.firstSeenAt',
      'findingFixes.fixedAt',
      'findingFixes.tool',
    ])
    .where('projects.workspaceId', '=', workspaceId)
    .where('findingFixes.fixedAt', '>=', since)
    .execute();
}
