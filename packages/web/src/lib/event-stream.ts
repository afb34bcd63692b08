/** A stream of the service's events, read so that a refusal is told like any other and reading goes on where it stopped. */
import { ConnectionError, UnexpectedAnswerError } from '@svc/client';
import type { ErrorEnvelope } from '@svc/contract';
import { errorCodes } from '@svc/contract/errors';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { Refusal } from './api.ts';

/** The service says something every 20 seconds; what is silent for longer is cut off, without either side knowing. */
const SILENT_MAX_MS = 50_000;

export interface StreamWish {
  /** Of the last event that is known. */
  readonly lastEventId: string | null;
  readonly onOpen: () => void;
  readonly onMessage: (message: EventSourceMessage) => void;
  /** Called once what came together has been told. */
  readonly onPause: () => void;
  readonly signal: AbortSignal;
}

/**
 * Resolves when the service has ended the stream as planned; to false when there is nothing to follow any more.
 * @throws Refusal, ConnectionError, UnexpectedAnswerError
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
    wish.onOpen();
    const parser = createParser({ onEvent: wish.onMessage });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      isAlive();
      parser.feed(part.value);
      wish.onPause();
    }
    return true;
  } catch (cause) {
    if (cause instanceof Refusal || cause instanceof UnexpectedAnswerError) throw cause;
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
  throw refusalOf(await response.text(), response);
}

function refusalOf(text: string, { status, headers }: Response): Error {
  const error = errorIn(text);
  if (!error) return new UnexpectedAnswerError(`The service answered ${status}.`, status);
  const asked = Number(headers.get('retry-after') ?? Number.NaN);
  return new Refusal({
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
