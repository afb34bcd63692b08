/** Answers that pages share: kept while they are looked at, asked for again when they may have changed. */
import { QueryClient } from '@tanstack/react-query';
import { isPassing } from '../lib/api.ts';
import { takeFirstData } from '../lib/first-data.ts';

const FRESH_FOR_MS = 30_000;
const TRIES_MAX = 3;

export function createQueries(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_FOR_MS,
        // What was refused is refused again; what failed on the way may pass.
        retry: (failures, error) => failures < TRIES_MAX && isPassing(error),
        // What is on the page stays when it can not be asked for again.
        throwOnError: (_error, { state }) => state.data === undefined,
      },
    },
  });
  for (const { name, input, body } of takeFirstData())
    queries.setQueryData(input === undefined ? [name] : [name, input], body);
  return queries;
}
