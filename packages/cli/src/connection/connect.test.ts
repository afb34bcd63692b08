/** Connecting to an address where another program than the service may answer. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { eagerClock } from '../../test/eager-clock.ts';
import { connectTo } from './connect.ts';
import { RetryBudget } from './retry-budget.ts';

async function startStranger(listener: RequestListener): Promise<{ origin: string } & AsyncDisposable> {
  const stranger = createServer(listener);
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      stranger.closeAllConnections();
      await new Promise((resolve) => stranger.close(resolve));
    },
  };
}

const answering = (body: unknown) =>
  startStranger((_request, response) => response.writeHead(200).end(JSON.stringify(body)));

const connected = (origin: string) =>
  connectTo(origin, null, {
    clock: eagerClock,
    retries: new RetryBudget(eagerClock),
    signal: new AbortController().signal,
  });

const window = { used: 1, limit: 5, resetsAt: '2026-03-04T06:00:00.000Z' };
const quota = { eligible: true, daily: window, weekly: window, retentionDays: 21, plan: 'free' };

describe('a response', () => {
  test.each([
    ['nothing', null],
    ['a list', []],
    ['an object without fields', {}],
    ['a missing field', { ...quota, weekly: undefined }],
    ['a missing nested field', { ...quota, daily: { used: 1, limit: 5 } }],
    ['a boolean as text', { ...quota, eligible: 'yes' }],
    ['a number as text', { ...quota, retentionDays: '21' }],
    ['an object instead of text', { ...quota, plan: {} }],
    ['null instead of an object', { ...quota, daily: null }],
  ])('that contains %s is not accepted as a response of the service', async (_title, body) => {
    await using stranger = await answering(body);
    await expect(connected(stranger.origin).call('getSyncQuota')).rejects.toMatchObject({
      reason: 'failed',
      message: `${stranger.origin} does not respond like the service (status 200).`,
    });
  });

  test.each([
    ['an invalid list', { projects: {} }],
    ['a list with an item of another type', { projects: [1] }],
  ])('with %s is not accepted as a response of the service', async (_title, body) => {
    await using stranger = await answering(body);
    await expect(connected(stranger.origin).call('listProjects')).rejects.toMatchObject({ reason: 'failed' });
  });

  test('of a newer service may contain unknown fields', async () => {
    const body = { ...quota, plan: 'business', monthly: window, daily: { ...window, spare: 1 } };
    await using stranger = await answering(body);
    expect(await connected(stranger.origin).call('getSyncQuota')).toMatchObject({ body });
  });

  test('without an end is read up to a limit, and requested once', async () => {
    let [asked, sentBytes] = [0, 0];
    const chunk = Buffer.alloc(2 ** 20, ' ');
    await using stranger = await startStranger((_request, response) => {
      asked += 1;
      const more = () => {
        while (!response.destroyed) {
          sentBytes += chunk.byteLength;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      more();
    });
    await expect(connected(stranger.origin).call('getSyncQuota')).rejects.toMatchObject({
      message: `${stranger.origin} does not respond like the service (status 200).`,
    });
    expect(asked).toBe(1);
    expect(sentBytes).toBeLessThan(64 * 2 ** 20);
  });
});

test.each([
  ['1', 'in 1 second'],
  ['0', 'in 0 seconds'],
  ['-5', 'later'],
  ['600', 'in 10 minutes'],
  ['86400', 'in 24 hours'],
])('if the service asks for a pause of %s, the hint says to try again %s', async (header, words) => {
  await using stranger = await startStranger((_request, response) =>
    response
      .writeHead(429, { 'retry-after': header })
      .end(JSON.stringify({ error: { code: 'RATE_LIMITED', message: 'm', requestId: 'r' } })),
  );
  await expect(connected(stranger.origin).call('getSyncQuota')).rejects.toMatchObject({
    hint: `Try again ${words}.`,
  });
});
