/** Bounded waiting. */
import { setTimeout as pause } from 'node:timers/promises';

const ASKED_EVERY_MS = 50;

/** The milliseconds until the condition holds; null if it does not hold in time. */
export async function until(withinMs: number, holds: () => Promise<boolean>): Promise<number | null> {
  const began = performance.now();
  do {
    if (await holds()) return performance.now() - began;
    await pause(ASKED_EVERY_MS);
  } while (performance.now() - began < withinMs);
  return null;
}
