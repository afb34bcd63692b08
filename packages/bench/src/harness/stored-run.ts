/** Compares a run with one that `--json` wrote. */
import { readFileSync } from 'node:fs';
import type { Result } from './result.ts';
import { median } from './statistics.ts';

/** Smaller differences do not count. */
const TOLERANCE = 0.1;
/** A difference must also exceed this multiple of the typical distance of a round from the median. */
const SPREADS = 2;

type Compared = Pick<Result, 'target' | 'name' | 'measured' | 'unit' | 'bound' | 'rounds' | 'details'>;

export interface Slower {
  readonly name: string;
  readonly what: string;
  readonly before: number;
  readonly now: number;
}

/** @throws Error that says what is wrong with the file. */
export function readStoredRun(file: string): readonly Compared[] {
  let run: unknown;
  try {
    run = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} is not JSON. It must be a file that --json wrote.`, { cause });
  }
  const { smoke, results } = (run ?? {}) as { smoke?: unknown; results?: unknown };
  if (!Array.isArray(results) || !results.every(isCompared))
    throw new Error(`${file} holds no results. It must be a file that --json wrote.`);
  if (smoke === true) throw new Error(`${file} was written with --smoke, whose figures mean little.`);
  return results;
}

function isCompared(result: unknown): result is Compared {
  const { name, measured, rounds, details } = (result ?? {}) as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    typeof measured === 'number' &&
    Array.isArray(rounds) &&
    typeof details === 'object' &&
    details !== null
  );
}

/**
 * The figures that became worse than in the stored run by more than a tenth and more than they varied there. Where a
 * row has the processor time of the service and of its floor, their ratio is compared too: neighbours disturb it less.
 */
export function slowerThan(stored: readonly Compared[], results: readonly Compared[]): Slower[] {
  return results.flatMap((now) => {
    const before = stored.find(({ target, name }) => target === now.target && name === now.name);
    if (!before) return [];
    const figures = [
      { what: now.unit, worse: worseBy(before, now), before: before.measured, now: now.measured },
      { what: '× the processor time of the floor', ...processorFigures(before, now) },
    ];
    return figures
      .filter(({ worse }) => worse > TOLERANCE)
      .map(({ worse: _, ...figure }) => ({ name: now.name, ...figure }));
  });
}

/** The fraction by which a figure is worse; NaN unless that is well beyond the spread of the stored rounds. */
function worseBy(before: Compared, now: Compared): number {
  const change = now.measured / before.measured - 1;
  const worse = isMoreBetter(now) ? -change : change;
  const distances = before.rounds.map((round) => Math.abs(round - before.measured));
  const spread = median(distances) / Math.abs(before.measured);
  return worse > SPREADS * spread ? worse : Number.NaN;
}

/** Without a target, a ratio or a count of events is better when it is higher. */
function isMoreBetter({ bound, unit }: Compared): boolean {
  return bound ? bound.sense === 'at least' : unit === '×' || unit === 'events';
}

function processorFigures(before: Compared, now: Compared) {
  const ratio = ({ details: { processorUs = Number.NaN, floorProcessorUs = Number.NaN } }: Compared) =>
    processorUs / floorProcessorUs;
  return { worse: ratio(now) / ratio(before) - 1, before: ratio(before), now: ratio(now) };
}
