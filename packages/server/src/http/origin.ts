/** Keeps other sites from using a visitor's cookie, or from signing a visitor in. */
import { AppError } from '#app-error';

export interface OriginFacts {
  readonly fetchSite: string | undefined;
  readonly origin: string | undefined;
  /** Scheme and Host of the request itself. */
  readonly ownOrigin: string | undefined;
  readonly hasCookie: boolean;
}

/**
 * Accepts requests of our own pages. Clients that are no browser send neither header, and are accepted as long as they
 * send no cookie either.
 * @throws AppError FORBIDDEN
 */
export function refuseCrossSite(facts: OriginFacts, ourOrigins: readonly string[]): void {
  if (facts.fetchSite === 'same-origin') return;
  if (facts.origin !== undefined) {
    if (ourOrigins.includes(facts.origin) || facts.origin === facts.ownOrigin) return;
  } else if (facts.fetchSite === undefined && !facts.hasCookie) return;
  throw new AppError('FORBIDDEN', {
    message:
      'This request comes from another site. Browsers must send it from our own pages; other clients need an Origin header.',
  });
}
