/** Writes progress events as server-sent events. */
import type { ProgressEvent, StreamHello } from '@svc/contract';
import { limits } from '@svc/contract';
import { frameOf, type Frame } from '#event-sink';
import { isoTime } from '#platform/clock';
import type { EventRow } from './store.ts';

export function helloFrame(count: number): Frame {
  const hello: StreamHello = { replay: count > 0, count };
  return frameOf(`retry: ${limits.streamRetryMs}\n\nevent: hello\ndata: ${JSON.stringify(hello)}\n\n`);
}

export function eventsFrame(rows: readonly EventRow[]): Frame {
  return frameOf(rows.map(eventText).join(''));
}

export const heartbeatFrame = frameOf(':\n\n');

function eventText(row: EventRow): string {
  return `id: ${row.number}\nevent: progress\ndata: ${JSON.stringify(toProgressEvent(row))}\n\n`;
}

function toProgressEvent(row: EventRow): ProgressEvent {
  return {
    eventId: row.eventId,
    reportId: row.reportId,
    type: row.type,
    occurredAt: isoTime(row.occurredAt),
    ...(row.phase === null ? {} : { phase: row.phase }),
    ...(row.safeCode === null ? {} : { safeCode: row.safeCode }),
  };
}
