/**
 * `fetch` with limits on time and size, and without redirects, so that a credential is sent only to the service that it
 * belongs to.
 */
import { UnexpectedAnswerError } from '@svc/client';
import { MINUTE_MS } from '../time.ts';

const PATIENCE_MS = MINUTE_MS;
/** The slowest connection over which a large body can be sent. */
const SLOWEST_BYTES_PER_MS = 10;

/** The service's largest responses, lists of everything in an account, are far smaller. */
const ANSWER_BYTES_MAX = 16 * 2 ** 20;

/** Reading more than the limit throws UnexpectedAnswerError, and the rest is not received. */
export const limitedFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const { body } = init;
  const sentBytes = typeof body === 'string' ? body.length : body instanceof Uint8Array ? body.byteLength : 0;
  const patience = AbortSignal.timeout(PATIENCE_MS + Math.ceil(sentBytes / SLOWEST_BYTES_PER_MS));
  const signal = init.signal ? AbortSignal.any([init.signal, patience]) : patience;
  const response = await fetch(input, { ...init, signal, redirect: 'manual' });
  if (response.body === null) return response;
  let left = ANSWER_BYTES_MAX;
  const limit = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left >= 0) controller.enqueue(chunk);
      else controller.error(new UnexpectedAnswerError('The response is too large.', response.status));
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
};
