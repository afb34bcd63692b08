/** Whether an open page may still show what it shows: asked without reading the report again, so that it counts as no view. */
import { sharePasswordHeader } from '@svc/client';
import { useEffect, useEffectEvent } from 'react';

const ASKED_EVERY_MS = 30_000;

export interface Right {
  /** `unknown` when nobody could say. */
  readonly state: 'there' | 'gone' | 'unknown';
  /** Of what reading it would answer, by which a change shows. */
  readonly lengthBytes: number | null;
}

export async function askRight(slug: string, password: string | undefined): Promise<Right> {
  try {
    const { status, headers } = await fetch(`/api/v1/shares/slug/${encodeURIComponent(slug)}/report`, {
      method: 'HEAD',
      headers: sharePasswordHeader(password),
      cache: 'no-store',
    });
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

/** Asks every half minute, when the page comes back to sight, and when the browser goes back to it. */
export function useAskedAgain(isShown: boolean, askAgain: () => void): void {
  const onTime = useEffectEvent(() => {
    if (isShown && document.visibilityState === 'visible') askAgain();
  });
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const timer = setInterval(() => onTime(), ASKED_EVERY_MS);
    document.addEventListener('visibilitychange', () => onTime(), { signal });
    addEventListener('pageshow', ({ persisted }) => persisted && onTime(), { signal });
    addEventListener('online', () => onTime(), { signal });
    return () => {
      clearInterval(timer);
      stopped.abort();
    };
  }, []);
}
