/** Delays between retries. */

const FIRST_MS = 500;
const MOST_MS = 30_000;

/** Exponential backoff with jitter, so that clients that fail together do not retry together. */
export function pauseMs(failures: number, random: () => number = Math.random): number {
  const longest = Math.min(MOST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return longest * (0.5 + random() / 2);
}

/** Resolves after the delay, or immediately on abort or when the network comes back. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    addEventListener('online', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
