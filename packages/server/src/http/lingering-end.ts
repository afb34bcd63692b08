/** The end of a connection whose client may still be sending. */
import type { Duplex } from 'node:stream';

/**
 * How much is still received: more than the default limit of a report, since most clients send the whole body unasked.
 */
export const LINGER_BYTES_MAX = 16 * 1024 * 1024;

const lingering = new WeakSet<Duplex>();

/** True once `endLingering` has been called. */
export function isLingering(socket: Duplex): boolean {
  return lingering.has(socket);
}

/**
 * Sends the last bytes and ends this side of the connection, then discards what arrives until the client ends its side,
 * at most for `lingerMs` and up to `LINGER_BYTES_MAX`. Closing immediately would reset the connection, and the client
 * might lose the response.
 *
 * Takes the connection away from Node's parser, which would report an error for each further packet.
 */
export function endLingering(socket: Duplex, lastBytes: string, lingerMs: number): void {
  lingering.add(socket);
  let receivedBytes = 0;
  const close = () => socket.destroy();
  const timer = setTimeout(close, lingerMs);
  socket.once('close', () => clearTimeout(timer));
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes > LINGER_BYTES_MAX) close();
  });
  socket.resume();
  socket.end(lastBytes);
}
