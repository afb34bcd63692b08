/** Stops the running service: first it is not ready, then requests under way finish, then everything is released. */
import type { Log } from '#platform/log';

/** Requests under way get this long to finish. */
const REQUESTS_MS = 10_000;
/** Then jobs under way and the connections to the stores get this long to end. A store that hangs may need longer. */
const RELEASE_MS = 5000;

/** The longest time from the end of the drain to the end of the process. */
export const STOP_AFTER_DRAIN_MS = REQUESTS_MS + RELEASE_MS;

/** What a stop needs of the service. */
export interface StoppedService {
  readonly http: { underWay(): number };
  readonly log: Pick<Log, 'info' | 'warn'>;
  announceStop(): void;
  endStreams(): void;
  close(graceMs: number): Promise<void>;
}

/**
 * Resolves when the process can end, at the latest `drainMs` and STOP_AFTER_DRAIN_MS after the call. First only
 * readiness fails, so that load balancers send no more requests while everything still works. Live streams end after
 * that: if they ended earlier, their clients could reconnect to this process.
 */
export async function stopService(service: StoppedService, drainMs: number): Promise<void> {
  service.announceStop();
  await pause(drainMs);
  service.endStreams();
  const deadline = Date.now() + REQUESTS_MS;
  await waitUntil(() => service.http.underWay() === 0 || Date.now() >= deadline);
  const graceMs = Math.max(0, deadline - Date.now());
  const isReleased = await Promise.race([
    service.close(graceMs).then(() => true),
    pause(graceMs + RELEASE_MS).then(() => false),
  ]);
  if (isReleased) service.log.info('stopped');
  // What is cut off is repeated after the next start, as after a power failure.
  else service.log.warn('stopped before all work ended');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Polls every few milliseconds, because the end of a request triggers no event. */
function waitUntil(done: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!done()) return;
      clearInterval(timer);
      resolve();
    }, 20);
  });
}
