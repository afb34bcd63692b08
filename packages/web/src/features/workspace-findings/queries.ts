/** The list of a workspace's findings, page by page. */
import type { FindingSort, WorkspaceFinding } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { ask, queryKey } from '../../lib/api.ts';
import type { ApiFilters } from './search.ts';

export interface WantedFindings {
  readonly workspaceId: string;
  readonly filters: ApiFilters;
  readonly sort: FindingSort;
}

/** Options of an infinite query. */
export function findingsQuery({ workspaceId, filters, sort }: WantedFindings) {
  const params = { id: workspaceId };
  const wanted = { ...filters, sort };
  return {
    queryKey: [...queryKey('listWorkspaceFindings', { params, query: wanted }), 'pages'],
    queryFn: ({ pageParam: cursor, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      ask(
        'listWorkspaceFindings',
        { params, query: cursor === null ? wanted : { ...wanted, cursor } },
        signal,
      ),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }: { readonly nextCursor: string | null }) => nextCursor,
    throwOnError: false,
  };
}

/** All findings of a search, in as few calls as possible. */
export async function allFindings(
  { workspaceId, filters, sort }: WantedFindings,
  signal?: AbortSignal,
): Promise<WorkspaceFinding[]> {
  const found: WorkspaceFinding[] = [];
  const limit = String(limits.findingsListedMax);
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { readonly findings: WorkspaceFinding[]; readonly nextCursor: string | null } = await ask(
      'listWorkspaceFindings',
      {
        params: { id: workspaceId },
        query: { ...filters, sort, limit, ...(cursor === '' ? {} : { cursor }) },
      },
      signal,
    );
    found.push(...page.findings);
    cursor = page.nextCursor;
  }
  return found;
}
