import { createFakeClock } from '@svc/testkit';
import { expect, test } from 'vitest';
import { HOUR_MS } from '../clock.ts';
import { createHealthRecord } from './health-record.ts';
import { noMetrics, type MeasuredRequest } from './metrics.ts';

const request = (code?: string): MeasuredRequest => ({
  method: 'GET',
  route: '/',
  status: 404,
  seconds: 0,
  code,
});

test('errors are counted by code, the most frequent first, and successes are not', () => {
  const { metrics, errors } = createHealthRecord(createFakeClock(), noMetrics);
  for (const code of ['NOT_FOUND', 'INTERNAL', undefined, 'NOT_FOUND', 'FORBIDDEN'])
    metrics.request(request(code));
  expect(errors()).toEqual([
    { code: 'NOT_FOUND', count: 2 },
    { code: 'FORBIDDEN', count: 1 },
    { code: 'INTERNAL', count: 1 },
  ]);
});

test('errors are forgotten after 24 hours', () => {
  const clock = createFakeClock(100 * HOUR_MS);
  const { metrics, errors } = createHealthRecord(clock, noMetrics);
  metrics.request(request('NOT_FOUND'));
  clock.advance(24 * HOUR_MS - 1);
  metrics.request(request('NOT_FOUND'));
  expect(errors()).toEqual([{ code: 'NOT_FOUND', count: 2 }]);
  clock.advance(1);
  expect(errors()).toEqual([{ code: 'NOT_FOUND', count: 1 }]);
});

test('the record of a job has its last run, and none before the first', () => {
  const clock = createFakeClock();
  const { metrics, jobs } = createHealthRecord(clock, noMetrics);
  metrics.expectJob('expiry');
  expect(jobs()).toEqual([{ name: 'expiry', last: null }]);
  metrics.job('expiry', 'failed', 0.0204);
  expect(jobs()).toEqual([{ name: 'expiry', last: { at: clock.now(), result: 'failed', tookMs: 20 } }]);
});

test('the record of a queue has what waits now and what was rejected, and the metrics get both', () => {
  const passed: string[] = [];
  const { metrics, queues } = createHealthRecord(createFakeClock(), {
    ...noMetrics,
    capacity: (name) => ({
      waiting: (change) => passed.push(`${name} ${change}`),
      rejected: () => passed.push(`${name} rejected`),
    }),
  });
  const meter = metrics.capacity('hashing');
  meter.waiting(1);
  meter.waiting(1);
  meter.waiting(-1);
  meter.rejected();
  expect(queues()).toEqual([{ name: 'hashing', waiting: 1, rejected: 1 }]);
  expect(passed).toEqual(['hashing 1', 'hashing 1', 'hashing -1', 'hashing rejected']);
});
