/**
 * Delivers a report's events: the oldest first, in batches. Each batch waits for the response to the previous one. A
 * batch without a response is sent again, and the service recognizes repeated events by their ids. So two processes may
 * deliver simultaneously, and the order and number of events stay correct.
 *
 * Events matter less than the report: those that the service does not accept are dropped, and the sync continues.
 */
import type { Failure } from '@svc/client';
import { limits, type Issue } from '@svc/contract';
import { markDelivered, undeliveredEvents, type NewEvent } from '../store/events.ts';
import type { Store } from '../store/store.ts';
import { reportIn, type SyncContext } from './context.ts';
import { EventRateLimit } from './event-rate-limit.ts';
import { pause } from '../pause.ts';
import { rejected } from './rejected.ts';
import { MINUTE_MS } from '../time.ts';

/** The service rejects events that are a day old by its own clock; the minute is for clocks that differ. */
const AGE_MAX_MS = limits.progressEventAgeMaxMs - MINUTE_MS;

/**
 * Delivers all events.
 * @throws CliError when the service cannot be reached or rejects the report.
 */
export async function deliverAll(
  context: SyncContext,
  localReportId: string,
  budget: EventRateLimit = new EventRateLimit(),
): Promise<void> {
  while ((await deliverSome(context, localReportId, budget)) > 0);
}

/**
 * Delivers one batch.
 * @returns how many events left the outbox; 0 when it was empty, or the report has no shell.
 */
export async function deliverSome(
  context: SyncContext,
  localReportId: string,
  budget: EventRateLimit,
): Promise<number> {
  const { store, connection } = context;
  const { reportId } = reportIn(store, localReportId).sync;
  let batch: NewEvent[];
  for (;;) {
    batch = undeliveredEvents(store, localReportId, limits.progressEventsMax);
    const tooOld = batch.filter(({ occurredAt }) => Date.now() - Date.parse(occurredAt) > AGE_MAX_MS);
    if (tooOld.length === 0) break;
    // Drops events that are too old.
    markDelivered(store, localReportId, tooOld);
  }
  if (reportId === undefined || batch.length === 0) return 0;
  const waitMs = budget.waitMs(batch.length, Date.now());
  if (waitMs > 0) await pause(waitMs, context);
  budget.spend(batch.length, Date.now());
  const outcome = await connection.attempt('sendProgress', {
    params: { id: reportId },
    body: { events: batch.map((event) => ({ ...event, reportId })) },
  });
  const settled = outcome.ok ? batch : droppedBy(outcome, batch, () => all(store, localReportId));
  if (settled === undefined) throw rejected(outcome as Failure<string>, context, localReportId);
  store.write(() => {
    // If the report got another shell in the meantime, the new shell needs all events from the beginning.
    if (reportIn(store, localReportId).sync.reportId === reportId)
      markDelivered(store, localReportId, settled);
  });
  return settled.length;
}

/** The events that a rejection is about; undefined when it is about something else. */
function droppedBy(
  { error }: Failure<string>,
  batch: readonly NewEvent[],
  rest: () => readonly NewEvent[],
): readonly NewEvent[] | undefined {
  switch (error.code) {
    // The report is final, so further events are useless.
    case 'CONFLICT':
      return rest();
    // A clock that differs by a day, or a service that knows fewer enum values.
    case 'UNSAFE_PAYLOAD_REJECTED':
    case 'VALIDATION_FAILED':
    case 'BAD_REQUEST': {
      const named = new Set(numbersIn(error.details?.['issues']));
      const events = batch.filter((_, index) => named.has(index));
      return events.length > 0 ? events : batch;
    }
    default:
      return undefined;
  }
}

function all(store: Store, localReportId: string): NewEvent[] {
  return undeliveredEvents(store, localReportId, Number.MAX_SAFE_INTEGER);
}

function numbersIn(issues: unknown): number[] {
  if (!Array.isArray(issues)) return [];
  return (issues as Partial<Issue>[]).flatMap(({ path = '' }) => {
    const number = /^\/events\/(\d{1,3})(?:\/|$)/.exec(path)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}
