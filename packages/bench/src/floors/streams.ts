/**
 * The floor of live streams: keeps a response open per subscriber of a channel, and writes each post to all of them
 * as one prepared chunk.
 */
import type { Socket } from 'node:net';
import { answerJson, readWhole, serve } from './serve.ts';

const channels = new Map<string, Set<Socket>>();

serve(async (request, response) => {
  const channel = channelOf(request.url ?? '');
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
    response.flushHeaders();
    const { socket } = response;
    if (!socket) return;
    channel.add(socket);
    response.once('close', () => channel.delete(socket));
    return;
  }
  const text = await readWhole(request);
  const chunk = Buffer.concat([Buffer.from(`${text.length.toString(16)}\r\n`), text, Buffer.from('\r\n')]);
  for (const socket of channel) socket.write(chunk);
  answerJson(response, 200, {});
});

function channelOf(name: string): Set<Socket> {
  let channel = channels.get(name);
  if (!channel) channels.set(name, (channel = new Set()));
  return channel;
}
