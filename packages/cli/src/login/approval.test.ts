import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { eagerClock } from '../../test/eager-clock.ts';
import { connectTo } from '../connection/connect.ts';
import { RetryBudget } from '../connection/retry-budget.ts';
import { untilApproved } from './approval.ts';

test.each([
  [2000, 2000],
  [0, 1000],
  [-1, 1000],
  [Number.POSITIVE_INFINITY, 60_000],
])('[D4] polls with a requested interval of %d ms are %d ms apart', async (pollIntervalMs, apartMs) => {
  const approved = JSON.stringify({ status: 'approved', expiresAt: '2026-03-04T05:06:07.000Z' });
  const service = createServer((_request, response) => response.end(approved));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { signal } = new AbortController();
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const connection = connectTo(origin, null, {
    clock: eagerClock,
    retries: new RetryBudget(eagerClock),
    signal,
  });
  const waits: number[] = [];
  const wait = (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  };
  try {
    await untilApproved(connection, { publicRequestId: 'a', pollIntervalMs }, signal, { now: () => 0, wait });
  } finally {
    service.closeAllConnections();
    service.close();
  }
  expect(waits).toEqual([apartMs]);
});
