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

export async function listFixes(
  db: Db,
  workspaceId: string,
  since: number,
): Promise<(Fix & { readonly projectId: string })[]> {
  return db
    .selectFrom('findingFixes')
    .innerJoin('projects', 'projects.id', 'findingFixes.projectId')
    .select([
      'findingFixes.projectId',
      'findingFixes.severity',
      'findingFixes.firstSeenAt',
      'findingFixes.fixedAt',
    ])
    .where('projects.workspaceId', '=', workspaceId)
    .where('findingFixes.fixedAt', '>=', since)
    .execute();
}
