/**
 * Whether a request comes from the machine itself, without a proxy: peer, `Host` and the configured origin are
 * loopback, and no proxy header is present. Anything unclear counts as not local.
 */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** `X-Forwarded-` covers every header that begins with it. */
const PROXY_HEADER = /^(?:forwarded|x-forwarded-.*|x-real-ip|via)$/;

export interface LocalFacts {
  readonly appBaseUrl: string;
  readonly trustedProxyHops: number;
}

export function isLocalRequest(
  {
    socket,
    headers,
    httpVersion,
  }: Pick<IncomingMessage, 'headers' | 'httpVersion'> & {
    readonly socket: { readonly remoteAddress?: string | undefined };
  },
  { appBaseUrl, trustedProxyHops }: LocalFacts,
): boolean {
  return (
    trustedProxyHops === 0 &&
    // By default nginx uses HTTP/1.0 to a server behind it; browsers and tools use 1.1.
    httpVersion === '1.1' &&
    isLoopbackAddress(socket.remoteAddress ?? '') &&
    isLoopbackHost(headers.host ?? '') &&
    isLoopbackHost(new URL(appBaseUrl).host) &&
    !Object.keys(headers).some((name) => PROXY_HEADER.test(name))
  );
}

/** An IPv4 address in IPv6 form counts as the IPv4 address. */
function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/**
 * A host as in a `Host` header. Only complete names match, so `localhost.example.com` and `127.0.0.1.example.com`
 * don't.
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/:\d{1,5}$/, '');
  if (name === '[::1]' || /^(?:[a-z0-9-]+\.)*localhost$/.test(name)) return true;
  return /^127(?:\.\d{1,3}){3}$/.test(name) && ipaddr.IPv4.isValid(name);
}
