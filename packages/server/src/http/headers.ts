/** The headers that every answer bears. */
const CACHE_CONTROL = 'private, no-store, must-revalidate';

/** @param secure the service is reached by https. */
export function standardHeaders(secure: boolean): Record<string, string> {
  return {
    'cache-control': CACHE_CONTROL,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}
