/** Follows a live report, and updates the queries when it ends. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { queryKey } from '../../lib/api.ts';
import type { Followed } from './followed.ts';
import { LiveFeed } from './live-feed.ts';

export function useLiveReport(reportId: string): Followed {
  const [feed] = useState(() => new LiveFeed(reportId));
  const followed = useSyncExternalStore(feed.subscribe, feed.snapshot);
  const queries = useQueryClient();
  useEffect(() => feed.start(), [feed]);
  const { ending } = followed;
  useEffect(() => {
    if (ending === null) return;
    const key = queryKey('getReport', { params: { id: reportId } });
    // Loads a new document, so that no data of the session stays in memory.
    if (ending === 'signedOut') location.assign(`/login?next=${encodeURIComponent(`/reports/${reportId}`)}`);
    else if (feed.read) queries.setQueryData(key, feed.read);
    else void queries.invalidateQueries({ queryKey: key });
    void queries.invalidateQueries({ queryKey: queryKey('listReports') });
  }, [ending, feed, queries, reportId]);
  return followed;
}
