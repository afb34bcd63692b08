/** The network that a request comes from. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The unit of rate limits: an IPv4 address, or the /64 of an IPv6 address, which is what one subscriber has. An
 * IPv4-mapped IPv6 address counts as the IPv4 address.
 */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(':')}::/64`;
}

const SHOWN_PREFIX = { ipv4: 24, ipv6: 48 } as const;

/**
 * Precise enough for people to recognize their own networks, without storing their address: an IPv4 /24 or an IPv6 /48.
 */
export function shownNetworkOf(address: string): string {
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  const prefix = SHOWN_PREFIX[parsed.kind()];
  const bytes = parsed.toByteArray().map((byte, at) => (at < prefix / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${prefix}`;
}

type Connected = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/**
 * The client's address: the connection's own, or the one that the trusted proxies recorded. Each proxy appends the
 * address that it saw. So with N trusted proxies, the N-th entry from the right is the leftmost entry that a client
 * cannot forge.
 */
export function clientAddress({ socket, headers }: Connected, trustedHops: number): string {
  const socketAddress = socket.remoteAddress ?? '';
  const forwardedFor = headers['x-forwarded-for'];
  if (trustedHops === 0 || forwardedFor === undefined) return socketAddress;
  const entries = String(forwardedFor)
    .split(',')
    .map((entry) => entry.trim());
  const entry = entries[Math.max(0, entries.length - trustedHops)] ?? '';
  const address = withoutPort(entry);
  return isIP(address) === 0 ? socketAddress : address;
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(entry);
  if (bracketed) return bracketed[1] ?? '';
  return /^[\d.]+:\d+$/.test(entry) ? entry.slice(0, entry.indexOf(':')) : entry;
}
