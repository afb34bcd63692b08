/** A limit on the connections of one address, so that one client cannot take them all. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const CONNECTIONS_PER_ADDRESS_MAX = 4096;

/** Does nothing behind proxies: every connection comes from a proxy, and the proxies limit connections instead. */
export function capConnections(
  server: Server,
  trustedProxyHops: number,
  perAddressMax = CONNECTIONS_PER_ADDRESS_MAX,
): void {
  if (trustedProxyHops > 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    if (count > perAddressMax) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.on('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}
