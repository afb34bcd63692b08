/** Which hostname serves what: where the API has a hostname of its own, everything else there is sent to the pages. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '#app-error';

const ANYWHERE = /^\/(?:api\/v1\/(?:health|ready)|\.well-known\/[^?]*)(?:\?|$)/;

export interface Hostnames {
  /** Where a request is to be sent instead, or null when it is served here. */
  redirectOf(request: IncomingMessage): string | null;
}

/** Both are origins; the same one twice when there is but one hostname. */
export function createHostnames(appBaseUrl: string, apiBaseUrl: string): Hostnames {
  const apiHost = new URL(apiBaseUrl).host;
  if (apiHost === new URL(appBaseUrl).host) return { redirectOf: () => null };
  return {
    redirectOf({ headers, url = '/' }) {
      if (headers.host?.toLowerCase() !== apiHost) return null;
      if (/^\/api(?:[/?]|$)/.test(url) || ANYWHERE.test(url)) return null;
      return appBaseUrl + url;
    },
  };
}

/**
 * Requests that two servers could read differently.
 * @throws AppError BAD_REQUEST
 */
export function refuseAmbiguous(request: IncomingMessage): void {
  const { rawHeaders, httpVersion, url = '' } = request;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    throw new AppError('BAD_REQUEST', { message: 'The request must have one Host header.' });
  }
  if (/[\s@/\\?#,]/.test(request.headers.host ?? ''))
    throw new AppError('BAD_REQUEST', { message: 'The Host header is malformed.' });
  if (!url.startsWith('/') && url !== '*') {
    throw new AppError('BAD_REQUEST', { message: 'The request target must be a path.' });
  }
}
