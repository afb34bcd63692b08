/**
 * Which values of `Host` the service answers. A site can point its own name at this service, and a browser then treats
 * its scripts and our pages as one origin (DNS rebinding). So a name counts only if the operator chose it, or if nobody
 * can point it here from the public DNS. Headers of proxies that name another host are never read.
 */
import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { AppError } from '#app-error';
import { answersAnywhere, pathOf } from '#http/hostnames';
import { METRICS_PATH } from '#http/metrics-route';
import { hostNameIn, withoutFinalDot } from '#platform/host-names';

export interface OwnHosts {
  readonly appBaseUrl: string;
  readonly apiBaseUrl: string;
  /** Further names, in lower case. */
  readonly allowedHosts: readonly string[];
}

/** No public DNS has names under these. */
const LOCAL_DOMAINS = ['localhost', 'local', 'internal', 'lan', 'home.arpa'];

/** Returns the error for a request with an unknown host; null when the request may be answered. */
export type HostCheck = (request: IncomingMessage) => AppError | null;

export function hostCheck(own: OwnHosts): HostCheck {
  const isKnown = knownHosts(own);
  return ({ headers, url = '/' }) => {
    if (isKnown(headers.host ?? '')) return null;
    const path = pathOf(url);
    return answersAnywhere(path) || path === METRICS_PATH ? null : unknownHost();
  };
}

function knownHosts({ appBaseUrl, apiBaseUrl, allowedHosts }: OwnHosts): (header: string) => boolean {
  const origins = [appBaseUrl, apiBaseUrl].map((origin) => new URL(origin).hostname);
  const chosen = new Set([...origins, ...allowedHosts].map(withoutFinalDot));
  return (header) => {
    const given = hostNameIn(header);
    if (given === null) return false;
    const name = withoutFinalDot(given);
    return (
      chosen.has(name) ||
      isIPv4(name) ||
      isIPv6(given.replace(/^\[(.*)\]$/, '$1')) ||
      // With a final dot, it would be a name of the public DNS.
      !given.includes('.') ||
      LOCAL_DOMAINS.some((domain) => name === domain || name.endsWith(`.${domain}`))
    );
  };
}

function unknownHost(): AppError {
  return new AppError('FORBIDDEN', {
    message:
      'This service does not answer under the host name of this request. Its operator can add the name to ALLOWED_HOSTS.',
  });
}
