/**
 * Taking progress events in. A call is stored whole or not at all, and its events get the numbers that follow the
 * report's last one without a gap, so that the last number is also the count.
 */
import { limits, type ProgressEvent } from '@svc/contract';
import { AppError, validationFailed } from '#app-error';
import { refuseExpired, requireOwnReport } from '#features/reports';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Throttles } from '#platform/throttles';
import type { DevicePrincipal } from '#principal';
import { foreignEvents, untimelyEvents } from './policy.ts';
import * as store from './store.ts';
import type { NewEvent } from './store.ts';

const BUDGET = { limit: limits.progressEventsPerMinuteMax, windowMs: 60_000 };

export interface IngestPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly throttles: Throttles;
}

export interface Taken {
  /** Stored by this call. */
  readonly accepted: number;
  /** Stored before, or repeated within the call. */
  readonly rejected: number;
}

export interface IngestService {
  /**
   * @throws AppError NOT_FOUND, REPORT_EXPIRED, VALIDATION_FAILED, UNSAFE_PAYLOAD_REJECTED, CONFLICT once the report is
   * finalized, RATE_LIMITED; then nothing of the call is stored.
   */
  take(device: DevicePrincipal, reportId: string, events: readonly ProgressEvent[]): Promise<Taken>;
}

export function createIngestService({ database, bus, clock, throttles }: IngestPorts): IngestService {
  return {
    async take(device, reportId, events) {
      const now = clock.now();
      const report = await requireOwnReport(database.read, device, reportId, now);
      refuseWrong(events, reportId, now);
      if (report.state !== 'live') throw finalized();
      await throttles.chargeSliding('progress', `${device.deviceId} ${reportId}`, events.length, BUDGET);
      const fresh = newEvents(events);
      const accepted = await database.transaction(async (tx) => {
        const last = await store.takeNumbers(tx, reportId, fresh.length, now);
        if (last === null) return refuseState(tx, device, reportId, now);
        const stored = await insertNumbered(tx, reportId, fresh, last - fresh.length);
        if (stored > 0) await bus.publish(tx, topics.progress(reportId));
        return stored;
      });
      return { accepted, rejected: events.length - accepted };
    },
  };
}

/** Stores what is not stored yet, numbered from `after` on; `fresh.length` numbers were taken for it. */
async function insertNumbered(
  tx: Tx,
  reportId: string,
  fresh: readonly NewEvent[],
  after: number,
): Promise<number> {
  const numbered = (events: readonly NewEvent[]) =>
    events.map((event, index) => ({ ...event, number: after + 1 + index }));
  const inserted = await store.insertEvents(tx, numbered(fresh));
  if (inserted === fresh.length) return inserted;
  // A call that was sent again, in whole or in part: the numbers of what is stored already are given back.
  if (inserted > 0) {
    await store.deleteEventsAfter(tx, reportId, after);
    const eventIds = fresh.map(({ eventId }) => eventId);
    const stored = await store.listStoredIds(tx, reportId, eventIds);
    await store.insertEvents(tx, numbered(fresh.filter(({ eventId }) => !stored.has(eventId))));
  }
  await store.setLastNumber(tx, reportId, after + inserted);
  return inserted;
}

/** Upper and lower case are one id; of events with one id in a call the first counts. */
function newEvents(events: readonly ProgressEvent[]): NewEvent[] {
  const byId = new Map<string, NewEvent>();
  for (const { eventId, reportId, type, occurredAt, phase, safeCode } of events) {
    const id = eventId.toLowerCase();
    if (byId.has(id)) continue;
    byId.set(id, {
      reportId,
      eventId: id,
      type,
      occurredAt: Date.parse(occurredAt),
      phase: phase ?? null,
      safeCode: safeCode ?? null,
    });
  }
  return [...byId.values()];
}

function refuseWrong(events: readonly ProgressEvent[], reportId: string, now: number): void {
  const foreign = foreignEvents(events, reportId);
  if (foreign.length > 0) throw validationFailed(...foreign);
  const untimely = untimelyEvents(events, now);
  if (untimely.length > 0) throw new AppError('UNSAFE_PAYLOAD_REJECTED', { details: { issues: untimely } });
}

/** The report has changed since it was looked at. */
async function refuseState(tx: Tx, device: DevicePrincipal, reportId: string, now: number): Promise<never> {
  refuseExpired(await requireOwnReport(tx, device, reportId, now), now);
  throw finalized();
}

function finalized(): AppError {
  return new AppError('CONFLICT', { message: 'The report is final: it takes no more progress.' });
}
