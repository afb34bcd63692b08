/** What is known of a live report in one tab, and how it grows by what other tabs and the stream tell. */
import type { ProgressEvent } from '@svc/contract';

/** An event with its number in the stream. */
export interface Numbered {
  readonly number: number;
  readonly event: ProgressEvent;
}

/** How the events come: not yet, as they happen, or not since something failed. */
export type Connection =
  | { readonly is: 'opening' }
  | { readonly is: 'open' }
  | { readonly is: 'failing'; readonly message: string };

/** Why there is nothing more to come. */
export type Ending = 'final' | 'gone' | 'signedOut';

export interface Followed {
  readonly events: readonly Numbered[];
  readonly connection: Connection;
  readonly ending: Ending | null;
}

export const nothingYet: Followed = { events: [], connection: { is: 'opening' }, ending: null };

/** The number of the last event that is known; 0 before the first. */
export function lastNumber({ events }: Pick<Followed, 'events'>): number {
  return events.at(-1)?.number ?? 0;
}

/**
 * With those of some events that are not known yet. They follow the event `after` without a gap.
 * @returns null when something between what is known and these is missing.
 */
export function withEvents(followed: Followed, after: number, events: readonly Numbered[]): Followed | null {
  const last = lastNumber(followed);
  if (after > last) return null;
  const fresh = events.filter(({ number }) => number > last);
  return fresh.length === 0 ? followed : { ...followed, events: [...followed.events, ...fresh] };
}
