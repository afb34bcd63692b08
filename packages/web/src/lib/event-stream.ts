/** Reads a stream of server-sent events. Unlike EventSource, it reports API errors and lets callers resume. */
import { ConnectionError, UnexpectedAnswerError } from '@svc/client';
import type { ErrorEnvelope } from '@svc/contract';
import { errorCodes } from '@svc/contract/errors';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ApiError } from './api.ts';

/** The service sends a heartbeat every 20 seconds. A much longer silence means that the connection is dead. */
const SILENT_MAX_MS = 50_000;

export interface StreamWish {
  /** The id of the last known event. */
  readonly lastEventId: string | null;
  readonly onMessage: (message: EventSourceMessage) => void;
  /** Called after the messages of one chunk. */
  readonly onPause: () => void;
  readonly signal: AbortSignal;
}

/**
 * Resolves to true when the service has ended the stream as planned, and to false if no more events will come.
 * @throws ApiError, ConnectionError, UnexpectedAnswerError
 */
export async function readEventStream(address: string, wish: StreamWish): Promise<boolean> {
  const silence = new AbortController();
  const signal = AbortSignal.any([wish.signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), SILENT_MAX_MS);
  const isAlive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENT_MAX_MS);
  };
  try {
    const response = await open(address, wish.lastEventId, signal);
    if (response.status === 204 || !response.body) return false;
    const parser = createParser({ onEvent: wish.onMessage });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      isAlive();
      parser.feed(part.value);
      wish.onPause();
    }
    return true;
  } catch (cause) {
    if (cause instanceof ApiError || cause instanceof UnexpectedAnswerError) throw cause;
    throw new ConnectionError('The stream was cut off.', { cause });
  } finally {
    clearTimeout(timer);
  }
}

async function open(address: string, lastEventId: string | null, signal: AbortSignal): Promise<Response> {
  const response = await fetch(address, {
    cache: 'no-store',
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
    },
    signal,
  });
  if (response.ok) return response;
  throw errorOf(await response.text(), response);
}

function errorOf(text: string, { status, headers }: Response): Error {
  const error = errorIn(text);
  if (!error) return new UnexpectedAnswerError(`The service responded with status ${status}.`, status);
  const asked = Number(headers.get('retry-after') ?? Number.NaN);
  return new ApiError({
    ok: false,
    status,
    error,
    retryAfterMs: Number.isFinite(asked) ? asked * 1000 : null,
  });
}

function errorIn(text: string): ErrorEnvelope['error'] | null {
  try {
    const { error } = JSON.parse(text) as Partial<ErrorEnvelope>;
    return error && errorCodes.includes(error.code) ? error : null;
  } catch {
    return null;
  }
}
