/**
 * What the tabs of a browser use to work together. Browsers lack it on plain HTTP, and deny it where they block storage.
 * Nothing here throws then: the tab works alone.
 */

/** Null if this tab works alone. */
export function openChannel(name: string, onMessage: (message: unknown) => void): BroadcastChannel | null {
  try {
    const channel = new BroadcastChannel(name);
    channel.addEventListener('message', ({ data }) => onMessage(data));
    return channel;
  } catch {
    return null;
  }
}

/** Runs `hold` while no other tab does, or immediately without locks; never if `signal` is aborted before. */
export async function withLock(name: string, signal: AbortSignal, hold: () => Promise<void>): Promise<void> {
  let isHeld = false;
  try {
    await navigator.locks.request(name, { signal }, () => {
      isHeld = true;
      return hold();
    });
  } catch (error) {
    if (isHeld) throw error;
    if (!signal.aborted) await hold();
  }
}
