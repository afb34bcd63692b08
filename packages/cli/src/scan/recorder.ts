/**
 * Records the events of a scan, for the service and for `svc watch`. Events have no fields for names of tools or
 * numbers of files. During a long silence a heartbeat shows that the scan is alive.
 */
import { randomUUID } from 'node:crypto';
import type { ProgressPhase } from '@svc/contract';
import type { ScanEvent } from '../scanners/index.ts';
import { appendEvents, type NewEvent } from '../store/events.ts';
import type { Store } from '../store/store.ts';

const HEARTBEAT_AFTER_MS = 30_000;
/** Steps within a phase are recorded at most this often; a short phase reports a hundred within a moment. */
const STEP_EVERY_MS = 1000;

export interface Recorder extends Disposable {
  record(event: ScanEvent): void;
}

export function createRecorder(store: Store, localReportId: string): Recorder {
  let phase: ProgressPhase = 'preparing';
  let [lastAtMs, lastStepAtMs] = [Date.now(), 0];

  function append(event: Omit<NewEvent, 'eventId' | 'occurredAt'>): void {
    lastAtMs = Date.now();
    appendEvents(store, localReportId, [
      { eventId: randomUUID(), occurredAt: new Date(lastAtMs).toISOString(), ...event },
    ]);
  }

  const timer = setInterval(() => {
    if (Date.now() - lastAtMs >= HEARTBEAT_AFTER_MS) append({ type: 'heartbeat', phase });
  }, STEP_EVERY_MS);
  timer.unref();

  return {
    record({ type, phase: given, safeCode }) {
      phase = given;
      if (type === 'phase_progressed') {
        if (Date.now() - lastStepAtMs < STEP_EVERY_MS) return;
        lastStepAtMs = Date.now();
      }
      append({ type, phase, ...(safeCode && { safeCode }) });
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
