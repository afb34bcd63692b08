/** Tests whether two calls take the same time, with Welch's t-test over interleaved samples. */
import { performance } from 'node:perf_hooks';

/** The time until the last byte of a response. */
async function timeOf(call: () => Promise<Response>): Promise<number> {
  const began = performance.now();
  const answer = await call();
  await answer.arrayBuffer();
  return performance.now() - began;
}

/**
 * Measures each call. Every round runs each call once in a random order, so that noise of the machine affects all
 * calls alike: it widens the samples but does not separate their means. The first rounds are discarded.
 */
export async function interleavedTimes<Name extends string>(
  calls: Readonly<Record<Name, () => Promise<Response>>>,
  rounds: number,
  warmUpRounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(calls) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    for (const name of shuffled(names)) {
      const time = await timeOf(calls[name]);
      if (round >= warmUpRounds) times[name].push(time);
    }
  }
  return times;
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => [Math.random(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}

/** Welch's t. */
export function welch(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [momentsOf(one), momentsOf(other)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / one.length + b.variance / other.length);
}

function momentsOf(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, variance };
}
