/** The outbox of a report's progress: events in order, and which of them the service has. */
import type { ProgressEvent } from '@svc/contract';
import { rowOf } from './reports.ts';
import type { Store } from './store.ts';

/** An event without the id of the report in the service, which may not exist yet. */
export type NewEvent = Omit<ProgressEvent, 'reportId'>;

export interface LocalEvent extends NewEvent {
  readonly isDelivered: boolean;
}

/** An event whose id exists is skipped. */
export function appendEvents(store: Store, localReportId: string, events: readonly NewEvent[]): void {
  if (events.length === 0) return;
  store.write(() => {
    const { number } = rowOf(store, localReportId);
    for (const event of events) {
      store.run(
        'INSERT INTO events (report, event_id, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        number,
        event.eventId,
        JSON.stringify(event),
      );
    }
  });
}

/** The oldest events that the service does not have, in order. */
export function undeliveredEvents(store: Store, localReportId: string, countMax: number): NewEvent[] {
  return store
    .all<{ body: string }>(
      `SELECT events.body FROM events JOIN reports ON reports.number = events.report
       WHERE reports.local_report_id = ? AND is_delivered = 0 ORDER BY events.number LIMIT ?`,
      localReportId,
      countMax,
    )
    .map(({ body }) => store.parsed<NewEvent>(body));
}

/** Marks events that need not be sent again: the service has them, or they were dropped. */
export function markDelivered(
  store: Store,
  localReportId: string,
  events: readonly Pick<NewEvent, 'eventId'>[],
): void {
  if (events.length === 0) return;
  store.write(() => {
    const { number } = rowOf(store, localReportId);
    for (const { eventId } of events)
      store.run('UPDATE events SET is_delivered = 1 WHERE report = ? AND event_id = ?', number, eventId);
  });
}

/** All events, or those after a number. Pass the last `number` to the next call to continue there. */
export function eventsAfter(
  store: Store,
  localReportId: string,
  number = 0,
): { readonly number: number; readonly event: LocalEvent }[] {
  return store
    .all<{ number: number; body: string; is_delivered: number }>(
      `SELECT events.number, events.body, events.is_delivered
       FROM events JOIN reports ON reports.number = events.report
       WHERE reports.local_report_id = ? AND events.number > ? ORDER BY events.number`,
      localReportId,
      number,
    )
    .map((row) => ({
      number: row.number,
      event: { ...store.parsed<NewEvent>(row.body), isDelivered: row.is_delivered === 1 },
    }));
}

/** Called for a report that gets another shell, whose stream begins again. */
export function forgetDeliveries(store: Store, localReportId: string): void {
  const { number } = rowOf(store, localReportId);
  store.run('UPDATE events SET is_delivered = 0 WHERE report = ? AND is_delivered = 1', number);
}
