/** Interrupts progress events: accepted events are stored exactly once, and repeating them adds none. */
import { randomUUID } from 'node:crypto';
import type { ProgressEvent } from '@svc/contract';
import type { ServiceProcess } from '@svc/testkit';
import { attempt, inWords } from './attempt.ts';
import type { Point } from './kill-points.ts';
import { deviceOf, newReport, type Known, type Person } from './people.ts';
import { mustTake, stepsLeft } from './steps.ts';
import { storedEventIds } from './stored-events.ts';

const BODY_BYTES = 3000;
const EVENTS_AT_ONCE = 10;
const CALLS_BEFORE = 2;

export async function interruptProgress(
  service: ServiceProcess,
  person: Person,
  point: Point,
  chance: number,
): Promise<(service: ServiceProcess) => Promise<string[]>> {
  const report = newReport(person, BODY_BYTES);
  await mustTake(['create'], { actors: service, person, report });
  const send = (at: ServiceProcess, events: readonly ProgressEvent[]) =>
    attempt((signal) =>
      deviceOf(at, person).api.sendProgress({
        params: { id: report.reportId ?? '' },
        body: { events: [...events] },
        signal,
      }),
    );
  const accepted: ProgressEvent[] = [];
  for (let call = 0; call < CALLS_BEFORE; call += 1) {
    const events = newEvents(report);
    const came = await send(service, events);
    if (came.kind !== 'done') throw new Error(`progress should be accepted, but was ${inWords(came)}`);
    accepted.push(...events);
  }
  const storedIds = ({ url }: ServiceProcess) => storedEventIds(url, person, report.reportId ?? '');
  const last = newEvents(report);
  await point.reach(service, {
    call: async () => {
      if ((await send(service, last)).kind === 'done') accepted.push(...last);
    },
    upload: { id: '', deviceToken: '', bytes: new Uint8Array() },
    chance,
  });
  return async (again) => {
    const problems = lacking(accepted, await storedIds(again));
    const came = await send(again, last);
    if (came.kind !== 'done') problems.push(`repeated progress was ${inWords(came)}`);
    const stored = await storedIds(again);
    problems.push(...lacking([...accepted, ...last], stored));
    if (stored.length !== (CALLS_BEFORE + 1) * EVENTS_AT_ONCE)
      problems.push(`${stored.length} events are stored`);
    await mustTake(stepsLeft(report), { actors: again, person, report });
    return problems;
  };
}

function newEvents(report: Known): ProgressEvent[] {
  return Array.from({ length: EVENTS_AT_ONCE }, () => ({
    eventId: randomUUID(),
    reportId: report.reportId ?? '',
    type: 'phase_progressed',
    occurredAt: new Date().toISOString(),
    phase: 'inventory',
  }));
}

function lacking(accepted: readonly ProgressEvent[], stored: readonly string[]): string[] {
  const ids = new Set(stored);
  const lost = accepted.filter(({ eventId }) => !ids.has(eventId)).length;
  return lost === 0 ? [] : [`${lost} accepted events are missing`];
}
