/**
 * `fetch` with an end to its patience and to what it takes in, and that follows no redirect: a credential goes where it was
 * meant to go.
 */
import { UnexpectedAnswerError } from '@svc/client';

const PATIENCE_MS = 60_000;
/** The slowest line that a large body is sent over. */
const SLOWEST_BYTES_PER_MS = 10;

/** The service's largest answers, lists of everything that an account has, are far smaller. */
const ANSWER_BYTES_MAX = 16 * 2 ** 20;

export const limitedFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const patience = AbortSignal.timeout(PATIENCE_MS + Math.ceil(sizeOf(init.body) / SLOWEST_BYTES_PER_MS));
  const signal = init.signal ? AbortSignal.any([init.signal, patience]) : patience;
  return bounded(await fetch(input, { ...init, signal, redirect: 'manual' }));
};

/** Reading more than the most throws UnexpectedAnswerError, and the rest is not received. */
function bounded(response: Response): Response {
  if (response.body === null) return response;
  let left = ANSWER_BYTES_MAX;
  const limit = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left >= 0) controller.enqueue(chunk);
      else controller.error(new UnexpectedAnswerError('The answer has no end.', response.status));
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
}

function sizeOf(body: RequestInit['body']): number {
  if (typeof body === 'string') return body.length;
  return body instanceof Uint8Array ? body.byteLength : 0;
}
