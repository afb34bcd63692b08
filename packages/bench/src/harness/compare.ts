/** Creates a result row that compares the throughput with a floor. */
import type { LoadResult } from './load.ts';
import type { Result } from './result.ts';
import { medianOf, ratios, type Compared } from './rounds.ts';
import { median } from './statistics.ts';

export interface Comparison {
  readonly target: string | null;
  readonly name: string;
  /** The minimum ratio of throughputs; null without a target. */
  readonly ratioMin: number | null;
  readonly floor: string;
  /** The service and its floor. */
  readonly compared: Compared<LoadResult>;
}

export function comparisonResult({ target, name, ratioMin, floor, compared }: Comparison): Result {
  const rounds = ratios(compared, ({ perSecond }) => perSecond);
  return {
    target,
    name,
    measured: median(rounds),
    unit: '×',
    bound: ratioMin === null ? null : { sense: 'at least', value: ratioMin },
    floor,
    rounds,
    details: {
      perSecond: medianOf(compared.a, ({ perSecond }) => perSecond),
      floorPerSecond: medianOf(compared.b, ({ perSecond }) => perSecond),
      p99Ms: medianOf(compared.a, ({ p99Ms }) => p99Ms),
      floorP99Ms: medianOf(compared.b, ({ p99Ms }) => p99Ms),
      processorUs: medianOf(compared.a, ({ processorUsEach }) => processorUsEach),
      floorProcessorUs: medianOf(compared.b, ({ processorUsEach }) => processorUsEach),
    },
  };
}
