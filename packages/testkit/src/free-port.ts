/**
 * A free port of this machine, for a service that needs its port before it starts.
 *
 * The port is below the ephemeral range, because outgoing connections use that range: one of them could take the port
 * before the service has started. Each process begins its search at a different port.
 */
import { createServer } from 'node:net';

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
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${FIRST} to ${FIRST + COUNT - 1} is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => void probe.close(() => resolve(true)));
  });
}
