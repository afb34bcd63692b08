/** Waiting before something is tried again. */

const FIRST_MS = 500;
const MOST_MS = 30_000;

/** Longer with every failure, and never the same for many who fail together. */
export function pauseMs(failures: number, random: () => number = Math.random): number {
  const longest = Math.min(MOST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return longest * (0.5 + random() / 2);
}

/** Resolves after the time, or at once when it is given up or the network comes back. */
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
