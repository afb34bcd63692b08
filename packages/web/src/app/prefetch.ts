/** Loads the data of a page in parallel before it renders. Otherwise, its parts would load theirs one after another. */
import type { QueryClient, QueryFunction } from '@tanstack/react-query';
import type { FindingsSearch } from '../features/workspace-findings/address.ts';
import { findingsQuery } from '../features/workspace-findings/queries.ts';
import { parsedSearch } from '../features/workspace-findings/search.ts';
import { currentOf } from '../features/workspaces/current.ts';
import { query, queryKey, type BodyFor } from '../lib/api.ts';

interface Wanted {
  readonly queryKey: readonly unknown[];
  readonly queryFn: QueryFunction;
}

/** All that the overview shows, since its sections have no fixed height. */
export async function prefetchOverview(queries: QueryClient): Promise<void> {
  await prefetch(queries, [query('listWorkspaces'), query('listProjects'), query('listReports')]);
  const listed = queries.getQueryData<BodyFor<'listWorkspaces'>>(queryKey('listWorkspaces'));
  const { projects } = queries.getQueryData<BodyFor<'listProjects'>>(queryKey('listProjects')) ?? {};
  const id = currentOf(listed?.workspaces ?? [])?.workspaceId;
  if (id === undefined || projects?.some(({ workspaceId }) => workspaceId === id) !== true) return;
  const params = { id };
  await prefetch(queries, [
    query('getSyncQuota', { query: { workspaceId: id } }),
    query('getWorkspaceOverview', { params }),
    query('getWorkspaceTrends', { params, query: { days: '90' } }),
    query('listWorkspaceShares', { params }),
  ]);
}

export function prefetchSettings(queries: QueryClient): Promise<void> {
  return prefetch(queries, [query('listWorkspaces'), query('listSessions'), query('listDevices')]);
}

export function prefetchProject(queries: QueryClient, projectId: string): Promise<void> {
  const reports = query('listReports', { query: { projectId } });
  return prefetch(queries, [query('listWorkspaces'), query('listProjects'), reports]);
}

export function prefetchProjects(queries: QueryClient): Promise<void> {
  return prefetch(queries, [query('listWorkspaces'), query('listProjects')]);
}

export function prefetchShares(queries: QueryClient, workspaceId: string): Promise<void> {
  const shares = query('listWorkspaceShares', { params: { id: workspaceId } });
  return prefetch(queries, [query('listWorkspaces'), shares]);
}

/**
 * The first page of findings loads in parallel with the lists that the search needs. It does not in other views, or if
 * only new findings are shown. Nor does it if the search filters by project, which needs the list of projects.
 */
export async function prefetchFindings(
  queries: QueryClient,
  workspaceId: string,
  { q = '', sort = 'severity', only, view }: FindingsSearch,
): Promise<void> {
  const { filters } = parsedSearch(q, []);
  const needsProjects = /(?:^|\s)-?project:/i.test(q);
  if (view === undefined && only === undefined && !needsProjects)
    queries.infiniteQuery(findingsQuery({ workspaceId, filters, sort })).catch(() => undefined);
  await prefetch(queries, [query('listWorkspaces'), query('listProjects', { query: { workspaceId } })]);
}

export async function prefetchWorkspace(queries: QueryClient, workspaceId: string): Promise<void> {
  const ofWorkspace = { query: { workspaceId } };
  await prefetch(queries, [
    query('listWorkspaces'),
    query('listProjects', ofWorkspace),
    query('getSyncQuota', ofWorkspace),
    query('getBillingPlan', ofWorkspace),
  ]);
  const listed = queries.getQueryData<BodyFor<'listWorkspaces'>>(queryKey('listWorkspaces'));
  const workspace = listed?.workspaces.find((each) => each.workspaceId === workspaceId);
  if (workspace?.kind !== 'team') return;
  const input = { params: { id: workspaceId } };
  const forOwners = workspace.role === 'owner' ? [query('listInvitations', input)] : [];
  await prefetch(queries, [query('listMembers', input), ...forOwners]);
}

/** Failures are ignored here: the page sends the failed requests again and shows their errors. */
async function prefetch(queries: QueryClient, wanted: readonly Wanted[]): Promise<void> {
  const missing = wanted.filter((each) => queries.getQueryData(each.queryKey) === undefined);
  await Promise.allSettled(missing.map(async (each) => queries.query(each)));
}
