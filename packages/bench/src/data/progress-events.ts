/**
 * Progress events for measurements. Their ids contain a sequence number, with which a reader detects missing events,
 * and their creation time, with which it measures delays.
 */
import { progressPhases, safeCodes, type ProgressEvent } from '@svc/contract';

/** In µs, from a clock that all processes of the machine share. */
export function machineTimeUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** @param number from 0. */
export function progressEvent(reportId: string, number: number): ProgressEvent {
  const made = machineTimeUs().toString(16).padStart(12, '0');
  return {
    eventId: `${number.toString(16).padStart(8, '0')}-0000-4000-8000-${made}`,
    reportId,
    type: 'phase_progressed',
    occurredAt: new Date().toISOString(),
    phase: progressPhases[number % progressPhases.length] ?? 'inventory',
    safeCode: safeCodes[number % safeCodes.length] ?? 'ok',
  };
}

export function progressBody(reportId: string, firstNumber: number, count: number): string {
  const events = Array.from({ length: count }, (_, index) => progressEvent(reportId, firstNumber + index));
  return JSON.stringify({ events });
}
