/** The list of a workspace's findings, page by page. */
import type { FindingSort, WorkspaceFinding } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { ask, pagesKey, queryKey } from '../../lib/api.ts';
import type { ApiFilters } from './search.ts';

export interface WantedFindings {
  readonly workspaceId: string;
  readonly filters: ApiFilters;
  readonly sort: FindingSort;
}

/** The highest number of findings that are selected or grouped together. They take 25 short calls. */
export const COLLECTED_MAX = 5000;

/** Options of an infinite query. */
export function findingsQuery({ workspaceId, filters, sort }: WantedFindings) {
  const params = { id: workspaceId };
  const wanted = { ...filters, sort };
  return {
    queryKey: pagesKey(queryKey('listWorkspaceFindings', { params, query: wanted })),
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

export interface CollectOptions {
  readonly signal?: AbortSignal;
  /** At most this many; all by default. */
  readonly most?: number;
  readonly onProgress?: (collected: number) => void;
}

/** The findings of a search in its order, in as few calls as possible. */
export async function allFindings(
  { workspaceId, filters, sort }: WantedFindings,
  { signal, most = Number.POSITIVE_INFINITY, onProgress }: CollectOptions = {},
): Promise<WorkspaceFinding[]> {
  // By key, because two calls can both return a finding whose position changes between them.
  const found = new Map<string, WorkspaceFinding>();
  const limit = String(limits.findingsListedMax);
  for (let cursor: string | null = ''; cursor !== null && found.size < most;) {
    const page: { readonly findings: WorkspaceFinding[]; readonly nextCursor: string | null } = await ask(
      'listWorkspaceFindings',
      {
        params: { id: workspaceId },
        query: { ...filters, sort, limit, ...(cursor === '' ? {} : { cursor }) },
      },
      signal,
    );
    for (const finding of page.findings) found.set(finding.findingKey, finding);
    onProgress?.(Math.min(found.size, most));
    cursor = page.nextCursor;
  }
  return [...found.values()].slice(0, most);
}
