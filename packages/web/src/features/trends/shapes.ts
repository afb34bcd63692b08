/** The shapes of the plots, in a box of 100 by 100 that the page stretches. */
import type { SeverityCounts, TrendDay } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { shortDay } from '../../lib/format.ts';

export const BOX = 100;

export function totalOf(counts: SeverityCounts): number {
  return severities.reduce((sum, severity) => sum + counts[severity], 0);
}

/** The top of the axis: an even digit or 1, times a power of ten, so that its half is round too. */
export function axisTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return power * ([1, 2, 4, 6, 8, 10].find((factor) => factor * power >= most) ?? 10);
}

/** Where the horizontal axis has labels: at most five, the first and the last day among them. */
export function ticksOf(count: number): number[] {
  if (count < 2) return count === 1 ? [0] : [];
  const parts = Math.min(4, count - 1);
  return Array.from({ length: parts + 1 }, (_, at) => Math.round((at * (count - 1)) / parts));
}

/** The day nearest to a position from 0 (left) to 1 (right). */
export function placeOf(position: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.round(position * (count - 1))));
}

/** `3 Nov 2026` for a date in UTC. */
export function dayText(date: string | undefined): string {
  return date === undefined ? '' : shortDay(new Date(`${date}T12:00:00Z`));
}

/** The area of each severity, the most severe at the bottom; `points` of a polygon. */
export function areasOf(
  days: readonly TrendDay[],
  top: number,
): { severity: keyof SeverityCounts; points: string }[] {
  const below = days.map(() => 0);
  return severities.map((severity) => {
    const lower = days.map((_, at) => pointOf(at, days.length, below[at] ?? 0, top));
    for (const [at, { open }] of days.entries()) below[at] = (below[at] ?? 0) + open[severity];
    const upper = days.map((_, at) => pointOf(at, days.length, below[at] ?? 0, top));
    return { severity, points: [...upper, ...lower.toReversed()].join(' ') };
  });
}

function pointOf(at: number, count: number, value: number, top: number): string {
  const x = count < 2 ? 0 : (at / (count - 1)) * BOX;
  return `${rounded(x)},${rounded(BOX - (value / top) * BOX)}`;
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
