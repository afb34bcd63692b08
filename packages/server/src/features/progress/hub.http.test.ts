/** The fan-out of one report, with reads of the database that take as long as a test wants. */
import { createFakeClock, createShell, progressEvents, sendProgress } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { expect, test } from 'vitest';
import type { EventSink } from '#event-sink';
import { Hub } from './hub.ts';
import { Stream } from './stream.ts';

const clock = createFakeClock();
const server = sharedServer({ clock });

test('[D7] an event that is stored during a read is sent after it, without another hint', async () => {
  const device = await server.linkDevice(await server.signUp());
  const { reportId } = await createShell(device);
  const send = () => sendProgress(device, reportId, progressEvents(clock, reportId, 1));

  const [began, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const read = server.service.database.read.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      began.resolve();
      await goOn.promise;
      return result;
    },
  });
  const errors: unknown[] = [];
  const hub = new Hub(reportId, { ...server.service.database, read }, (error) => errors.push(error));
  const stream = new Stream('usr', 'ses', reportId);
  let text = '';
  const sink: EventSink = {
    send: (frame) => (text += Buffer.from(frame).toString()),
    queuedBytes: 0,
    taken: () => Promise.resolve(),
    end: () => undefined,
    cut: () => undefined,
  };
  stream.begin(sink);
  hub.join(stream, hub.hints);

  await send();
  hub.hint();
  await began.promise;
  await send();
  hub.hint();
  goOn.resolve();
  await expect.poll(() => text.match(/^id: .*$/gm)).toEqual(['id: 1', 'id: 2']);
  expect(errors).toEqual([]);
});
