/**
 * A port of this machine that nobody listens on, for a service that must be told its port before it starts.
 *
 * Below those that systems give to whoever asks for any port, which every outgoing connection does: in the time that a
 * service takes to come up, one of those could be gone again. Each process walks through them from a place of its own.
 */
import { createServer } from 'node:net';

/** Above 10080, to which neither `fetch` nor a browser connects. */
const FIRST = 11_000;
const COUNT = 20_000;
/** Far apart, so that processes that are started one after the other do not ask for the same. */
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
