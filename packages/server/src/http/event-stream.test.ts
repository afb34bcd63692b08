import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { frameOf, type StreamSource } from '#event-sink';
import { connectRaw } from '@svc/testkit/raw-http';
import { answerWithEvents } from './event-stream.ts';
import { standardHeaders } from './headers.ts';

const REQUEST = 'GET /events HTTP/1.1\r\nHost: svc.test\r\n\r\n';

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** Answers with a stream once `mayBegin` resolves. */
async function listening(source: StreamSource, mayBegin: (gone: Promise<void>) => Promise<void>) {
  app = Fastify({ forceCloseConnections: true });
  app.decorate('standardHeaders', standardHeaders(false));
  app.get('/events', async (request, reply) => {
    await mayBegin(new Promise((resolve) => void request.raw.socket.once('close', () => resolve())));
    answerWithEvents(request, reply, source);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as { port: number }).port;
}

test('[T13] a stream whose client disconnected before it began ends immediately', async () => {
  const over = Promise.withResolvers<string>();
  const arrived = Promise.withResolvers<void>();
  const source: StreamSource = (sink) => {
    sink.send(frameOf(':\n\n'));
    return () => over.resolve('over');
  };
  const port = await listening(source, (gone) => {
    arrived.resolve();
    return gone;
  });
  await using connection = await connectRaw(port);
  await connection.send(REQUEST);
  await arrived.promise;

  connection.abort();

  expect(await over.promise).toBe('over');
});
