/** The end of the visit before this one, an ISO timestamp; null if there was none. */
import { useEffect, useState } from 'react';
import { beginVisit, extendVisit } from './visits.ts';

export function useLastVisit(workspaceId: string): string | null {
  const [since, setSince] = useState(() => beginVisit(workspaceId, Date.now()));
  useEffect(() => {
    const extend = () => extendVisit(workspaceId, since, Date.now());
    function follow(): void {
      if (document.visibilityState === 'hidden') extend();
      else setSince(beginVisit(workspaceId, Date.now()));
    }
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      extend();
    };
  }, [workspaceId, since]);
  return since === null ? null : new Date(since).toISOString();
}
