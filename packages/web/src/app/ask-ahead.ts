/** What pages ask the service for before they are drawn: all at once, where their parts would ask one after the other. */
import type { QueryClient, QueryFunction } from '@tanstack/react-query';
import { query, queryKey, type BodyFor } from '../lib/api.ts';

interface Wanted {
  readonly queryKey: readonly unknown[];
  readonly queryFn: QueryFunction;
}

export function askForSettings(queries: QueryClient): Promise<void> {
  return askAhead(queries, [query('listWorkspaces'), query('listSessions'), query('listDevices')]);
}

export function askForProject(queries: QueryClient, projectId: string): Promise<void> {
  const reports = query('listReports', { query: { projectId } });
  return askAhead(queries, [query('listWorkspaces'), query('listProjects'), reports]);
}

export async function askForWorkspace(queries: QueryClient, workspaceId: string): Promise<void> {
  const ofWorkspace = { query: { workspaceId } };
  await askAhead(queries, [
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
  await askAhead(queries, [query('listMembers', input), ...forOwners]);
}

/** The page asks again for what failed, and says so. */
async function askAhead(queries: QueryClient, wanted: readonly Wanted[]): Promise<void> {
  const missing = wanted.filter((each) => queries.getQueryData(each.queryKey) === undefined);
  await Promise.allSettled(missing.map(async (each) => queries.query(each)));
}
