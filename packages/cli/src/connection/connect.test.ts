/** What is at the address of the service need not be the service. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { eagerClock } from '../../test/eager-clock.ts';
import { connectTo } from './connect.ts';

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
  connectTo(origin, null, { clock: eagerClock, signal: new AbortController().signal });

const window = { used: 1, limit: 5, resetsAt: '2026-03-04T06:00:00.000Z' };
const quota = { eligible: true, daily: window, weekly: window, retentionDays: 21, plan: 'free' };

describe('an answer', () => {
  test.each([
    ['nothing', null],
    ['a list', []],
    ['an object without fields', {}],
    ['a field too few', { ...quota, weekly: undefined }],
    ['a field too few further in', { ...quota, daily: { used: 1, limit: 5 } }],
    ['a truth in words', { ...quota, eligible: 'yes' }],
    ['a number in words', { ...quota, retentionDays: '21' }],
    ['an object for a word', { ...quota, plan: {} }],
    ['null for an object', { ...quota, daily: null }],
  ])('that holds %s is not taken for the service’s', async (_title, body) => {
    await using stranger = await answering(body);
    await expect(connected(stranger.origin).call('getSyncQuota')).rejects.toMatchObject({
      reason: 'failed',
      message: `${stranger.origin} does not answer as the service does (status 200).`,
    });
  });

  test.each([
    ['a list that is none', { projects: {} }],
    ['a list with something else in it', { projects: [1] }],
  ])('with %s is not taken for the service’s', async (_title, body) => {
    await using stranger = await answering(body);
    await expect(connected(stranger.origin).call('listProjects')).rejects.toMatchObject({ reason: 'failed' });
  });

  test('of a newer service may hold more than is known', async () => {
    const body = { ...quota, plan: 'business', monthly: window, daily: { ...window, spare: 1 } };
    await using stranger = await answering(body);
    expect(await connected(stranger.origin).call('getSyncQuota')).toMatchObject({ body });
  });

  test('without an end is read to a bound, and asked for once', async () => {
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
      message: `${stranger.origin} does not answer as the service does (status 200).`,
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
])('a service that asks for a pause of %s is asked again %s', async (header, words) => {
  await using stranger = await startStranger((_request, response) =>
    response
      .writeHead(429, { 'retry-after': header })
      .end(JSON.stringify({ error: { code: 'RATE_LIMITED', message: 'm', requestId: 'r' } })),
  );
  await expect(connected(stranger.origin).call('getSyncQuota')).rejects.toMatchObject({
    hint: `Try again ${words}.`,
  });
});
