/**
 * Reads a report under a support grant. Each read is recorded and shown to the owner, so none happens without a user
 * action.
 */
import type { SupportRead } from '@svc/contract';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { query } from '../../lib/api.ts';
import { useNow } from '../../ui/time.tsx';

export type SupportAnswer = UseQueryResult<SupportRead>;

/** Reads once while the page is mounted, and keeps nothing after it unmounts. */
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

/**
 * Whether the grant has expired. The remaining time comes from the service's timestamps, so a wrong local clock does
 * no harm.
 */
export function useIsOver({ data, dataUpdatedAt }: SupportAnswer): boolean {
  const now = useNow().getTime();
  if (!data) return false;
  const { expiresAt, lastUsedAt } = data.grant;
  const leftMs = Date.parse(expiresAt) - Date.parse(lastUsedAt ?? data.grant.createdAt);
  return now >= dataUpdatedAt + leftMs;
}
