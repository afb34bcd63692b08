/** A report that is read under a support grant. Each reading is counted and told to the owner, so none is done unasked. */
import type { SupportRead } from '@svc/contract';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { query } from '../../lib/api.ts';
import { useNow } from '../../ui/time.tsx';

export type SupportAnswer = UseQueryResult<SupportRead>;

/** Asks once while the page is there, and keeps nothing of it when it goes. */
export function useSupportRead(id: string): SupportAnswer {
  return useQuery({
    ...query('readForSupport', { params: { id } }),
    gcTime: 0,
    staleTime: 'static',
    retry: false,
    structuralSharing: false,
    throwOnError: false,
  });
}

/** Whether the grant's time is over. What is left of it is the service's word, so this machine's clock may be wrong. */
export function useIsOver({ data, dataUpdatedAt }: SupportAnswer): boolean {
  const now = useNow().getTime();
  if (!data) return false;
  const { expiresAt, lastUsedAt } = data.grant;
  const leftMs = Date.parse(expiresAt) - Date.parse(lastUsedAt ?? data.grant.createdAt);
  return now >= dataUpdatedAt + leftMs;
}
