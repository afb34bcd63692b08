/**
 * The arithmetic of sliding windows, the same for every store: which takes still count, and when there is room again.
 */
import type { Budget } from './counters.ts';

/** When it was taken, and how much. */
export type WeightedTake = [at: number, weight: number];

/** Takes that may still count, oldest first. Those of one millisecond are one. */
export type WeightedTakes = WeightedTake[];

/**
 * Takes `weight` if it fits, and forgets what counts no more. Null when it fitted, else after how many milliseconds it
 * will, if nothing else is taken.
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

/** A take counts until a window has passed since it. One from the future was made before the clock stepped back: it counts as of now. */
export function forgetOld(takes: WeightedTakes, windowMs: number, now: number): void {
  for (const take of takes) take[0] = Math.min(take[0], now);
  const counting = takes.findIndex(([at]) => at > now - windowMs);
  takes.splice(0, counting === -1 ? takes.length : counting);
}
