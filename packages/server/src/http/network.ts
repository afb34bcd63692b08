/** Whose request it is, as far as the network tells. */
import ipaddr from 'ipaddr.js';

/**
 * What throttles count as one network: an IPv4 address, or the /64 of an IPv6 address, which is what one subscriber has.
 * An IPv4 address in IPv6 form is the IPv4 address.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(':')}::/64`;
}

const SHOWN_PREFIX = { ipv4: 24, ipv6: 48 } as const;

/** Enough for people to tell their own networks apart, without keeping their address: an IPv4 /24 or an IPv6 /48. */
export function shownNetworkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  const prefix = SHOWN_PREFIX[parsed.kind()];
  const bytes = parsed.toByteArray().map((byte, at) => (at < prefix / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${prefix}`;
}

/**
 * The client's address: the connection's own, or what the trusted proxies in front of us wrote down. Each proxy appends
 * the address it saw, so with N trusted ones the N-th entry from the right is the last that nobody could make up.
 */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | undefined,
  trustedHops: number,
): string {
  if (trustedHops === 0 || forwardedFor === undefined) return socketAddress;
  const entries = forwardedFor.split(',').map((entry) => entry.trim());
  const entry = entries[Math.max(0, entries.length - trustedHops)] ?? '';
  const address = withoutPort(entry);
  return ipaddr.isValid(address) ? address : socketAddress;
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(entry);
  if (bracketed) return bracketed[1] ?? '';
  return /^[\d.]+:\d+$/.test(entry) ? entry.slice(0, entry.indexOf(':')) : entry;
}
