/** The arithmetic of sliding windows for every store: which takes still count, and when the next one fits. */
import type { Budget } from './counters.ts';

/** The time and weight of a take. */
export type WeightedTake = [at: number, weight: number];

/** Takes that may still count, oldest first. Takes of the same millisecond are merged. */
export type WeightedTakes = WeightedTake[];

/**
 * Takes `weight` if it fits, and deletes takes that no longer count. Returns null when it fitted, else the milliseconds
 * until it would fit if nothing else is taken.
 */
export function takeSliding(
  takes: WeightedTakes,
  weight: number,
  { limit, windowMs }: Budget,
  now: number,
): number | null {
  forgetOld(takes, windowMs, now);
  let excess = takes.reduce((sum, [, taken]) => sum + taken, weight) - limit;
  if (excess <= 0) {
    const last = takes.at(-1);
    if (last?.[0] === now) last[1] += weight;
    else takes.push([now, weight]);
    return null;
  }
  for (const [at, taken] of takes) {
    excess -= taken;
    if (excess <= 0) return at + windowMs - now;
  }
  return windowMs;
}

/**
 * A take counts until a window has passed since it. A take from the future was made before the clock stepped back, and
 * counts as one made now.
 */
export function forgetOld(takes: WeightedTakes, windowMs: number, now: number): void {
  for (const take of takes) take[0] = Math.min(take[0], now);
  const counting = takes.findIndex(([at]) => at > now - windowMs);
  takes.splice(0, counting === -1 ? takes.length : counting);
}
