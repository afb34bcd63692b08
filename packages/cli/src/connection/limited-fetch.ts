/** `fetch` with an end to its patience, and that follows no redirect: a credential goes where it was meant to go. */

const PATIENCE_MS = 60_000;
/** The slowest line that a large body is sent over. */
const SLOWEST_BYTES_PER_MS = 10;

export const limitedFetch: typeof globalThis.fetch = (input, init = {}) => {
  const length = typeof init.body === 'string' ? init.body.length : 0;
  const patience = AbortSignal.timeout(PATIENCE_MS + Math.ceil(length / SLOWEST_BYTES_PER_MS));
  const signal = init.signal ? AbortSignal.any([init.signal, patience]) : patience;
  return fetch(input, { ...init, signal, redirect: 'manual' });
};
