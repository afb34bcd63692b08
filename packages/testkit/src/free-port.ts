/**
 * A free port of this machine, for a service that needs its port before it starts.
 *
 * The port is below the ephemeral range, because outgoing connections use that range: one of them could take the port
 * before the service has started. It stays reserved until the asking process or worker ends, so that the services of
 * tests that run side by side never get the same port: a client that waits for one of them would reach the other.
 */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';
/** A port above 10080, the last one that `fetch` and browsers block. */
const FIRST = 11_000;
const COUNT = 20_000;
/** Far apart, so that processes started one after another do not try the same ports. */
const BETWEEN_PROCESSES = 7919;

let asked = 0;

export async function freePort(): Promise<number> {
  for (let tried = 0; tried < COUNT; tried += 1) {
    const port = FIRST + ((process.pid * BETWEEN_PROCESSES + asked) % COUNT);
    asked += 1;
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
  throw new Error(`No port from ${FIRST} to ${FIRST + COUNT - 1} is free.`);
}

/**
 * Reserves a port by a UDP socket with the same number: services listen by TCP, which has port numbers of its own, and the
 * system closes the socket however the process ends.
 *
 * @returns false if another process or worker has reserved it.
 */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const reservation = createSocket('udp4').unref();
    reservation.once('error', () => resolve(false));
    reservation.bind({ port, address: HOST, exclusive: true }, () => resolve(true));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, HOST, () => void probe.close(() => resolve(true)));
  });
}
