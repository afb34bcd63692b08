/** Progress events of a scan, as a device sends them. */
import { randomUUID } from 'node:crypto';
import type { ProgressEvent } from '@svc/contract';
import type { Clock } from '@svc/server/ports';
import type { Actor } from './actors.ts';
import { bodyOf } from './outcomes.ts';

/** A heartbeat with the current time by default. */
export function progressEvent(
  clock: Clock,
  reportId: string,
  given: Partial<ProgressEvent> = {},
): ProgressEvent {
  const occurredAt = new Date(clock.now()).toISOString();
  return { eventId: randomUUID(), reportId, type: 'heartbeat', occurredAt, ...given };
}

export function progressEvents(clock: Clock, reportId: string, count: number): ProgressEvent[] {
  return Array.from({ length: count }, () => progressEvent(clock, reportId));
}

/** Sends events to a report, in as many calls as needed. */
export async function sendProgress(
  device: Pick<Actor, 'api'>,
  id: string,
  events: readonly ProgressEvent[],
): Promise<void> {
  for (let from = 0; from < events.length; from += 25)
    bodyOf(
      await device.api.sendProgress({ params: { id }, body: { events: events.slice(from, from + 25) } }),
    );
}
