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
  const { host: apiHost, protocol } = new URL(apiBaseUrl);
  if (apiHost === new URL(appBaseUrl).host) return { redirectOf: () => null };
  return {
    redirectOf({ headers, url = '/' }) {
      if (plainHost(headers.host ?? '', protocol) !== apiHost) return null;
      if (/^\/api(?:[/?]|$)/.test(url) || ANYWHERE.test(url)) return null;
      return appBaseUrl + url;
    },
  };
}

/** A host as addresses bear it: in lower case, and without the port that goes without saying. */
function plainHost(host: string, protocol: string): string {
  const origin = `${protocol}//${host}`;
  return URL.canParse(origin) ? new URL(origin).host : '';
}

/**
 * Requests that two servers could read differently. Of what Node's parser lets through, these are the ones on which
 * proxies are known to disagree with it.
 * @throws AppError BAD_REQUEST, or NOT_FOUND for a target that names nothing.
 */
export function refuseAmbiguous(request: IncomingMessage): void {
  const { rawHeaders, httpVersion, url = '' } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new AppError('BAD_REQUEST', { message: 'The request must be HTTP/1.1.' });
  }
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    throw new AppError('BAD_REQUEST', { message: 'The one transfer coding that is understood is chunked.' });
  }
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    throw new AppError('BAD_REQUEST', { message: 'The request must have one Host header.' });
  }
  if (/[\s@/\\?#,]/.test(request.headers.host ?? ''))
    throw new AppError('BAD_REQUEST', { message: 'The Host header is malformed.' });
  // A star asks about the server as a whole: nothing that it serves.
  if (url === '*') throw new AppError('NOT_FOUND');
  if (!url.startsWith('/') || url.includes('#')) {
    throw new AppError('BAD_REQUEST', { message: 'The request target must be a path.' });
  }
}
