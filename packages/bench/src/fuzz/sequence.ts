/** The endless sequence of shots of a seed. Only the ids and secrets in them differ from run to run. */
import fc from 'fast-check';
import { byteShots } from './byte-mutations.ts';
import { rawShots } from './raw.ts';
import type { FromWorld, Shot } from './shot.ts';
import { structuredShots } from './structured.ts';

const DRAWN_AT_ONCE = 500;

const shots = fc.oneof(
  { weight: 50, arbitrary: structuredShots },
  { weight: 30, arbitrary: byteShots },
  { weight: 20, arbitrary: rawShots },
);

export function* shotsOf(seed: number): Generator<FromWorld<Shot>, never> {
  for (let batch = 0; ; batch += 1) {
    // Neighbouring seeds share no batch.
    const batchSeed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(batch, 0x85ebca6b);
    yield* fc.sample(shots, { seed: batchSeed, numRuns: DRAWN_AT_ONCE });
  }
}
