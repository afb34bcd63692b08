/**
 * Which host name serves what. If the API has its own host name, requests there for anything but the API and well-known
 * addresses are redirected to the pages.
 */
import type { IncomingMessage } from 'node:http';
import { endpoints, type Endpoint } from '@svc/contract';
import { AppError } from '#app-error';
import { API_PREFIX } from '#http/binding';

const probes = new Set(
  Object.values<Endpoint>(endpoints)
    .filter(({ anyHost }) => anyHost)
    .map(({ path }) => API_PREFIX + path),
);

export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

/** True for probes and well-known addresses, whose callers may not know the name of the service. */
export function answersAnywhere(path: string): boolean {
  return probes.has(path) || path.startsWith('/.well-known/');
}

/** Returns where a request is redirected to, or null when it is served here. */
export type Redirects = (request: IncomingMessage) => string | null;

/**
 * Both parameters are origins.
 * @returns null when they have the same host, which then serves everything.
 */
export function redirectsOf(appBaseUrl: string, apiBaseUrl: string): Redirects | null {
  const { host: apiHost, protocol } = new URL(apiBaseUrl);
  if (apiHost === new URL(appBaseUrl).host) return null;
  return ({ headers, url = '/' }) => {
    if (plainHost(headers.host ?? '', protocol) !== apiHost) return null;
    if (/^\/api(?:[/?]|$)/.test(url) || answersAnywhere(pathOf(url))) return null;
    return appBaseUrl + url;
  };
}

/** A host as in an address: in lower case, and without the default port and a final dot. */
function plainHost(host: string, protocol: string): string {
  const origin = `${protocol}//${host}`;
  return URL.canParse(origin) ? new URL(origin).host.replace(/\.(?=:|$)/, '') : '';
}

/**
 * Rejects requests that two servers could read differently: those that Node's parser accepts but known proxies read
 * otherwise.
 * @throws AppError BAD_REQUEST, or NOT_FOUND for an unknown target.
 */
export function rejectAmbiguous(request: IncomingMessage): void {
  const { rawHeaders, httpVersion, url = '' } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new AppError('BAD_REQUEST', { message: 'The request must be HTTP/1.1.' });
  }
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    throw new AppError('BAD_REQUEST', { message: 'The only supported Transfer-Encoding is chunked.' });
  }
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    throw new AppError('BAD_REQUEST', { message: 'The request must have one Host header.' });
  }
  if (/[\s@/\\?#,]/.test(request.headers.host ?? ''))
    throw new AppError('BAD_REQUEST', { message: 'The Host header is malformed.' });
  // An asterisk asks about the whole server. The service does not answer such requests.
  if (url === '*') throw new AppError('NOT_FOUND');
  if (!url.startsWith('/') || url.includes('#')) {
    throw new AppError('BAD_REQUEST', { message: 'The request target must be a path.' });
  }
}
