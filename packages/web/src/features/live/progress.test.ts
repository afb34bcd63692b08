import type { ProgressEvent } from '@svc/contract';
import { progressPhases, progressTypes } from '@svc/contract/enums';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { progressOf } from './progress.ts';

type Said = Pick<ProgressEvent, 'type'> & Partial<ProgressEvent>;

let events = 0;
const said = (given: Said): ProgressEvent => {
  events += 1;
  return {
    eventId: `event-${events}`,
    reportId: 'rep_1',
    occurredAt: '2026-03-04T05:06:07.000Z',
    ...given,
  };
};
const after = (...given: Said[]) => progressOf(given.map(said));

test('a phase is in progress from its first event until it completes', () => {
  expect(after({ type: 'phase_started', phase: 'inventory' }).phases).toEqual([
    { phase: 'inventory', isDone: false, how: '' },
  ]);
  expect(
    after(
      { type: 'tool_started', phase: 'inventory' },
      { type: 'phase_completed', phase: 'inventory', safeCode: 'partial' },
    ).phases,
  ).toEqual([{ phase: 'inventory', isDone: true, how: 'partial' }]);
});

test('only phase_started restarts a completed phase', () => {
  const done: Said[] = [
    { type: 'phase_started', phase: 'inventory' },
    { type: 'phase_completed', phase: 'inventory' },
  ];
  expect(after(...done, { type: 'phase_progressed', phase: 'inventory' }).phases[0]?.isDone).toBe(true);
  const again = after(...done, { type: 'phase_started', phase: 'inventory' });
  expect(again.phases[0]?.isDone).toBe(false);
  expect(again.newest).toEqual({ phase: 'inventory', isDone: false, how: '' });
});

test('heartbeats create no line, and repeated events form one line with a count', () => {
  const { lines } = after(
    { type: 'heartbeat' },
    { type: 'candidate_found', phase: 'verification' },
    { type: 'heartbeat' },
    { type: 'candidate_found', phase: 'verification', occurredAt: '2026-03-04T05:06:09.000Z' },
    { type: 'warning', safeCode: 'timeout' },
  );
  expect(lines).toEqual([
    {
      key: expect.any(String) as string,
      at: '2026-03-04T05:06:09.000Z',
      text: 'Candidate found · Verifying',
      times: 2,
      isTrouble: false,
    },
    {
      key: expect.any(String) as string,
      at: '2026-03-04T05:06:07.000Z',
      text: 'Warning · timed out',
      times: 1,
      isTrouble: true,
    },
  ]);
});

test('lines of phases start with the phase, all others with the event', () => {
  const { lines } = after(
    { type: 'phase_started', phase: 'inventory' },
    { type: 'tool_completed', phase: 'secret_review', safeCode: 'tool_failed' },
  );
  expect(lines.map(({ text }) => text)).toEqual([
    'Listing files · started',
    'Tool completed · Searching for secrets · tool failed',
  ]);
});

test('a scan that starts again after a failure counts as running', () => {
  expect(after({ type: 'scan_started' }, { type: 'scan_failed' }).outcome).toBe('scan_failed');
  expect(after({ type: 'scan_failed' }, { type: 'scan_started' }).outcome).toBeNull();
});

test('every event except heartbeats is in one line, and every finding is counted', () => {
  const anything = fc.record(
    { type: fc.constantFrom(...progressTypes), phase: fc.constantFrom(...progressPhases) },
    { requiredKeys: ['type'] },
  );
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 60 }), (given) => {
      const { lines, counts, phases } = after(...given);
      const expected = given.filter(({ type }) => type !== 'heartbeat');
      expect(lines.reduce((sum, { times }) => sum + times, 0)).toBe(expected.length);
      expect(counts.findings).toBe(given.filter(({ type }) => type === 'finding_recorded').length);
      expect(phases.map(({ phase }) => phase)).toEqual([
        ...new Set(given.flatMap(({ phase }) => (phase === undefined ? [] : [phase]))),
      ]);
    }),
  );
});
