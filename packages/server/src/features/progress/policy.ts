/** Rules of progress that need no database. */
import { limits, type Issue, type ProgressEvent } from '@svc/contract';

/** Events with another report's id: the client composed the call wrongly. */
export function foreignEvents(events: readonly ProgressEvent[], reportId: string): Issue[] {
  return issuesWhere(
    events,
    (event) => event.reportId !== reportId,
    'reportId',
    'must be the id in the path',
  );
}

/** Events whose time is too far from the service's clock. */
export function untimelyEvents(events: readonly ProgressEvent[], now: number): Issue[] {
  return issuesWhere(
    events,
    (event) => Math.abs(Date.parse(event.occurredAt) - now) > limits.progressEventAgeMaxMs,
    'occurredAt',
    'must be within 24 hours of now',
  );
}

function issuesWhere(
  events: readonly ProgressEvent[],
  isWrong: (event: ProgressEvent) => boolean,
  field: keyof ProgressEvent,
  message: string,
): Issue[] {
  return events
    .flatMap((event, index) => (isWrong(event) ? [{ path: `/events/${index}/${field}`, message }] : []))
    .slice(0, limits.issuesMax);
}

/**
 * The number of the event after which a stream begins. A number that no stored event has leads to a full replay: the
 * service never sent it, or has deleted the event.
 */
export function cursorOf(lastEventId: string | undefined, lastEventNumber: number): number {
  const number = /^[1-9]\d{0,14}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0;
  return number <= lastEventNumber ? number : 0;
}
