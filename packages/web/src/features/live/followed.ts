/** The state of a live report in one tab, and how updates from other tabs and from the stream extend it. */
import type { ProgressEvent } from '@svc/contract';

/** An event with its number in the stream. */
export interface Numbered {
  readonly number: number;
  readonly event: ProgressEvent;
}

/** The state of the event stream: opening, open with the number of the newest event at that time, or failing. */
export type Connection =
  | { readonly is: 'opening' }
  | { readonly is: 'open'; readonly newest: number }
  | { readonly is: 'failing'; readonly message: string };

/** Why no more events will come. */
export type Ending = 'final' | 'gone' | 'signedOut';

export interface Followed {
  readonly events: readonly Numbered[];
  readonly connection: Connection;
  readonly ending: Ending | null;
}

export const nothingYet: Followed = { events: [], connection: { is: 'opening' }, ending: null };

/** The number of the last known event; 0 before the first. */
export function lastNumber({ events }: Pick<Followed, 'events'>): number {
  return events.at(-1)?.number ?? 0;
}

/**
 * Adds the events that are not known yet. `events` follow the event `after` without a gap.
 * @returns null if events between the known ones and these are missing.
 */
export function withEvents(followed: Followed, after: number, events: readonly Numbered[]): Followed | null {
  const last = lastNumber(followed);
  if (after > last) return null;
  const fresh = events.filter(({ number }) => number > last);
  return fresh.length === 0 ? followed : { ...followed, events: [...followed.events, ...fresh] };
}

/** Whether all events that the service had when the stream opened are known. */
export function isCaughtUp({ events, connection }: Pick<Followed, 'events' | 'connection'>): boolean {
  return connection.is === 'open' && lastNumber({ events }) >= connection.newest;
}
