/**
 * Progress events for measurements. Their ids bear a running number within the report, by which a reader tells what is
 * missing, and the moment at which they were made, by which it tells how long they took.
 */
import { progressPhases, safeCodes, type ProgressEvent } from '@svc/contract';

/** On a clock that all processes of a machine share; in µs. */
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
