/** Lowers the priority of a worker below the rest of the process, where the system allows it. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * From -20 to 19; the process itself is at 0. A worker gets a third of the time of a thread at 0: less would starve it
 * on a busy machine.
 */
const BACKGROUND_NICENESS = 5;

/** On Linux each thread has a priority of its own, under its thread id. Elsewhere nothing happens. */
export function lowerThreadPriority(): void {
  try {
    const [, threadId] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    if (threadId !== undefined) setPriority(Number(threadId), BACKGROUND_NICENESS);
  } catch {
    // Without /proc, or when the system denies it, the worker keeps the priority of the process.
  }
}
