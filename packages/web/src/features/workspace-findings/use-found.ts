/** The findings of a search: page by page, or all together up to a bound where they are grouped. */
import type { WorkspaceFinding, WorkspaceFindings } from '@svc/contract';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { queryKey } from '../../lib/api.ts';
import type { QueryResultProps } from '../../ui/query-result.tsx';
import type { Grouping } from './address.ts';
import { allFindings, COLLECTED_MAX, findingsQuery, type WantedFindings } from './queries.ts';

export interface Found {
  /** The first page, with totals; undefined while loading. */
  readonly first: WorkspaceFindings | undefined;
  /** Undefined until they are loaded. */
  readonly findings: readonly WorkspaceFinding[] | undefined;
  /** The findings of the previous search are still shown. */
  readonly isOutdated: boolean;
  /** How many findings have been loaded to group them; null unless a load is running. */
  readonly collected: number | null;
  /** The call that the findings come from. */
  readonly query: Pick<QueryResultProps<unknown>['of'], 'error' | 'isFetching' | 'refetch'>;
  /** Loads the next page; null if there is none. */
  readonly more: { readonly isLoading: boolean; readonly load: () => void } | null;
}

export function useFound(wanted: WantedFindings, grouping: Grouping | null): Found {
  const pages = useInfiniteQuery({ ...findingsQuery(wanted), placeholderData: keepPreviousData });
  const [collected, setCollected] = useState(0);
  const { workspaceId, filters, sort } = wanted;
  const needsAll = grouping !== null && pages.hasNextPage;
  const all = useQuery({
    queryKey: [
      ...queryKey('listWorkspaceFindings', { params: { id: workspaceId }, query: { ...filters, sort } }),
      'all',
    ],
    queryFn: async ({ signal }) => {
      setCollected(0);
      return allFindings(wanted, { signal, most: COLLECTED_MAX, onProgress: setCollected });
    },
    enabled: needsAll && !pages.isPlaceholderData,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  const loaded = useMemo(() => pages.data?.pages.flatMap(({ findings }) => findings), [pages.data]);
  const query = needsAll && all.data === undefined ? all : pages;
  return {
    first: pages.data?.pages[0],
    findings: needsAll ? all.data : loaded,
    isOutdated: pages.isPlaceholderData || (needsAll && all.isPlaceholderData),
    collected: needsAll && all.isFetching ? collected : null,
    query,
    more:
      pages.hasNextPage && !needsAll
        ? { isLoading: pages.isFetchingNextPage, load: () => void pages.fetchNextPage() }
        : null,
  };
}
