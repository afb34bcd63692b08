import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newReport, TemporaryFolder } from '../../test/local-reports.ts';
import { eventsAfter } from '../store/events.ts';
import { createReport } from '../store/reports.ts';
import { openStore, type Store } from '../store/store.ts';
import { createRecorder } from './recorder.ts';

const ID = 'local-report-1';
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const recorded = (store: Store) =>
  eventsAfter(store, ID).map(({ event: { type, phase, safeCode } }) => [type, phase, safeCode ?? null]);

test('during a long silence there is a heartbeat every 30 seconds, and none while events arrive', async () => {
  using folder = new TemporaryFolder();
  using store = await openStore(folder.path);
  createReport(store, newReport());
  using recorder = createRecorder(store, ID);
  recorder.record({ type: 'phase_started', phase: 'static_analysis' });
  vi.advanceTimersByTime(29_000);
  recorder.record({ type: 'tool_started', phase: 'static_analysis', tool: 'semgrep' });
  vi.advanceTimersByTime(29_000);
  expect(recorded(store)).toHaveLength(2);
  vi.advanceTimersByTime(31_000);
  expect(recorded(store).slice(2)).toEqual([
    ['heartbeat', 'static_analysis', null],
    ['heartbeat', 'static_analysis', null],
  ]);
});

test('steps are recorded once a second and all other events each time, without names or numbers', async () => {
  using folder = new TemporaryFolder();
  using store = await openStore(folder.path);
  createReport(store, newReport());
  using recorder = createRecorder(store, ID);
  for (let done = 1; done <= 300; done += 1) {
    recorder.record({ type: 'phase_progressed', phase: 'secret_review', done, total: 300 });
    vi.advanceTimersByTime(10);
  }
  recorder.record({ type: 'tool_completed', phase: 'secret_review', safeCode: 'timeout', tool: 'gitleaks' });
  expect(recorded(store)).toEqual([
    ['phase_progressed', 'secret_review', null],
    ['phase_progressed', 'secret_review', null],
    ['phase_progressed', 'secret_review', null],
    ['tool_completed', 'secret_review', 'timeout'],
  ]);
  const texts = store.all<{ body: string }>('SELECT body FROM events').map(({ body }) => body);
  expect(texts.join()).not.toContain('gitleaks');
});
