/**
 * Accepts progress events. A call is stored as a whole or not at all. Its events are numbered after the report's last
 * one without a gap, so the last number is also the count.
 */
import type { ProgressEvent } from '@svc/contract';
import { AppError, validationFailed } from '#app-error';
import { rejectExpired, requireOwnReport, takeEventNumbers, updateReport } from '#features/reports';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Throttles } from '#platform/throttles';
import type { DevicePrincipal } from '#principal';
import { foreignEvents, untimelyEvents } from './policy.ts';
import * as store from './store.ts';
import type { NewEvent } from './store.ts';

export interface IngestPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly throttles: Throttles;
}

export interface Taken {
  /** The number of events stored by this call. */
  readonly accepted: number;
  /** The number of events stored earlier, or repeated within the call. */
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
      rejectWrong(events, reportId, now);
      if (report.state !== 'live') throw finalized();
      await throttles.chargeSliding('progress', `${device.deviceId} ${reportId}`, events.length);
      const fresh = newEvents(events);
      const accepted = await database.transaction(async (tx) => {
        const last = await takeEventNumbers(tx, reportId, fresh.length, now);
        if (last === null) return rejectState(tx, device, reportId, now);
        const stored = await insertNumbered(tx, reportId, fresh, last - fresh.length);
        if (stored > 0) await bus.publish(tx, topics.progress(reportId));
        return stored;
      });
      return { accepted, rejected: events.length - accepted };
    },
  };
}

/** Stores what is not stored yet, numbered after `after`; `fresh.length` numbers were reserved for it. */
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
  // Some events of this call were stored before: the numbers that were reserved for them are given back.
  if (inserted > 0) {
    await store.deleteEventsAfter(tx, reportId, after);
    const eventIds = fresh.map(({ eventId }) => eventId);
    const stored = await store.listStoredIds(tx, reportId, eventIds);
    await store.insertEvents(tx, numbered(fresh.filter(({ eventId }) => !stored.has(eventId))));
  }
  await updateReport(tx, reportId, { lastEventNumber: after + inserted });
  return inserted;
}

/** Ids are compared without case, and the first of equal ids in a call counts. */
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

function rejectWrong(events: readonly ProgressEvent[], reportId: string, now: number): void {
  const foreign = foreignEvents(events, reportId);
  if (foreign.length > 0) throw validationFailed(...foreign);
  const untimely = untimelyEvents(events, now).map((issue) => ({ ...issue, rule: 'schema' as const }));
  if (untimely.length > 0) throw new AppError('UNSAFE_PAYLOAD_REJECTED', { details: { issues: untimely } });
}

/** Rejects a call whose report has expired or become final since it was read. */
async function rejectState(tx: Tx, device: DevicePrincipal, reportId: string, now: number): Promise<never> {
  rejectExpired(await requireOwnReport(tx, device, reportId, now), now);
  throw finalized();
}

function finalized(): AppError {
  return new AppError('CONFLICT', { message: 'The report is final and accepts no more progress events.' });
}
