/**
 * Answers with a stream of server-sent events.
 *
 * Frames are written directly to the connection, without Node's chunk encoder, so that a frame for ten thousand streams
 * is encoded once. So a stream must be alone on its connection, which is the case once the earlier responses are sent.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EventSink, Frame, StreamSource } from '#event-sink';
import { headersOf } from '#http/headers';

export function answerWithEvents(request: FastifyRequest, reply: FastifyReply, source: StreamSource): void {
  const response = reply.raw;
  const isChunked = request.raw.httpVersionMinor >= 1;
  reply.hijack();
  response.writeHead(200, {
    ...headersOf(reply),
    'content-type': 'text/event-stream; charset=utf-8',
    // A proxy that buffers the response would delay the events.
    'x-accel-buffering': 'no',
    ...(isChunked ? { 'transfer-encoding': 'chunked' } : { connection: 'close' }),
  });
  response.flushHeaders();
  // Heartbeats find out whether the client is there, and a timer would be set back at each event.
  response.socket?.setTimeout(0);
  const closed = source(new ResponseSink(response, isChunked));
  if (response.socket && !response.closed) response.on('close', closed);
  else {
    // Either the client disconnected during the access check, so no further event will signal that; or an earlier
    // response is still pending, for which a stream does not wait.
    closed();
    request.raw.destroy();
  }
}

class ResponseSink implements EventSink {
  readonly #response: ServerResponse;
  readonly #isChunked: boolean;

  constructor(response: ServerResponse, isChunked: boolean) {
    this.#response = response;
    this.#isChunked = isChunked;
  }

  get #socket() {
    const { socket, writableEnded } = this.#response;
    return socket !== null && !writableEnded && socket.writable ? socket : null;
  }

  get queuedBytes(): number {
    return this.#response.socket?.writableLength ?? 0;
  }

  send(frame: Frame, onTaken?: () => void): void {
    const bytes = this.#isChunked ? frame : frame.subarray(frame.indexOf('\n') + 1, -2);
    // Without a callback, Node schedules nothing for the end of a write.
    if (!onTaken) this.#socket?.write(bytes);
    else this.#socket?.write(bytes, (error) => !error && onTaken());
  }

  taken(): Promise<void> {
    const socket = this.#socket;
    if (!socket?.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      function settle() {
        socket?.off('drain', settle).off('close', settle);
        resolve();
      }
      socket.on('drain', settle).on('close', settle);
    });
  }

  end(): void {
    this.#response.end();
  }

  cut(): void {
    this.#response.destroy();
  }
}
