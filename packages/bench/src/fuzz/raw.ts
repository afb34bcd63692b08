/** Requests that no client library would send, each written by hand: see the shapes. */
import fc, { type Arbitrary } from 'fast-check';
import { exchangeShapes } from './raw-exchanges.ts';
import { headShapes } from './raw-heads.ts';
import { lengthShapes } from './raw-lengths.ts';
import { rawShot } from './raw-shot.ts';
import type { FromWorld, Shot } from './shot.ts';

export const rawShots: Arbitrary<FromWorld<Shot>> = fc
  .constantFrom(...lengthShapes, ...headShapes, ...exchangeShapes)
  .map(rawShot);
