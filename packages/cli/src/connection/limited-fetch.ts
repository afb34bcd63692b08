/** `fetch` with an end to its patience, and that follows no redirect: a credential goes where it was meant to go. */

const PATIENCE_MS = 60_000;
/** The slowest line that a large body is sent over. */
const SLOWEST_BYTES_PER_MS = 10;

export const limitedFetch: typeof globalThis.fetch = (input, init = {}) => {
  const patience = AbortSignal.timeout(PATIENCE_MS + Math.ceil(sizeOf(init.body) / SLOWEST_BYTES_PER_MS));
  const signal = init.signal ? AbortSignal.any([init.signal, patience]) : patience;
  return fetch(input, { ...init, signal, redirect: 'manual' });
};

function sizeOf(body: RequestInit['body']): number {
  if (typeof body === 'string') return body.length;
  return body instanceof Uint8Array ? body.byteLength : 0;
}
