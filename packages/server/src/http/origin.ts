/** Prevents other sites from using a person's cookie, or from signing a person in. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '#app-error';

export interface OriginOptions {
  /** The origins of our own pages. */
  readonly ourOrigins: readonly string[];
  readonly trustedProxyHops: number;
}

/**
 * Accepts requests of our own pages. Clients that are not browsers send neither `Origin` nor `Sec-Fetch-Site`, and are
 * accepted if they send no cookie either.
 * @throws AppError FORBIDDEN
 */
export function rejectCrossSite(
  { headers }: IncomingMessage,
  hasCookie: boolean,
  { ourOrigins, trustedProxyHops }: OriginOptions,
): void {
  const { origin, host, 'sec-fetch-site': fetchSite } = headers;
  if (fetchSite === 'same-origin') return;
  if (origin !== undefined) {
    const scheme = trustedProxyHops > 0 && headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
    if (ourOrigins.includes(origin) || (host !== undefined && origin === `${scheme}://${host}`)) return;
  } else if (fetchSite === undefined && !hasCookie) return;
  throw new AppError('FORBIDDEN', {
    message:
      'This request comes from another site. Browsers must send it from our own pages; other clients need an Origin header.',
  });
}
