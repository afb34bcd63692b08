/**
 * Measures two things in alternation.
 *
 * Absolute figures vary by a third between runs on a shared machine. So measurements alternate, A B A B, and each
 * round's ratio compares adjacent measurements. The median round counts, so that one disturbed round does not matter.
 */
import { median } from './statistics.ts';

export interface Compared<Measurement> {
  readonly a: readonly Measurement[];
  readonly b: readonly Measurement[];
}

/**
 * Measures two things in turns.
 * @param discarded how many rounds come first and do not count: caches are cold and code is not compiled yet.
 */
export async function interleave<Measurement>(
  rounds: number,
  a: () => Promise<Measurement>,
  b: () => Promise<Measurement>,
  discarded = 1,
): Promise<Compared<Measurement>> {
  const [ofA = [], ofB = []] = await interleaveAll(rounds, [a, b], discarded);
  return { a: ofA, b: ofB };
}

/** Measures any number of things in turns. Returns the measurements of each. */
export async function interleaveAll<Measurement>(
  rounds: number,
  turns: readonly (() => Promise<Measurement>)[],
  discarded = 1,
): Promise<Measurement[][]> {
  for (let round = 0; round < discarded; round += 1) for (const turn of turns) await turn();
  const measured = turns.map((): Measurement[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, turn] of turns.entries()) measured[index]?.push(await turn());
  }
  return measured;
}

/** A divided by B, round by round. */
export function ratios<Measurement>(
  { a, b }: Compared<Measurement>,
  figure: (measurement: Measurement) => number,
): number[] {
  return a.map((measurement, index) => {
    const other = b[index];
    return other === undefined ? Number.NaN : figure(measurement) / figure(other);
  });
}

export function medianOf<Measurement>(
  measurements: readonly Measurement[],
  figure: (measurement: Measurement) => number,
): number {
  return median(measurements.map(figure));
}
