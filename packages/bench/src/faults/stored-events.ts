/** The progress events that a new browser receives. */
import type { ProgressEvent } from '@svc/contract';
import { watchEvents } from '@svc/testkit';
import type { Person } from './people.ts';

/** The ids of the stored events, in order. */
export async function storedEventIds(url: string, { cookie }: Person, reportId: string): Promise<string[]> {
  const watch = await watchEvents(url, reportId, { cookie });
  try {
    await watch.until(() => watch.events.length > 0);
    const { count } = JSON.parse(watch.events[0]?.data ?? '') as { count: number };
    await watch.until(() => watch.events.length > count);
    return watch.events.slice(1).map(({ data }) => (JSON.parse(data) as ProgressEvent).eventId);
  } finally {
    watch.abort();
  }
}
