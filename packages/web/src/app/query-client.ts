/** The query cache of all pages: responses stay while a page shows them and are fetched again once stale. */
import { QueryClient } from '@tanstack/react-query';
import { isPassing, pagesKey } from '../lib/api.ts';
import { takeFirstData } from '../lib/first-data.ts';

const FRESH_FOR_MS = 30_000;
const TRIES_MAX = 3;

export function createQueries(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_FOR_MS,
        // Connection errors and errors of the server may pass; other API errors would repeat.
        retry: (failures, error) => failures < TRIES_MAX && isPassing(error),
        // Data on the page stays if a refetch fails.
        throwOnError: (_error, { state }) => state.data === undefined,
      },
    },
  });
  for (const { name, input, body, isFirstPage } of takeFirstData()) {
    const key = input === undefined ? [name] : [name, input];
    if (isFirstPage) queries.setQueryData(pagesKey(key), { pages: [body], pageParams: [null] });
    else queries.setQueryData(key, body);
  }
  return queries;
}
