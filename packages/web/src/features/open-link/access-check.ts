/** Checks whether an open page still has access. The check does not read the report, so it is not counted as a view. */
import { shareSecretHeaders } from '@svc/client';
import { useEffect, useEffectEvent } from 'react';

const CHECKED_EVERY_MS = 30_000;

export interface AccessCheck {
  /** `unknown` if the check failed. */
  readonly state: 'there' | 'gone' | 'unknown';
  /** The length of the full response, which reveals a change. */
  readonly lengthBytes: number | null;
}

export async function checkAccess(slug: string, shareUnlock: string | undefined): Promise<AccessCheck> {
  try {
    const { status, headers } = await fetch(
      `/api/v1/shares/slug/${encodeURIComponent(slug)}/report?cover=1`,
      {
        method: 'HEAD',
        headers: shareSecretHeaders({ shareUnlock }),
        cache: 'no-store',
      },
    );
    const isGone = status === 401 || status === 404 || status === 410;
    const length = headers.get('content-length');
    return {
      state: isGone ? 'gone' : status === 200 ? 'there' : 'unknown',
      lengthBytes: status === 200 && length !== null ? Number(length) : null,
    };
  } catch {
    return { state: 'unknown', lengthBytes: null };
  }
}

/**
 * While the page is visible: checks every 30 seconds, and when it becomes visible, on back navigation and when the
 * network returns.
 */
export function useRepeatedCheck(isShown: boolean, check: () => void): void {
  const onTime = useEffectEvent(() => {
    if (isShown && document.visibilityState === 'visible') check();
  });
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const timer = setInterval(() => onTime(), CHECKED_EVERY_MS);
    document.addEventListener('visibilitychange', () => onTime(), { signal });
    addEventListener('pageshow', ({ persisted }) => persisted && onTime(), { signal });
    addEventListener('online', () => onTime(), { signal });
    return () => {
      clearInterval(timer);
      stopped.abort();
    };
  }, []);
}
