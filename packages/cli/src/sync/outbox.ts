/**
 * Delivers a report's events: the oldest first, a batch at a time, each until the service has answered for it. A batch
 * that was delivered without an answer is sent again, and the service tells repeats by their ids. So two processes may
 * deliver at once, and neither order nor number suffers.
 *
 * Events are worth less than the report: those that the service can not take are dropped, and the report goes on.
 */
import type { Failure } from '@svc/client';
import { limits, type Issue } from '@svc/contract';
import { markDelivered, undeliveredEvents, type NewEvent } from '../store/events.ts';
import type { Store } from '../store/store.ts';
import { reportIn, type SyncContext } from './context.ts';
import { EventBudget } from './event-budget.ts';
import { pause } from './pause.ts';
import { refused } from './refused.ts';

/** The service refuses what is a day old by its own clock; the rest is for clocks that differ. */
const AGE_MAX_MS = limits.progressEventAgeMaxMs - 60_000;

/** All that is there. @throws CliError when the service can not be reached or refuses the report. */
export async function deliverAll(
  context: SyncContext,
  localReportId: string,
  budget: EventBudget = new EventBudget(),
): Promise<void> {
  while ((await deliverSome(context, localReportId, budget)) > 0);
}

/** One batch. @returns how many events are off the outbox; 0 when there were none. */
export async function deliverSome(
  context: SyncContext,
  localReportId: string,
  budget: EventBudget,
): Promise<number> {
  const { store, connection } = context;
  const { reportId } = reportIn(store, localReportId).sync;
  const batch = nextBatch(store, localReportId, Date.now());
  if (reportId === undefined || batch.length === 0) return 0;
  const waitMs = budget.waitMs(batch.length, Date.now());
  if (waitMs > 0) await pause(waitMs, context);
  budget.spend(batch.length, Date.now());
  const outcome = await connection.attempt('sendProgress', {
    params: { id: reportId },
    body: { events: batch.map((event) => ({ ...event, reportId })) },
  });
  const settled = outcome.ok ? batch : droppedBy(outcome, batch, () => all(store, localReportId));
  if (settled === undefined) throw refused(outcome as Failure<string>, context, localReportId);
  settle(store, localReportId, reportId, settled);
  return settled.length;
}

/** What is too old is dropped on the way. */
function nextBatch(store: Store, localReportId: string, nowMs: number): NewEvent[] {
  for (;;) {
    const events = undeliveredEvents(store, localReportId, limits.progressEventsMax);
    const tooOld = events.filter(({ occurredAt }) => nowMs - Date.parse(occurredAt) > AGE_MAX_MS);
    if (tooOld.length === 0) return events;
    markDelivered(store, localReportId, idsOf(tooOld));
  }
}

/** The events that a refusal is about; undefined when it is about something else. */
function droppedBy(
  { error }: Failure<string>,
  batch: readonly NewEvent[],
  rest: () => readonly NewEvent[],
): readonly NewEvent[] | undefined {
  switch (error.code) {
    // The report is final: nothing that comes now is of use.
    case 'CONFLICT':
      return rest();
    // A clock that differs by a day, or a service that knows fewer words.
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

/** Not of a report that has got another shell meanwhile, whose stream begins anew. */
function settle(store: Store, localReportId: string, reportId: string, events: readonly NewEvent[]): void {
  store.write(() => {
    if (reportIn(store, localReportId).sync.reportId === reportId)
      markDelivered(store, localReportId, idsOf(events));
  });
}

function idsOf(events: readonly NewEvent[]): string[] {
  return events.map(({ eventId }) => eventId);
}
