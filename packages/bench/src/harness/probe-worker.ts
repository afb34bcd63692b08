/**
 * Requests `health` repeatedly on a connection of its own. It is a thread, so that the sender's work does not delay it.
 */
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const GIVEN_UP_AFTER_MS = 30_000;

const { port, askedEveryMs } = workerData as { port: number; askedEveryMs: number };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const stop = new AbortController();
parentPort?.once('message', () => stop.abort());

while (!stop.signal.aborted) {
  const began = performance.now();
  const status = await ask();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ latencyMs: performance.now() - began, status });
  await pause(askedEveryMs);
}
agent.destroy();

/** The status, or 0 when there was no response. */
function ask(): Promise<number> {
  return new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path: '/api/v1/health', agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    request.setTimeout(GIVEN_UP_AFTER_MS, () => request.destroy());
    request.once('error', () => resolve(0));
  });
}
